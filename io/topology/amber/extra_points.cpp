// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "io/topology/amber/terms.h"

namespace mdsim::amber {

namespace {

// Between the bisector of the hydrogens, backwards, and a lone pair of five-site water: half of the 109.47 degrees of
// TIP5P (Mahoney & Jorgensen, J. Chem. Phys. 112 (2000) 8910), which AMBER's programs have built in.
constexpr double half_of_lone_pairs = 54.735 * units::pi / 180.0;

/// What an atom with extra points is bonded to.
struct Neighbours {
    std::vector<int> atoms;
    std::vector<double> lengths;  ///< of the bonds to these [nm]
    struct Point {
        int atom;
        double distance;  ///< [nm]
    };
    std::vector<Point> points;
};

class ExtraPoints {
  public:
    ExtraPoints(const PrmtopFile& file, MoleculeType& whole) : file_(file), whole_(whole) {}

    void read() {
        std::vector<Neighbours> of(whole_.atoms.size());
        for (const Bond& bond : whole_.bonds) {
            for (const auto& [a, b] : {std::pair{bond.i, bond.j}, std::pair{bond.j, bond.i}}) {
                Neighbours& here = of[static_cast<std::size_t>(a)];
                if (is_point(b)) {
                    here.points.push_back({b, bond.r0});
                } else if (!hydrogens(a, b)) {
                    here.atoms.push_back(b);
                    here.lengths.push_back(bond.r0);
                }
            }
        }
        for (int i = 0; i < whole_.size(); ++i) {
            const Neighbours& here = of[static_cast<std::size_t>(i)];
            if (is_point(i) && (here.atoms.size() != 1 || !here.points.empty())) refuse(i);
            if (!is_point(i) && !here.points.empty()) place(i, here);
        }
        leave_out_points();
    }

  private:
    const PrmtopFile& file_;
    MoleculeType& whole_;

    const Atom& atom(int i) const { return whole_.atoms[static_cast<std::size_t>(i)]; }
    bool is_point(int i) const { return atom(i).mass == 0.0; }
    bool hydrogens(int i, int j) const { return atom(i).element == 1 && atom(j).element == 1; }

    [[noreturn]] void refuse(int point) const {
        throw_input_error({.code = "MD202",
                           .place = file_.place("MASS", point),
                           .what = fmt::format("atom {} ({}) is an extra point that mdsim does not compute", point + 1,
                                               atom(point).name),
                           .why = "of the extra points it knows those of water with four or five sites: one or two "
                                  "bonded to an oxygen that has two hydrogens",
                           .remedy = "prepare the system with a force field that does without it"});
    }

    // [nm], between the hydrogens of a water whose bonds are `oh` long; nothing where the file does not say.
    std::optional<double> hydrogen_distance(int a, int b, double oh) const {
        for (const Bond& bond : whole_.bonds) {
            if (std::minmax(bond.i, bond.j) == std::minmax(a, b)) return bond.r0;
        }
        for (const Angle& angle : whole_.angles) {
            if (std::minmax(angle.i, angle.k) == std::minmax(a, b)) return 2.0 * oh * std::sin(0.5 * angle.theta0);
        }
        return std::nullopt;
    }

    // Weights that put the points where they belong in a water of the lengths that the file gives. Such waters are
    // rigid.
    void place(int oxygen, const Neighbours& here) {
        const auto hydrogen = [&](int i) { return atom(i).element == 1; };
        const bool water = atom(oxygen).element == 8 && here.atoms.size() == 2 && here.points.size() <= 2 &&
                           std::all_of(here.atoms.begin(), here.atoms.end(), hydrogen);
        const int point = here.points.front().atom;
        if (!water || here.lengths[0] != here.lengths[1]) refuse(point);
        const double oh = here.lengths[0];
        const auto hh = hydrogen_distance(here.atoms[0], here.atoms[1], oh);
        if (!hh || !(*hh > 0.0 && *hh < 2.0 * oh)) refuse(point);
        const double height = std::sqrt(oh * oh - 0.25 * *hh * *hh);  // of the oxygen above the hydrogens
        const std::vector<int> parents{oxygen, here.atoms[0], here.atoms[1]};
        if (here.points.size() == 1) {
            const double a = 0.5 * here.points.front().distance / height;
            whole_.virtual_sites.push_back({point, SiteKind::weighted, parents, {1.0 - 2.0 * a, a, a}});
            return;
        }
        double side = 1.0;
        for (const auto& [lone_pair, distance] : here.points) {
            const double a = -0.5 * distance * std::cos(half_of_lone_pairs) / height;
            const double c = side * distance * std::sin(half_of_lone_pairs) / (*hh * height);
            whole_.virtual_sites.push_back({lone_pair, SiteKind::out_of_plane, parents, {a, a, c}});
            side = -side;
        }
    }

    // Their bonds and angles are in the file for the frames' sake.
    void leave_out_points() {
        std::erase_if(whole_.bonds, [&](const Bond& b) { return is_point(b.i) || is_point(b.j); });
        std::erase_if(whole_.angles, [&](const Angle& a) { return is_point(a.i) || is_point(a.j) || is_point(a.k); });
    }
};

}  // namespace

void read_extra_points(const PrmtopFile& file, MoleculeType& whole) {
    const bool any =
        std::any_of(whole.atoms.begin(), whole.atoms.end(), [](const Atom& atom) { return atom.mass == 0.0; });
    if (any) ExtraPoints(file, whole).read();
}

}  // namespace mdsim::amber
