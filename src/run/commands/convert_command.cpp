// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <cstdio>
#include <unistd.h>

#include <fmt/format.h>

#include "core/error.h"
#include "io/input/keys/quantity.h"
#include "io/output/append_file.h"
#include "io/selected_atoms.h"
#include "io/topology/names_file.h"
#include "io/topology/psf_writer.h"
#include "io/trajectory/trajectory_file.h"
#include "run/commands/commands.h"
#include "run/convert/frame_choice.h"
#include "run/convert/frame_shaper.h"
#include "run/convert/read_ahead.h"
#include "system/molecules/drawn_bonds.h"
#include "system/preparation/subset.h"

namespace mdsim {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_option(const std::string& option, std::string what, std::string remedy) {
    throw_input_error({.code = "MD116", .place = {option}, .what = std::move(what), .remedy = std::move(remedy)});
}

bool ends_in_psf(const fs::path& file) {
    const std::string end = file.extension().string();
    return end == ".psf" || end == ".PSF";
}

// What is no selection is refused where its atoms are looked for.
bool asks_for_places(const std::string& text) {
    try {
        return needs_places(text);
    } catch (const SelectionError&) {
        return false;
    }
}

// The line that is written over while the conversion goes on; nothing where nobody looks.
class Progress {
  public:
    explicit Progress(bool quiet) : shown_(!quiet && ::isatty(STDERR_FILENO) != 0) {}
    ~Progress() {
        if (any_) std::fputs("\n", stderr);
    }
    void update(double share, std::int64_t frames) {
        const auto now = std::chrono::steady_clock::now();
        if (!shown_ || now - last_ < std::chrono::milliseconds(200)) return;
        last_ = now;
        any_ = true;
        fmt::print(stderr, "\r{:5.1f} %  {} frames", 100.0 * share, frames);
        std::fflush(stderr);
    }

  private:
    bool shown_, any_ = false;
    std::chrono::steady_clock::time_point last_{};
};

/// A file under another name until it is whole. What had its name is kept aside.
class NewFile {
  public:
    NewFile(fs::path path, std::optional<TrajectoryFormat> format)
        : path_(std::move(path)), fresh_(path_.string() + ".new"), format_(format) {
        remove();
    }
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;
    ~NewFile() { remove(); }
    const fs::path& fresh() const { return fresh_; }
    std::vector<fs::path> rename() {
        const std::vector<fs::path> beside = files_of(path_), fresh_beside = files_of(fresh_);
        std::vector<fs::path> kept = move_aside(beside);
        for (std::size_t n = 0; n < beside.size(); ++n) {
            if (fs::exists(fresh_beside[n]) && ::rename(fresh_beside[n].c_str(), beside[n].c_str()) != 0)
                throw_system_error(beside[n], "renaming");
        }
        for (const fs::path& path : kept) mend_moved(path);
        return kept;
    }

  private:
    fs::path path_, fresh_;
    std::optional<TrajectoryFormat> format_;

    // The file last, so that none of those beside it is missing once it is there.
    std::vector<fs::path> files_of(const fs::path& path) const {
        std::vector<fs::path> files = format_ ? files_beside(path, *format_) : std::vector<fs::path>();
        files.push_back(path);
        return files;
    }
    void remove() const {
        std::error_code ignored;
        for (const fs::path& file : files_of(fresh_)) fs::remove_all(file, ignored);
        fs::remove(fresh_.string() + ".redo", ignored);
    }
};

class Conversion {
  public:
    explicit Conversion(const ConvertOptions& options)
        : options_(options), range_(options.from, options.to, options.every), format_(output_format()) {
        std::error_code error;
        if (fs::equivalent(options.in, options.out, error))
            refuse_option("OUT", "input and output are the same file", "give the output another name");
    }

    void run() {
        if (is_topology_file(options_.in)) return write_topology(read_names(options_.in));
        reader_ = open_trajectory(options_.in);
        take_names();
        if (!format_) {
            require_names("a .psf");
            return write_topology(*names_);
        }
        std::int64_t at = range_.first();
        if (at > 0) reader_->seek(at);
        ahead_.emplace(*reader_);
        more_ = next_frame(at);
        if (!more_ && (at > 0 || range_.first() > 0))
            refuse_option("--from", fmt::format("no frame of {} lies there", options_.in.filename().string()),
                          "mdsim info " + options_.in.string() + " says how many frames it has, and their times");
        prepare();
        NewFile file(options_.out, format_);
        const std::int64_t written = write_frames(file.fresh(), at);
        give_back_memory();
        const std::vector<fs::path> kept = file.rename();
        writer_->moved_to(options_.out);
        report(written, kept);
    }

  private:
    std::optional<TrajectoryFormat> output_format() const {
        const auto format = ends_in_psf(options_.out) ? std::nullopt : format_of_name(options_.out);
        if (options_.pieces > 1 && format != TrajectoryFormat::vtk)
            refuse_option("--pieces", "only files for ParaView have pieces", "let OUT end in .pvd");
        if (format || ends_in_psf(options_.out)) return format;
        throw_input_error({.code = "MD309",
                           .place = {options_.out.string()},
                           .what = "the name does not end as that of a format that mdsim writes",
                           .remedy = "the names of these end in " + list_of_formats() + ", or .psf"});
    }

    void take_names() {
        if (!options_.topology.empty()) {
            own_names_ = read_names(options_.topology);
            names_ = &own_names_;
            if (names_->atoms() == reader_->atoms() || reader_->atoms() == 0) return;
            throw_input_error({.code = "MD205",
                               .place = {options_.topology.string()},
                               .what = fmt::format("{} atoms, but {} has {}", names_->atoms(), options_.in.string(),
                                                   reader_->atoms()),
                               .remedy = "give the topology of these atoms, as NAME.pdb and NAME.psf of a run are"});
        }
        names_ = reader_->topology();
    }

    void require_names(const std::string& what) const {
        if (names_ != nullptr) return;
        refuse_option("--topology",
                      fmt::format("{} needs names of atoms, and {} has none", what, options_.in.filename().string()),
                      "--topology FILE: a .top, .prmtop, .psf, .pdb, .gro or .cif with the same atoms");
    }

    std::vector<std::size_t> atoms_of(const std::string& text, const char* option) const {
        if (text.empty()) return {};
        require_names(option);
        const bool placed = more_ && asks_for_places(text);
        const Box box = placed ? frame_.box.box(options_.in) : Box();
        const Places places{frame_.x, box};
        std::vector<std::size_t> atoms;
        for (const AtomId atom : selected_atoms(text, *names_, placed ? &places : nullptr, {{}, option}))
            atoms.push_back(static_cast<std::size_t>(atom));
        return atoms;
    }

    void require_bonds() const {
        require_names("--whole");
        bool several = false;
        for (const MoleculeType& type : names_->types) {
            if (!drawn_bonds(type).empty()) return;
            several = several || type.size() > 1;
        }
        if (!several) return;
        refuse_option("--whole", "which atoms are bonded is not known",
                      "--topology FILE: a .top, .prmtop or .psf with the same atoms");
    }

    void prepare() {
        if (options_.whole) require_bonds();
        FrameShaper::Request request{.whole = options_.whole,
                                     .centre = atoms_of(options_.centre, "--centre"),
                                     .fit = atoms_of(options_.fit, "--fit"),
                                     .select = atoms_of(options_.select, "--select")};
        if (facts_of(*format_).names) require_names(fmt::format("the format {}", facts_of(*format_).name));
        if (names_ == nullptr) {  // formats that look at the number of atoms alone
            own_names_ = nameless(reader_->atoms());
            names_ = &own_names_;
        }
        written_ = names_;
        if (!request.select.empty()) {
            ids_.assign(request.select.begin(), request.select.end());
            selected_ = subset(*names_, ids_);
            written_ = &selected_;
        }
        shaper_.emplace(std::move(request), names_, options_.in);
    }

    static Topology nameless(std::int64_t atoms) {
        Topology topology;
        MoleculeType one;
        one.name = "X";
        one.residues.resize(1);
        one.atoms.resize(1);
        topology.force_field.type_names = {"X"};
        topology.types.push_back(std::move(one));
        topology.blocks.push_back({0, atoms});
        return topology;
    }

    // The next frame that is taken; `at` is the number of the next one of the file.
    bool next_frame(std::int64_t& at) {
        while (!range_.ends_before(at) && ahead_->read(frame_)) {
            const FrameChoice::Answer answer = range_.of(at++, frame_.time);
            if (answer == FrameChoice::Answer::end) return false;
            if (answer == FrameChoice::Answer::take) return true;
        }
        return false;
    }

    TrajectoryInfo info() const {
        const FormatFacts& facts = facts_of(*format_);
        TrajectoryInfo info{.topology = written_, .ids = ids_, .title = written_->title};
        if (!options_.precision.empty()) info.precision = precision();
        info.pieces = options_.pieces;
        if (facts.velocities && !frame_.v.empty()) info.velocities = WithVelocities::yes;
        if (facts.forces && !frame_.f.empty()) info.forces = WithForces::yes;
        if (const auto frames = reader_->frames()) info.frames = range_.count(*frames);
        if (!info.frames && ahead_->progress() >= 1.0 && more_) info.frames = 1;
        info.name = FileName::for_a_while;
        info.durability = Durability::cached;
        info.provenance = {{"converted_from", options_.in.filename().string()}};
        return info;
    }

    double precision() const {
        inp::QuantityFault fault;
        const auto length = inp::parse_quantity(options_.precision, inp::Dimension::length, "nm", fault);
        if (length && *length > 0.0) return *length;
        refuse_option("--precision", fmt::format("\"{}\" is no length above zero", options_.precision),
                      "--precision \"0.001 nm\"");
    }

    std::int64_t write_frames(const fs::path& fresh, std::int64_t at) {
        writer_ = make_trajectory_writer(fresh, *format_, info());
        Progress progress(options_.quiet);
        std::int64_t written = 0;
        for (; more_; more_ = next_frame(at)) {
            writer_->append(shaper_->shape(frame_));
            progress.update(ahead_->progress(), ++written);
        }
        ahead_.reset();  // only one of reader and writer may use HDF5 now
        writer_->finish();
        return written;
    }

    // What is made of the whole file needs the room.
    void give_back_memory() {
        atoms_written_ = written_->atoms();
        shaper_.reset();
        own_names_ = selected_ = {};
        names_ = written_ = nullptr;
        frame_ = {};
        reader_.reset();
    }

    void write_topology(const Topology& topology) {
        if (!ends_in_psf(options_.out)) {
            throw_input_error({.code = "MD309",
                               .place = {options_.in.string()},
                               .what = "a topology has no coordinates to convert",
                               .remedy = "give a trajectory or structure as IN, and this file as --topology; or an OUT "
                                         "that ends in .psf"});
        }
        names_ = &topology;
        const std::vector<std::size_t> atoms = atoms_of(options_.select, "--select");
        NewFile file(options_.out, {});
        if (atoms.empty()) write_psf(file.fresh(), topology);
        if (!atoms.empty())
            write_psf(file.fresh(), subset(topology, std::vector<std::int64_t>(atoms.begin(), atoms.end())));
        report(0, file.rename());
    }

    void report(std::int64_t frames, const std::vector<fs::path>& kept) const {
        if (options_.quiet) return;
        for (const fs::path& path : kept) fmt::print("what was there is now {}\n", path.string());
        if (!format_) {
            fmt::print("{}: names and bonds\n", options_.out.string());
        } else {
            fmt::print("{}: {} frame{} of {} atoms\n", options_.out.string(), frames, frames == 1 ? "" : "s",
                       atoms_written_);
        }
    }

    const ConvertOptions& options_;
    FrameChoice range_;
    std::optional<TrajectoryFormat> format_;  // nothing: a .psf
    std::unique_ptr<TrajectoryReader> reader_;
    Topology own_names_, selected_;
    const Topology* names_ = nullptr;    // of all atoms that are read
    const Topology* written_ = nullptr;  // of those that are written
    std::vector<std::int64_t> ids_;
    std::int64_t atoms_written_ = 0;
    std::optional<FrameShaper> shaper_;
    std::unique_ptr<TrajectoryWriter> writer_;
    std::optional<ReadAhead> ahead_;  // once the frames come: ends before the reader
    StoredFrame frame_;
    bool more_ = false;  // frame_ is to be written
};

}  // namespace

ExitCode convert_command(const ConvertOptions& options) {
    Conversion(options).run();
    return ExitCode::finished;
}

}  // namespace mdsim
