// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "forces/bonded/add_forces.h"
#include "forces/bonded/bonded_lists.h"

namespace mdsim::bonded {

PeriodicDihedrals group_by_atoms(std::span<const PeriodicDihedral> dihedrals) {
    PeriodicDihedrals out;
    out.series.reserve(dihedrals.size());
    for (const PeriodicDihedral& t : dihedrals) {
        const bool same = !out.groups.empty() && out.groups.back().i == t.i && out.groups.back().j == t.j &&
                          out.groups.back().k == t.k && out.groups.back().l == t.l;
        if (!same) out.groups.push_back({t.i, t.j, t.k, t.l, static_cast<int>(out.series.size()), 0});
        ++out.groups.back().count;
        // cos(-n phi - phase) = cos(n phi + phase)
        const double phase = t.multiplicity < 0 ? -t.phase : t.phase;
        out.series.push_back({std::abs(t.multiplicity), t.force_constant, std::cos(phase), std::sin(phase)});
    }
    return out;
}

void add_periodic(std::span<const DihedralGroup> groups, std::span<const DihedralSeries> series, Term term,
                  const Context& context) {
    for (const DihedralGroup& group : groups) {
        const Quadruple atoms{group.i, group.j, group.k, group.l};
        const physics::DihedralGeometry d = geometry(atoms, context);
        double slope = 0.0;
        for (int n = group.first; n < group.first + group.count; ++n) {
            const DihedralSeries& s = series[static_cast<std::size_t>(n)];
            const physics::TorsionResult result =
                physics::periodic_torsion(d, s.multiplicity, s.force_constant, s.cos_phase, s.sin_phase);
            slope += result.slope;
            context.add_energy(term, result.energy);
        }
        add_torsion(atoms, d, slope, context);
    }
}

void add_harmonic_impropers(std::span<const HarmonicImproper> terms, const Context& context) {
    for (const HarmonicImproper& t : terms) {
        const Quadruple atoms{t.i, t.j, t.k, t.l};
        const physics::DihedralGeometry d = geometry(atoms, context);
        const physics::TorsionResult result = physics::harmonic_torsion(d, t.force_constant, t.xi0);
        add_torsion(atoms, d, result.slope, context);
        context.add_energy(Term::improper_harmonic, result.energy);
    }
}

void add_ryckaert_bellemans(std::span<const RyckaertBellemans> terms, const Context& context) {
    for (const RyckaertBellemans& t : terms) {
        const Quadruple atoms{t.i, t.j, t.k, t.l};
        const physics::DihedralGeometry d = geometry(atoms, context);
        const physics::TorsionResult result = physics::ryckaert_bellemans_torsion(d, t.c);
        add_torsion(atoms, d, result.slope, context);
        context.add_energy(Term::ryckaert_bellemans, result.energy);
    }
}

// The two dihedrals are two addends, so that each conserves momentum by itself.
void add_cmaps(std::span<const Cmap> cmaps, std::span<const CmapSurface> surfaces, const Context& context) {
    for (const Cmap& t : cmaps) {
        const auto& n = t.atoms;
        const Quadruple first{n[0], n[1], n[2], n[3]}, second{n[4], n[5], n[6], n[7]};
        const physics::DihedralGeometry d = geometry(first, context), e = geometry(second, context);
        const physics::CmapResult result =
            surfaces[static_cast<std::size_t>(t.grid)].at(physics::dihedral_angle(d), physics::dihedral_angle(e));
        add_torsion(first, d, result.along_first, context);
        add_torsion(second, e, result.along_second, context);
        context.add_energy(Term::cmap, result.energy);
    }
}

}  // namespace mdsim::bonded
