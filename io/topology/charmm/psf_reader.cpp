// SPDX-License-Identifier: Apache-2.0
#include "io/topology/charmm/psf_reader.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"
#include "io/text/line_source.h"
#include "io/text/text_file.h"
#include "io/topology/split_molecules.h"
#include "io/trajectory/text/label_topology.h"
#include "system/preparation/elements.h"

namespace mdsim {

namespace {

std::vector<std::string> words_of(std::string_view line) {
    std::vector<std::string> words;
    for (std::size_t at = line.find_first_not_of(" \t"); at != std::string_view::npos;
         at = line.find_first_not_of(" \t", at)) {
        const std::size_t end = std::min(line.find_first_of(" \t", at), line.size());
        words.emplace_back(line.substr(at, end - at));
        at = end;
    }
    return words;
}

/// The line above a section: "     13 !NBOND: bonds".
struct Section {
    std::string name;  // "NBOND"
    std::int64_t count = 0;
    int line = 0;
};

class PsfReader {
  public:
    explicit PsfReader(const std::filesystem::path& file) : file_(file.string()), lines_(file, "MD232") {}

    PsfContents read() {
        std::string_view line;
        if (!lines_.next(line) || !line.starts_with("PSF")) refuse("the file does not begin with PSF", lines_.number());
        extended_ = line.find("EXT") != std::string_view::npos;
        while (next_section()) {
            out_.section_lines.try_emplace(section_.name, section_.line);
            if (section_.name == "NATOM") read_atoms();
            if (section_.name == "NBOND") read_bonds();
            if (section_.name == "NTHETA") read_angles();
            if (section_.name == "NPHI") read_fours(whole_.proper_dihedrals);
            if (section_.name == "NIMPHI") read_fours(whole_.harmonic_impropers);
            if (section_.name == "NCRTERM") read_cross_terms();
            if (section_.name == "NNB") read_exclusions();
            if (section_.name == "NUMLP") out_.lone_pairs = section_.count;
        }
        if (whole_.atoms.empty()) refuse("the file holds no atoms (no section !NATOM)", 0);
        out_.type_names.resize(types_.size());
        for (const auto& [name, type] : types_) out_.type_names[static_cast<std::size_t>(type)] = name;
        return std::move(out_);
    }

  private:
    [[noreturn]] void refuse(std::string what, int line, std::string why = {}) const {
        throw_input_error({.code = "MD232",
                           .place = {file_, line, 0},
                           .what = std::move(what),
                           .why = std::move(why),
                           .remedy = "use a whole copy of the file, or make it again"});
    }

    // Goes on to the next line with an exclamation mark.
    bool next_section() {
        std::string_view line;
        while (lines_.next(line)) {
            const std::size_t mark = line.find('!');
            if (mark == std::string_view::npos) {
                if (section_.name == "NTITLE" && out_.title.empty()) out_.title = std::string(without_blanks(line));
                continue;
            }
            const std::string_view name = line.substr(mark + 1);
            section_ = {std::string(name.substr(0, name.find_first_of(": \t"))), 0, lines_.number()};
            int count = 0;
            const std::vector<std::string> words = words_of(line.substr(0, mark));
            if (words.empty() || parse_number(words[0], count) != std::string_view::npos || count < 0)
                refuse(fmt::format("!{} has no count before it", section_.name), lines_.number());
            section_.count = count;
            return true;
        }
        return false;
    }

    void read_atoms() {
        std::string_view line;
        for (std::int64_t n = 0; n < section_.count; ++n) {
            if (!lines_.next(line)) {
                refuse(fmt::format("the file ends inside !NATOM: {} of {} atoms found", n, section_.count),
                       lines_.number());
            }
            add_atom(line, n);
        }
    }

    // Number, segment, residue number, residue, name, type, charge, mass.
    void add_atom(std::string_view line, std::int64_t n) {
        std::vector<std::string> words = words_of(line);
        const std::size_t segment = extended_ ? 11 : 9, width = extended_ ? 8 : 4;
        const bool blank = line.size() > segment + width && without_blanks(line.substr(segment, width)).empty();
        if (blank && !words.empty()) words.insert(words.begin() + 1, "");
        if (words.size() < 8) {
            refuse(fmt::format("this is no line of an atom ({} of {} atoms found)", n, section_.count), lines_.number(),
                   "number, segment, residue number, residue, name, type, charge and mass are due");
        }
        Atom atom;
        if (parse_number(words[6], atom.charge) != std::string_view::npos ||
            parse_number(words[7], atom.mass) != std::string_view::npos)
            refuse(fmt::format("\"{}\" or \"{}\" is no charge or mass", words[6], words[7]), lines_.number());
        atom.name = words[4];
        atom.type = types_.try_emplace(words[5], static_cast<int>(types_.size())).first->second;
        atom.element = element_from_mass(atom.mass);
        if (atom.element == 0 && atom.mass > 0.0) atom.element = element_from_name(words[4], words[3]);
        if (words[5] == "DRUD" && out_.drude_particles++ == 0) out_.first_drude_line = lines_.number();
        // An insertion code may follow the number.
        int number = 0;
        const std::size_t digits = words[2].find_first_not_of("-0123456789");
        if (parse_number(std::string_view(words[2]).substr(0, digits), number) != std::string_view::npos)
            refuse(fmt::format("\"{}\" is no residue number", words[2]), lines_.number());
        const std::string identity = fmt::format("{} {} {}", words[1], words[2], words[3]);
        const char insertion = digits == std::string::npos ? ' ' : words[2][digits];
        if (identity != residue_) whole_.residues.push_back({words[3], number, words[1], insertion});
        residue_ = identity;
        atom.residue = static_cast<int>(whole_.residues.size()) - 1;
        whole_.atoms.push_back(std::move(atom));
    }

    // `wanted` integers between two others, of a section with `size` to a term.
    std::vector<int> integers(std::int64_t wanted, int least, int most, std::int64_t size) {
        std::vector<int> numbers;
        std::string_view line;
        while (static_cast<std::int64_t>(numbers.size()) < wanted) {
            if (!lines_.next(line)) refuse_count(size, numbers.size(), "the file ends inside ");
            if (line.find('!') != std::string_view::npos) refuse_count(size, numbers.size(), "");
            for (const std::string& word : words_of(line)) {
                int number = 0;
                if (parse_number(word, number) != std::string_view::npos || number < least || number > most)
                    refuse(fmt::format("!{}: \"{}\" is no number of an atom", section_.name, word), lines_.number());
                numbers.push_back(number);
            }
        }
        if (static_cast<std::int64_t>(numbers.size()) > wanted) refuse_count(size, numbers.size(), "");
        return numbers;
    }

    // Atom numbers, from 0, of a section with `size` to a term.
    std::vector<int> numbers(std::int64_t size) {
        std::vector<int> numbers = integers(size * section_.count, 1, whole_.size(), size);
        for (int& number : numbers) --number;
        return numbers;
    }

    [[noreturn]] void refuse_count(std::int64_t size, std::size_t found, const char* where) const {
        refuse(fmt::format("{}!{}: {} announced, which are {} numbers, {} found", where, section_.name, section_.count,
                           size * section_.count, found),
               section_.line);
    }

    void read_bonds() {
        const std::vector<int> n = numbers(2);
        for (std::size_t at = 0; at < n.size(); at += 2)
            whole_.connections.push_back({std::min(n[at], n[at + 1]), std::max(n[at], n[at + 1])});
    }

    void read_angles() {
        const std::vector<int> n = numbers(3);
        for (std::size_t at = 0; at < n.size(); at += 3)
            whole_.angles.push_back({.i = n[at], .j = n[at + 1], .k = n[at + 2], .force_constant = 0, .theta0 = 0});
    }

    template <class Term>
    void read_fours(std::vector<Term>& terms) {
        const std::vector<int> n = numbers(4);
        for (std::size_t at = 0; at < n.size(); at += 4) {
            Term term{};
            term.i = n[at];
            term.j = n[at + 1];
            term.k = n[at + 2];
            term.l = n[at + 3];
            terms.push_back(term);
        }
    }

    void read_cross_terms() {
        const std::vector<int> n = numbers(8);
        for (std::size_t at = 0; at < n.size(); at += 8) {
            std::copy_n(n.begin() + static_cast<std::ptrdiff_t>(at), 8, out_.cross_terms.emplace_back().begin());
        }
    }

    // Exclusions of a user: a list of atoms, and for each atom of the system where its part of the list ends.
    void read_exclusions() {
        if (section_.count == 0) return;  // some programs leave out the second list then
        const std::vector<int> others = numbers(1);
        const std::vector<int> ends = integers(whole_.size(), 0, static_cast<int>(others.size()), 1);
        int begin = 0;
        for (int i = 0; i < whole_.size(); ++i) {
            const int end = ends[static_cast<std::size_t>(i)];
            if (end < begin) refuse("!NNB: the ends of the atoms' parts of the list do not rise", section_.line);
            for (; begin < end; ++begin) {
                const int other = others[static_cast<std::size_t>(begin)];
                if (other != i) whole_.exclusions.push_back({std::min(i, other), std::max(i, other)});
            }
        }
    }

    std::string file_;
    LineSource lines_;
    bool extended_ = false;
    Section section_;
    std::string residue_;
    std::map<std::string, int> types_;
    PsfContents out_;
    MoleculeType& whole_ = out_.whole;
};

}  // namespace

PsfContents read_psf_contents(const std::filesystem::path& file) {
    return PsfReader(file).read();
}

PsfFile read_psf(const std::filesystem::path& file) {
    PsfContents contents = read_psf_contents(file);
    PsfFile out;
    out.bonds = std::ssize(contents.whole.connections);
    out.angles = std::ssize(contents.whole.angles);
    out.dihedrals = std::ssize(contents.whole.proper_dihedrals);
    out.impropers = std::ssize(contents.whole.harmonic_impropers);
    out.cross_terms = std::ssize(contents.cross_terms);
    out.drude_particles = contents.drude_particles;
    out.lone_pairs = contents.lone_pairs;
    out.topology = split_where_residues_stay(std::move(contents.whole));
    out.topology.title = std::move(contents.title);
    out.topology.force_field.source = ForceFieldSource::charmm;
    out.topology.force_field.type_names = std::move(contents.type_names);
    return out;
}

}  // namespace mdsim
