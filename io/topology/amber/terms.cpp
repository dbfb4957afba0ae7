// SPDX-License-Identifier: Apache-2.0
#include "io/topology/amber/terms.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

namespace mdsim::amber {

namespace {

// AMBER writes k (r - r0)^2 where mdsim has k/2 (r - r0)^2: constants are doubled.
constexpr double per_angstrom2 = 2.0 * units::kcal * 100.0;  // kcal/mol/A^2 to kJ/mol/nm^2
constexpr double per_radian2 = 2.0 * units::kcal;            // kcal/mol/rad^2 to kJ/mol/rad^2
constexpr double angstrom = 0.1;                             // [nm]

/// Constants of the kinds of a harmonic term, converted.
struct Harmonic {
    double k, x0;
};

std::vector<Harmonic> read_harmonic(const PrmtopFile& file, const std::string& k_section, const std::string& x0_section,
                                    std::int64_t count, Harmonic unit) {
    const std::vector<double> k = file.reals(k_section, count);
    const std::vector<double> x0 = file.reals(x0_section, count);
    std::vector<Harmonic> kinds(k.size());
    for (std::size_t n = 0; n < k.size(); ++n) kinds[n] = {k[n] * unit.k, x0[n] * unit.x0};
    return kinds;
}

/// Rows of `columns` integers: atoms, then the number of the kind (from 1).
class Rows {
  public:
    /// `stride`: atoms are stored as number from 0 times 3 (stride 3), or as number from 1 (stride 1).
    Rows(const PrmtopFile& file, std::string section, std::int64_t count, int columns, int stride)
        : file_(file),
          section_(std::move(section)),
          values_(file.integers(section_, count * columns)),
          columns_(static_cast<std::size_t>(columns)),
          stride_(stride) {}

    std::size_t size() const { return values_.size() / columns_; }
    int raw(std::size_t row, std::size_t column) const { return values_[row * columns_ + column]; }
    int atom(std::size_t row, std::size_t column, int atoms) const {
        const int value = std::abs(raw(row, column));
        const int index = stride_ == 3 ? value / 3 : value - 1;
        if (value % stride_ != 0 || index < 0 || index >= atoms) refuse(row, column, "names no atom");
        return index;
    }
    std::size_t kind(std::size_t row, std::size_t kinds) const {
        const int value = raw(row, columns_ - 1);
        if (value < 1 || static_cast<std::size_t>(value) > kinds) refuse(row, columns_ - 1, "names no parameters");
        return static_cast<std::size_t>(value) - 1;
    }

  private:
    [[noreturn]] void refuse(std::size_t row, std::size_t column, const char* why) const {
        file_.refuse(file_.place(section_, static_cast<std::int64_t>(row * columns_ + column)),
                     fmt::format("section %FLAG {}, entry {}: {} {}", section_, row + 1, raw(row, column), why));
    }

    const PrmtopFile& file_;
    std::string section_;
    std::vector<int> values_;
    std::size_t columns_;
    int stride_;
};

struct DihedralKinds {
    std::vector<double> k, periodicity, phase, scee, scnb;
};

DihedralKinds read_dihedral_kinds(const PrmtopFile& file, std::int64_t count) {
    DihedralKinds kinds{file.reals("DIHEDRAL_FORCE_CONSTANT", count),
                        file.reals("DIHEDRAL_PERIODICITY", count),
                        file.reals("DIHEDRAL_PHASE", count),
                        {},
                        {}};
    // The factors of AMBER's force fields since 1994, for files from before the sections existed.
    kinds.scee.assign(kinds.k.size(), 1.2);
    kinds.scnb.assign(kinds.k.size(), 2.0);
    if (file.has("SCEE_SCALE_FACTOR")) kinds.scee = file.reals("SCEE_SCALE_FACTOR", count);
    if (file.has("SCNB_SCALE_FACTOR")) kinds.scnb = file.reals("SCNB_SCALE_FACTOR", count);
    for (std::size_t n = 0; n < kinds.k.size(); ++n) {
        const double p = kinds.periodicity[n];
        if (std::abs(p - std::round(p)) > 1e-6 || std::abs(p) > 100.0) {
            file.refuse(file.place("DIHEDRAL_PERIODICITY", static_cast<std::int64_t>(n)),
                        fmt::format("the periodicity {} is no whole number", p));
        }
    }
    return kinds;
}

/// Adds the terms of one section of dihedrals to the whole system.
class DihedralReader {
  public:
    DihedralReader(const DihedralKinds& kinds, const std::vector<LjParameters>& lj14, int types, MoleculeType& whole)
        : kinds_(kinds), lj14_(lj14), types_(static_cast<std::size_t>(types)), whole_(whole) {}

    void add(const Rows& rows) {
        for (std::size_t row = 0; row < rows.size(); ++row) {
            const int n = whole_.size();
            const std::size_t kind = rows.kind(row, kinds_.k.size());
            const int i = rows.atom(row, 0, n), j = rows.atom(row, 1, n);
            const int k = rows.atom(row, 2, n), l = rows.atom(row, 3, n);
            const bool improper = rows.raw(row, 3) < 0;
            const bool has14 = !improper && rows.raw(row, 2) >= 0;
            if (kinds_.k[kind] != 0.0) {
                auto& list = improper ? whole_.improper_dihedrals : whole_.proper_dihedrals;
                list.push_back({i, j, k, l, static_cast<int>(std::lround(std::abs(kinds_.periodicity[kind]))),
                                kinds_.k[kind] * units::kcal, kinds_.phase[kind]});
            }
            if (has14) add_pair(i, l, kind);
        }
    }

  private:
    // A factor of 0 says that this term brings no such 1-4 interaction.
    void add_pair(int i, int l, std::size_t kind) {
        const double scee = kinds_.scee[kind], scnb = kinds_.scnb[kind];
        if (scee == 0.0 && scnb == 0.0) return;
        const Atom& a = whole_.atoms[static_cast<std::size_t>(i)];
        const Atom& b = whole_.atoms[static_cast<std::size_t>(l)];
        const LjParameters& lj = lj14_[static_cast<std::size_t>(a.type) * types_ + static_cast<std::size_t>(b.type)];
        Pair14 pair{std::min(i, l), std::max(i, l), {}, 0.0};
        if (scnb != 0.0) pair.lj = {lj.c6 / scnb, lj.c12 / scnb};
        if (scee != 0.0) pair.charge_product = a.charge * b.charge / scee;
        whole_.pairs14.push_back(pair);
    }

    const DihedralKinds& kinds_;
    const std::vector<LjParameters>& lj14_;
    std::size_t types_;
    MoleculeType& whole_;
};

void read_urey_bradleys(const PrmtopFile& file, MoleculeType& whole) {
    const std::vector<int> counts = file.integers("CHARMM_UREY_BRADLEY_COUNT", 2);
    const auto kinds = read_harmonic(file, "CHARMM_UREY_BRADLEY_FORCE_CONSTANT", "CHARMM_UREY_BRADLEY_EQUIL_VALUE",
                                     counts[1], {per_angstrom2, angstrom});
    const Rows rows(file, "CHARMM_UREY_BRADLEY", counts[0], 3, 1);
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const Harmonic& kind = kinds[rows.kind(row, kinds.size())];
        whole.urey_bradleys.push_back(
            {rows.atom(row, 0, whole.size()), rows.atom(row, 1, whole.size()), kind.k, kind.x0});
    }
}

void read_harmonic_impropers(const PrmtopFile& file, MoleculeType& whole) {
    const std::int64_t count = file.integers("CHARMM_NUM_IMPROPERS", 1)[0];
    const std::int64_t kind_count = file.integers("CHARMM_NUM_IMPR_TYPES", 1)[0];
    const auto kinds =
        read_harmonic(file, "CHARMM_IMPROPER_FORCE_CONSTANT", "CHARMM_IMPROPER_PHASE", kind_count, {per_radian2, 1.0});
    for (std::size_t n = 0; n < kinds.size(); ++n) {
        if (kinds[n].x0 == 0.0) continue;
        file.refuse(file.place("CHARMM_IMPROPER_PHASE", static_cast<std::int64_t>(n)),
                    "a harmonic improper whose angle of rest is not 0",
                    "programs disagree on whether the angle in this section is in degrees or in radians",
                    "use the CHARMM files of the system themselves");
    }
    const Rows rows(file, "CHARMM_IMPROPERS", count, 5, 1);
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const Harmonic& kind = kinds[rows.kind(row, kinds.size())];
        const int n = whole.size();
        whole.harmonic_impropers.push_back(
            {rows.atom(row, 0, n), rows.atom(row, 1, n), rows.atom(row, 2, n), rows.atom(row, 3, n), kind.k, kind.x0});
    }
}

}  // namespace

void read_bonds(const PrmtopFile& file, const Pointers& pointers, MoleculeType& whole) {
    const auto kinds =
        read_harmonic(file, "BOND_FORCE_CONSTANT", "BOND_EQUIL_VALUE", pointers.bond_types, {per_angstrom2, angstrom});
    for (const Rows& rows : {Rows(file, "BONDS_INC_HYDROGEN", pointers.bonds_h, 3, 3),
                             Rows(file, "BONDS_WITHOUT_HYDROGEN", pointers.bonds, 3, 3)}) {
        for (std::size_t row = 0; row < rows.size(); ++row) {
            const Harmonic& kind = kinds[rows.kind(row, kinds.size())];
            whole.bonds.push_back({rows.atom(row, 0, whole.size()), rows.atom(row, 1, whole.size()), kind.k, kind.x0});
        }
    }
}

void read_angles(const PrmtopFile& file, const Pointers& pointers, MoleculeType& whole) {
    const auto kinds =
        read_harmonic(file, "ANGLE_FORCE_CONSTANT", "ANGLE_EQUIL_VALUE", pointers.angle_types, {per_radian2, 1.0});
    for (const Rows& rows : {Rows(file, "ANGLES_INC_HYDROGEN", pointers.angles_h, 4, 3),
                             Rows(file, "ANGLES_WITHOUT_HYDROGEN", pointers.angles, 4, 3)}) {
        for (std::size_t row = 0; row < rows.size(); ++row) {
            const Harmonic& kind = kinds[rows.kind(row, kinds.size())];
            const int n = whole.size();
            whole.angles.push_back({rows.atom(row, 0, n), rows.atom(row, 1, n), rows.atom(row, 2, n), kind.k, kind.x0});
        }
    }
}

void read_dihedrals(const PrmtopFile& file, const Pointers& pointers, const std::vector<LjParameters>& lj14,
                    MoleculeType& whole) {
    const DihedralKinds kinds = read_dihedral_kinds(file, pointers.dihedral_types);
    DihedralReader reader(kinds, lj14, pointers.types, whole);
    reader.add(Rows(file, "DIHEDRALS_INC_HYDROGEN", pointers.dihedrals_h, 5, 3));
    reader.add(Rows(file, "DIHEDRALS_WITHOUT_HYDROGEN", pointers.dihedrals, 5, 3));
}

void read_charmm_terms(const PrmtopFile& file, MoleculeType& whole) {
    if (file.has("CHARMM_UREY_BRADLEY_COUNT")) read_urey_bradleys(file, whole);
    if (file.has("CHARMM_NUM_IMPROPERS")) read_harmonic_impropers(file, whole);
}

void read_exclusions(const PrmtopFile& file, const Pointers& pointers, MoleculeType& whole) {
    const std::vector<int> counts = file.integers("NUMBER_EXCLUDED_ATOMS", pointers.atoms);
    const std::vector<int> list = file.integers("EXCLUDED_ATOMS_LIST", pointers.exclusions);
    std::size_t at = 0;
    for (int i = 0; i < pointers.atoms; ++i) {
        const int count = counts[static_cast<std::size_t>(i)];
        if (count < 0 || static_cast<std::size_t>(count) > list.size() - at) {
            file.refuse(file.place("NUMBER_EXCLUDED_ATOMS", i),
                        fmt::format("{} excluded atoms of atom {}: EXCLUDED_ATOMS_LIST holds {} in all", count, i + 1,
                                    list.size()));
        }
        for (int n = 0; n < count; ++n, ++at) {
            const int other = list[at] - 1;  // a zero stands for "none"
            if (other < -1 || other >= pointers.atoms) {
                file.refuse(file.place("EXCLUDED_ATOMS_LIST", static_cast<std::int64_t>(at)),
                            fmt::format("{} names no atom", list[at]));
            }
            if (other >= 0 && other != i) whole.exclusions.push_back({std::min(i, other), std::max(i, other)});
        }
    }
    std::sort(whole.exclusions.begin(), whole.exclusions.end());
    whole.exclusions.erase(std::unique(whole.exclusions.begin(), whole.exclusions.end()), whole.exclusions.end());
}

}  // namespace mdsim::amber
