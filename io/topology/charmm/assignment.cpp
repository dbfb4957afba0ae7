// SPDX-License-Identifier: Apache-2.0
#include "io/topology/charmm/assignment.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "core/units.h"
#include "io/topology/charmm/statements.h"
#include "system/molecules/neighbours.h"

namespace mdsim::charmm {

namespace {

constexpr std::size_t most_problems = 20;  // that one message lists
constexpr double same_mass = 0.1;          // [u], between a PSF and the line MASS of its type

// depth ((distance/r)^12 - 2 (distance/r)^6).
LjParameters lj_of(double depth, double distance) {
    const double power6 = distance * distance * distance * distance * distance * distance;
    return {2.0 * depth * power6, depth * power6 * power6};
}

enum class Apart { far, three_bonds };

LjParameters mixed(const Parameters& parameters, const std::string& a, const std::string& b, Apart apart) {
    const bool near = apart == Apart::three_bonds;
    const auto fixed = parameters.lj_pairs.find(canonical(Types<2>{a, b}));
    if (fixed != parameters.lj_pairs.end()) {
        const LjPair& pair = fixed->second.value;
        return near ? lj_of(pair.depth14, pair.distance14) : lj_of(pair.depth, pair.distance);
    }
    const LjType& x = parameters.lj.at(a).value;
    const LjType& y = parameters.lj.at(b).value;
    const double half_x = near ? x.half_distance14 : x.half_distance;
    const double half_y = near ? y.half_distance14 : y.half_distance;
    const double distance = parameters.geometric_radii ? 2.0 * std::sqrt(half_x * half_y) : half_x + half_y;
    return lj_of(near ? std::sqrt(x.depth14 * y.depth14) : std::sqrt(x.depth * y.depth), distance);
}

/// Gives parameters to one system.
class Assignment {
  public:
    Assignment(PsfContents&& psf, const std::vector<std::string>& types, const Parameters& parameters,
               const std::filesystem::path& file)
        : psf_(std::move(psf)), whole_(psf_.whole), types_(types), parameters_(parameters), file_(file.string()) {}

    Assigned make() {
        make_bonds();
        make_angles();
        make_dihedrals();
        make_impropers();
        make_maps();
        check_lj();
        report();
        make_pairs();
        whole_.connections.clear();  // each is a bond now
        return {std::move(whole_), std::move(grids_)};
    }

  private:
    const Atom& atom(int i) const { return whole_.atoms[static_cast<std::size_t>(i)]; }
    const std::string& type(int i) const { return types_[static_cast<std::size_t>(atom(i).type)]; }

    template <std::size_t n>
    std::array<std::string, n> types_of(const std::array<int, n>& atoms) const {
        std::array<std::string, n> names;
        for (std::size_t a = 0; a < n; ++a) names[a] = type(atoms[a]);
        return names;
    }

    // One problem for each combination of types.
    template <std::size_t n>
    void missing(const char* kind, const char* section, const std::array<int, n>& atoms) {
        std::string names, first;
        for (const int i : atoms) names += " " + type(i);
        if (!reported_.insert(kind + names).second) return;
        for (const int i : atoms) first += fmt::format("{}{} {}", first.empty() ? "" : ", ", atom(i).name, i + 1);
        const Residue& residue = whole_.residues[static_cast<std::size_t>(atom(atoms[0]).residue)];
        const auto line = psf_.section_lines.find(section);
        problems_.push_back(
            {.code = "MD234",
             .place = {file_, line == psf_.section_lines.end() ? 0 : line->second, 0},
             .what = fmt::format("no parameters for the {}{}", kind, names),
             .why = fmt::format("first needed for the atoms {} of {} {}", first, residue.name, residue.number),
             .remedy = "add the file that has them to system.parameters"});
    }

    void report() {
        if (problems_.empty()) return;
        const std::size_t all = problems_.size();
        if (all > most_problems) {
            problems_.resize(most_problems);
            problems_.push_back(
                {.code = "MD234",
                 .place = {file_},
                 .what = fmt::format("and {} more combinations of types without parameters", all - most_problems),
                 .remedy = "check that system.parameters names all files of the force field"});
        }
        throw Error(ExitCode::input_error, std::move(problems_));
    }

    void make_bonds() {
        for (const Exclusion& bond : whole_.connections) {
            const std::array<int, 2> atoms{bond.i, bond.j};
            const BondParameters* found = find_bond(parameters_, types_of(atoms));
            if (found == nullptr) {
                missing("bond", "NBOND", atoms);
            } else {
                whole_.bonds.push_back({bond.i, bond.j, found->k, found->r0});
            }
        }
    }

    void make_angles() {
        for (Angle& angle : whole_.angles) {
            const std::array<int, 3> atoms{angle.i, angle.j, angle.k};
            const AngleParameters* found = find_angle(parameters_, types_of(atoms));
            if (found == nullptr) {
                missing("angle", "NTHETA", atoms);
                continue;
            }
            angle.force_constant = found->k;
            angle.theta0 = found->theta0;
            if (found->urey_bradley_k != 0.0)
                whole_.urey_bradleys.push_back({angle.i, angle.k, found->urey_bradley_k, found->urey_bradley_r0});
        }
    }

    // Terms of no strength are left out. With a periodicity of 0 a torsion is harmonic.
    void add_torsion(const std::array<int, 4>& a, const TorsionParameters& term, std::vector<PeriodicDihedral>& list) {
        if (term.k == 0.0) return;
        if (term.n == 0) {
            harmonic_.push_back({a[0], a[1], a[2], a[3], term.k, term.phase});
        } else {
            list.push_back({a[0], a[1], a[2], a[3], term.n, term.k, term.phase});
        }
    }

    void make_dihedrals() {
        std::vector<PeriodicDihedral> bare;
        bare.swap(whole_.proper_dihedrals);
        for (const PeriodicDihedral& d : bare) {
            const std::array<int, 4> atoms{d.i, d.j, d.k, d.l};
            const auto* found = find_dihedral(parameters_, types_of(atoms));
            if (found == nullptr) {
                missing("dihedral", "NPHI", atoms);
                continue;
            }
            for (const TorsionParameters& term : *found) add_torsion(atoms, term, whole_.proper_dihedrals);
        }
    }

    void make_impropers() {
        for (const HarmonicImproper& improper : whole_.harmonic_impropers) {
            const std::array<int, 4> atoms{improper.i, improper.j, improper.k, improper.l};
            const TorsionParameters* found = find_improper(parameters_, types_of(atoms));
            if (found == nullptr) {
                missing("improper", "NIMPHI", atoms);
            } else {
                add_torsion(atoms, *found, whole_.improper_dihedrals);
            }
        }
        whole_.harmonic_impropers.swap(harmonic_);
    }

    void make_maps() {
        std::map<const CmapGrid*, int> numbers;
        for (const std::array<int, 8>& atoms : psf_.cross_terms) {
            const CmapGrid* found = find_cmap(parameters_, types_of(atoms));
            if (found == nullptr) {
                missing("cross-term (CMAP)", "NCRTERM", atoms);
                continue;
            }
            const auto [number, fresh] = numbers.try_emplace(found, static_cast<int>(grids_.size()));
            if (fresh) grids_.push_back(*found);
            whole_.cmaps.push_back({atoms, number->second});
        }
    }

    void check_lj() {
        std::vector<unsigned char> checked(types_.size(), 0);
        for (int i = 0; i < whole_.size(); ++i) {
            unsigned char& done = checked[static_cast<std::size_t>(atom(i).type)];
            if (done != 0) continue;
            done = 1;
            if (!parameters_.lj.contains(type(i))) missing("Lennard-Jones type", "NATOM", std::array{i});
        }
    }

    void make_pairs() {
        const Neighbours near = find_neighbours(whole_.size(), whole_.connections);
        for (const Exclusion& pair : near.at_three) {
            if (std::binary_search(whole_.exclusions.begin(), whole_.exclusions.end(), pair)) continue;  // by !NNB
            whole_.pairs14.push_back({pair.i, pair.j,
                                      mixed(parameters_, type(pair.i), type(pair.j), Apart::three_bonds),
                                      parameters_.coulomb14 * atom(pair.i).charge * atom(pair.j).charge});
        }
        auto& all = whole_.exclusions;
        all.insert(all.end(), near.within_two.begin(), near.within_two.end());
        all.insert(all.end(), near.at_three.begin(), near.at_three.end());
        std::sort(all.begin(), all.end());
        all.erase(std::unique(all.begin(), all.end()), all.end());
    }

    PsfContents psf_;
    MoleculeType& whole_;
    const std::vector<std::string>& types_;
    const Parameters& parameters_;
    std::string file_;
    std::vector<HarmonicImproper> harmonic_;
    std::vector<CmapGrid> grids_;
    std::set<std::string> reported_;
    std::vector<Problem> problems_;
};

// Of a type that the PSF gives as a number: the names with this number whose mass is that of the PSF.
std::vector<std::string> candidates(const Parameters& parameters, const std::string& number, double mass) {
    std::vector<std::string> names;
    for (const auto& [name, type] : parameters.types) {
        if (std::to_string(type.number) == number && std::abs(type.mass - mass) < same_mass) names.push_back(name);
    }
    return names;
}

}  // namespace

std::vector<std::string> name_types(const PsfContents& psf, const Parameters& parameters,
                                    const std::filesystem::path& psf_file) {
    std::vector<double> masses(psf.type_names.size(), 0.0);
    for (const Atom& atom : psf.whole.atoms) masses[static_cast<std::size_t>(atom.type)] = atom.mass;
    std::vector<std::string> names;
    Problems problems;
    for (std::size_t t = 0; t < masses.size(); ++t) {
        names.push_back(upper(psf.type_names[t]));
        const bool number = names.back().find_first_not_of("0123456789") == std::string::npos;
        if (!number || parameters.lj.contains(names.back())) continue;
        const std::vector<std::string> found = candidates(parameters, names.back(), masses[t]);
        if (found.size() == 1) {
            names.back() = found[0];
            continue;
        }
        problems.add({.code = "MD234",
                      .place = {psf_file.string(), psf.section_lines.at("NATOM"), 0},
                      .what = fmt::format(
                          "the atom type number {} (mass {} u) {}", names.back(), masses[t],
                          found.empty() ? "is on no line MASS" : "is that of " + found[0] + " and of " + found[1]),
                      .why = "this PSF has numbers in place of names of types, which lines MASS of an .rtf explain",
                      .remedy = "add the .rtf that the PSF was made with to system.parameters, or write the PSF in "
                                "X-PLOR format"});
    }
    problems.throw_if_any();
    return names;
}

ForceField make_force_field(const std::vector<std::string>& types, const Parameters& parameters) {
    ForceField field;
    field.source = ForceFieldSource::charmm;
    field.coulomb_constant = units::coulomb_charmm;
    field.type_names = types;
    for (const std::string& a : types) {
        for (const std::string& b : types) field.lj.push_back(mixed(parameters, a, b, Apart::far));
    }
    return field;
}

Assigned assign(PsfContents&& psf, const std::vector<std::string>& types, const Parameters& parameters,
                const std::filesystem::path& psf_file) {
    return Assignment(std::move(psf), types, parameters, psf_file).make();
}

}  // namespace mdsim::charmm
