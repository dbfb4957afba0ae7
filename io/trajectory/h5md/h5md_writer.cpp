// SPDX-License-Identifier: Apache-2.0
#include "io/trajectory/h5md/h5md_writer.h"

#include <array>
#include <cstring>
#include <fstream>

#include <fmt/format.h>

#include "core/error.h"
#include "core/version.h"
#include "io/hdf5/transaction.h"
#include "system/molecules/drawn_bonds.h"

namespace mdsim {

namespace {

const std::string group = "/particles/trajectory";

std::filesystem::path journal_path(const std::filesystem::path& path) {
    return path.string() + ".journal";
}

/// One per-atom vector quantity of a frame.
struct Field {
    std::string name;
    std::string unit;
};

std::vector<Field> fields_of(const H5mdWriter::Content& content) {
    std::vector<Field> fields{{"position", "nm"}};
    if (content.velocities == WithVelocities::yes) fields.push_back({"velocity", "nm ps-1"});
    if (content.forces == WithForces::yes) fields.push_back({"force", "kJ mol-1 nm-1"});
    return fields;
}

// An element {step, time, value}; step and time are those of the position, as hard links.
void create_element(h5::File& file, const std::string& name, const std::string& unit, const std::vector<hsize_t>& row,
                    hsize_t chunk_rows) {
    const std::string element = group + "/" + name;
    file.create_growing(element + "/value", H5T_IEEE_F32LE, row, chunk_rows);
    file.set_attribute(element + "/value", "unit", unit);
    if (name == "position") {
        file.create_growing(element + "/step", H5T_STD_I64LE, {}, 1024);
        file.create_growing(element + "/time", H5T_IEEE_F64LE, {}, 1024);
        file.set_attribute(element + "/time", "unit", "ps");
    } else {
        file.hard_link(group + "/position/step", element + "/step");
        file.hard_link(group + "/position/time", element + "/time");
    }
}

void create_header(h5::File& file) {
    file.make_group("/h5md/author");
    file.make_group("/h5md/creator");
    file.make_group("/h5md/modules/units");
    file.set_attribute("/h5md", "version", std::vector<std::int64_t>{1, 1});
    file.set_attribute("/h5md/author", "name", "not given");
    file.set_attribute("/h5md/creator", "name", "mdsim");
    file.set_attribute("/h5md/creator", "version", std::string(version));
    file.set_attribute("/h5md/modules/units", "version", std::vector<std::int64_t>{1, 0});
    file.set_attribute("/h5md/modules/units", "system", "SI");
}

void create_atoms(h5::File& file, const H5mdAtoms& atoms) {
    file.write(group + "/id", atoms.id, {atoms.id.size()});
    file.write(group + "/species", atoms.species, {atoms.species.size()});
    file.write(group + "/mass", atoms.mass, {atoms.mass.size()});
    file.set_attribute(group + "/mass", "unit", "u");
    file.write(group + "/charge", atoms.charge, {atoms.charge.size()});
    file.set_attribute(group + "/charge", "unit", "e");
    if (!atoms.bonds.empty()) file.write("/connectivity/bonds", atoms.bonds, {atoms.bonds.size() / 2, 2});
}

void create_layout(h5::File& file, const H5mdWriter::Content& content, bool periodic) {
    const hsize_t atoms = content.atoms.id.size();
    create_header(file);
    for (const Field& field : fields_of(content)) create_element(file, field.name, field.unit, {atoms, 3}, 1);
    create_element(file, "box/edges", "nm", {3, 3}, 256);
    file.set_attribute(group + "/box", "dimension", std::vector<std::int64_t>{3});
    file.set_attribute(group + "/box", "boundary", std::vector<std::string>(3, periodic ? "periodic" : "none"));
    create_atoms(file, content.atoms);
}

/// A frame as a journal holds it: header, box, then each field, single precision.
struct JournalHeader {
    std::int64_t step = 0;
    double time = 0.0;
    std::array<float, 9> box{};
    std::int32_t periodic = 0;
};

void put_field(std::string& out, std::span<const Vec3d> values) {
    std::vector<float> row;
    row.reserve(3 * values.size());
    for (const Vec3d& v : values) {
        row.insert(row.end(), {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)});
    }
    out.append(reinterpret_cast<const char*>(row.data()), row.size() * sizeof(float));
}

template <class T>
std::span<char> bytes_of(T& value) {
    return {reinterpret_cast<char*>(&value), sizeof value};
}

// What of a frame is summed: all that the file holds of it.
void add_frame(Checksum& sum, JournalHeader& header, std::string_view fields) {
    for (const std::span<char> part : {bytes_of(header.step), bytes_of(header.time), bytes_of(header.box)})
        sum.add({part.data(), part.size()});
    sum.add(fields);
}

// The same from the file.
void add_frame(Checksum& sum, const h5::File& file, const H5mdWriter::Content& content, hsize_t index) {
    JournalHeader header;
    file.read_row(group + "/position/step", index, H5T_NATIVE_INT64, bytes_of(header.step));
    file.read_row(group + "/position/time", index, H5T_NATIVE_DOUBLE, bytes_of(header.time));
    file.read_row(group + "/box/edges/value", index, H5T_NATIVE_FLOAT, bytes_of(header.box));
    const std::vector<Field> fields = fields_of(content);
    const std::size_t size = 3 * content.atoms.id.size() * sizeof(float);
    std::string values(fields.size() * size, '\0');
    for (std::size_t n = 0; n < fields.size(); ++n)
        file.read_row(group + "/" + fields[n].name + "/value", index, H5T_NATIVE_FLOAT,
                      std::span(values).subspan(n * size, size));
    add_frame(sum, header, values);
}

void append_to_file(h5::File& file, const H5mdWriter::Content& content, const JournalHeader& header,
                    const float* values) {
    file.append_row(group + "/position/step", H5T_NATIVE_INT64, &header.step);
    file.append_row(group + "/position/time", H5T_NATIVE_DOUBLE, &header.time);
    file.append_row(group + "/box/edges/value", H5T_NATIVE_FLOAT, header.box.data());
    for (const Field& field : fields_of(content)) {
        file.append_row(group + "/" + field.name + "/value", H5T_NATIVE_FLOAT, values);
        values += 3 * content.atoms.id.size();
    }
}

}  // namespace

H5mdWriter::H5mdWriter(std::filesystem::path path, Content content, AppendFile journal)
    : path_(std::move(path)), content_(std::move(content)), journal_(std::move(journal)) {}

// What has been moved from has no path.
H5mdWriter::~H5mdWriter() {
    std::error_code ignored;
    if (!journal_.path().empty()) std::filesystem::remove(journal_.path(), ignored);
}

// The file itself is made by the first sync, when the first frame says whether there is a box.
H5mdWriter H5mdWriter::create(const std::filesystem::path& path, Content content) {
    if (std::filesystem::exists(path)) {
        errno = EEXIST;
        throw_system_error(path, "creating");
    }
    std::filesystem::remove(path.string() + ".redo");
    std::filesystem::remove(journal_path(path));
    return {path, std::move(content), AppendFile::create(journal_path(path))};
}

H5mdWriter H5mdWriter::reopen(const std::filesystem::path& path, Content content, const OutputMark& mark) {
    h5::recover(path);
    std::filesystem::remove(journal_path(path));
    H5mdWriter writer(path, std::move(content), AppendFile::create(journal_path(path)));
    writer.frames_ = mark.length;
    if (mark.length == 0) {
        std::filesystem::remove(path);
        return writer;
    }
    std::vector<std::string> sets{group + "/position/step", group + "/position/time", group + "/box/edges/value"};
    for (const Field& field : fields_of(writer.content_)) sets.push_back(group + "/" + field.name + "/value");
    if (!std::filesystem::exists(path)) throw_changed(path, "the file is not there any more");
    bool longer = false;
    {
        const h5::File file = h5::File::open_to_read(path);
        for (const std::string& set : sets) {
            const hsize_t rows = file.extent(set).at(0);
            longer = longer || rows > mark.length;
            if (rows < mark.length) {
                throw_changed(path, fmt::format("{} has {} frames, the checkpoint {}", set, rows, mark.length));
            }
        }
        for (hsize_t n = 0; n < mark.length; ++n) add_frame(writer.checksum_, file, writer.content_, n);
    }
    if (writer.checksum_.value() != mark.checksum) {
        throw_io_error({.code = "MD602",
                        .place = {path.string()},
                        .what = "its frames are not those of the checkpoint",
                        .remedy = "put the file back as it was, or start over with --restart"});
    }
    if (longer) {
        h5::change_file(path, [&](h5::File& file) {
            for (const std::string& set : sets) file.set_rows(set, mark.length);
        });
    }
    return writer;
}

void H5mdWriter::append(const Frame& frame) {
    JournalHeader header;
    header.step = frame.step;
    header.time = frame.time;
    header.periodic = frame.box.periodic() ? 1 : 0;
    for (std::size_t i = 0; i < 9; ++i) {
        header.box[i] = static_cast<float>(frame.box.rows()[i / 3][static_cast<int>(i % 3)]);
    }
    std::string bytes(reinterpret_cast<const char*>(&header), sizeof header);
    put_field(bytes, frame.x);
    if (content_.velocities == WithVelocities::yes) put_field(bytes, frame.v);
    if (content_.forces == WithForces::yes) put_field(bytes, frame.f);
    journal_.append(bytes);
    add_frame(checksum_, header, std::string_view(bytes).substr(sizeof header));
    ++pending_;
}

OutputMark H5mdWriter::sync() {
    if (pending_ > 0) {
        journal_.flush();
        std::ifstream in(journal_.path(), std::ios::binary);
        const auto fold = [&](h5::File& file) {
            std::vector<float> values(fields_of(content_).size() * 3 * content_.atoms.id.size());
            for (std::uint64_t n = 0; n < pending_; ++n) {
                JournalHeader header;
                in.read(reinterpret_cast<char*>(&header), sizeof header);
                in.read(reinterpret_cast<char*>(values.data()),
                        static_cast<std::streamsize>(values.size() * sizeof(float)));
                if (!in) throw_system_error(journal_.path(), "reading");
                if (frames_ + n == 0) create_layout(file, content_, header.periodic != 0);
                append_to_file(file, content_, header, values.data());
            }
        };
        if (frames_ == 0) {
            h5::create_file(path_, fold);
        } else {
            h5::change_file(path_, fold);
        }
        frames_ += pending_;
        pending_ = 0;
        journal_.clear();
    }
    return {path_.filename().string(), frames_, checksum_.value()};
}

H5mdAtoms h5md_atoms(const Topology& topology, std::span<const std::int64_t> ids) {
    H5mdAtoms out;
    topology.for_each_molecule([&](const MoleculeType& type, std::int64_t first, std::int64_t) {
        for (const Exclusion& b : drawn_bonds(type)) out.bonds.insert(out.bonds.end(), {first + b.i, first + b.j});
        for (int i = 0; i < type.size(); ++i) {
            const Atom& atom = type.atoms[static_cast<std::size_t>(i)];
            out.id.push_back((ids.empty() ? first + i : ids[static_cast<std::size_t>(first + i)]) + 1);
            out.species.push_back(atom.element);
            out.mass.push_back(atom.mass);
            out.charge.push_back(atom.charge);
        }
    });
    return out;
}

}  // namespace mdsim
