// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <numeric>
#include <vector>

namespace mdsim {

/// What hangs together when pairs of n things are joined one by one: union-find with path halving. The root of a set is
/// its smallest number.
class Components {
  public:
    explicit Components(int n) : parent_(static_cast<std::size_t>(n)) { std::iota(parent_.begin(), parent_.end(), 0); }
    int root(int i) {
        while (at(i) != i) i = at(i) = at(at(i));
        return i;
    }
    void join(int a, int b) {
        a = root(a);
        b = root(b);
        if (a < b) at(b) = a;
        if (b < a) at(a) = b;
    }

  private:
    int& at(int i) { return parent_[static_cast<std::size_t>(i)]; }
    std::vector<int> parent_;
};

}  // namespace mdsim
