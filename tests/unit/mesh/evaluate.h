// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <vector>

#include "forces/force_term.h"
#include "parallel/threads.h"

namespace mdsim::test {

/// One evaluation of a term, with energies.
struct Evaluated {
    ForceSink sink;

    Evaluated(HostTerm& term, const Box& box, const std::vector<Vec3d>& x, Need energies = Need::yes) {
        const Lattice lattice(box, x);
        std::vector<LatticePoint> points(x.size());
        lattice.points(x, points);
        sink.resize(x.size(), thread_count());
        sink.begin();
        term.compute({box, lattice, x, points, {0, energies, energies}}, sink);
        sink.finish();
    }
    double energy() const { return sink.energies()[Term::coulomb_recip].value(); }
    /// Root of the mean square deviation from f over the root mean square of f.
    double relative_error(const std::vector<Vec3d>& f) const {
        double difference = 0, size = 0;
        for (std::size_t i = 0; i < f.size(); ++i) {
            difference += norm2(sink.force(i) - f[i]);
            size += norm2(f[i]);
        }
        return std::sqrt(difference / size);
    }
};

}  // namespace mdsim::test
