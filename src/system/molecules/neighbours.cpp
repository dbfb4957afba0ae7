// SPDX-License-Identifier: Apache-2.0
#include "system/molecules/neighbours.h"

#include <algorithm>
#include <cstddef>

namespace mdsim {

namespace {

/// Who is bonded to whom, atom after atom.
class Graph {
  public:
    Graph(int atoms, const std::vector<Exclusion>& bonds) : begin_(static_cast<std::size_t>(atoms) + 1, 0) {
        for (const Exclusion& bond : bonds) ++begin_[index(bond.i) + 1], ++begin_[index(bond.j) + 1];
        for (std::size_t n = 1; n < begin_.size(); ++n) begin_[n] += begin_[n - 1];
        others_.resize(begin_.back());
        std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
        for (const Exclusion& bond : bonds) {
            others_[next[index(bond.i)]++] = bond.j;
            others_[next[index(bond.j)]++] = bond.i;
        }
    }

    template <class F>
    void for_each_other(int atom, F&& f) const {
        for (std::size_t n = begin_[index(atom)]; n < begin_[index(atom) + 1]; ++n) f(others_[n]);
    }

  private:
    static std::size_t index(int atom) { return static_cast<std::size_t>(atom); }
    std::vector<std::size_t> begin_;
    std::vector<int> others_;
};

}  // namespace

// Breadth first from every atom, three shells deep.
Neighbours find_neighbours(int atoms, const std::vector<Exclusion>& bonds) {
    const Graph graph(atoms, bonds);
    Neighbours out;
    std::vector<int> seen_from(static_cast<std::size_t>(atoms), -1);
    std::vector<int> shell, next;
    for (int i = 0; i < atoms; ++i) {
        shell.assign(1, i);
        seen_from[static_cast<std::size_t>(i)] = i;
        for (int distance = 1; distance <= 3; ++distance) {
            next.clear();
            for (const int from : shell) {
                graph.for_each_other(from, [&](int j) {
                    if (seen_from[static_cast<std::size_t>(j)] == i) return;
                    seen_from[static_cast<std::size_t>(j)] = i;
                    next.push_back(j);
                    if (j > i) (distance == 3 ? out.at_three : out.within_two).push_back({i, j});
                });
            }
            shell.swap(next);
        }
    }
    std::sort(out.within_two.begin(), out.within_two.end());
    std::sort(out.at_three.begin(), out.at_three.end());
    return out;
}

}  // namespace mdsim
