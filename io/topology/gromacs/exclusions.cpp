// SPDX-License-Identifier: Apache-2.0
#include "io/topology/gromacs/exclusions.h"

#include <algorithm>

namespace mdsim::gromacs {

namespace {

std::vector<std::vector<int>> neighbours(int atoms, const std::vector<Exclusion>& bonds) {
    std::vector<std::vector<int>> of(static_cast<std::size_t>(atoms));
    for (const Exclusion& bond : bonds) {
        of[static_cast<std::size_t>(bond.i)].push_back(bond.j);
        of[static_cast<std::size_t>(bond.j)].push_back(bond.i);
    }
    return of;
}

}  // namespace

std::vector<Exclusion> bonded_neighbours(int atoms, const std::vector<Exclusion>& bonds, int distance) {
    const auto of = neighbours(atoms, bonds);
    std::vector<int> seen_from(static_cast<std::size_t>(atoms), -1);
    std::vector<Exclusion> out;
    std::vector<int> shell, next;
    for (int start = 0; start < atoms; ++start) {
        shell.assign(1, start);
        seen_from[static_cast<std::size_t>(start)] = start;
        for (int step = 0; step < distance && !shell.empty(); ++step) {
            next.clear();
            for (const int atom : shell) {
                for (const int other : of[static_cast<std::size_t>(atom)]) {
                    int& seen = seen_from[static_cast<std::size_t>(other)];
                    if (seen == start) continue;
                    seen = start;
                    next.push_back(other);
                    if (other > start) out.push_back({start, other});
                }
            }
            shell.swap(next);
        }
    }
    std::sort(out.begin(), out.end());
    return out;
}

}  // namespace mdsim::gromacs
