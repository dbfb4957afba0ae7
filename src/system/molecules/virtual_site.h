// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

namespace mdsim {

/// How a virtual site follows from its parents x_0, x_1, ... (docs/theory/virtual_sites.md). d, c are lengths [nm].
enum class SiteKind {
    weighted,      ///< sum of w_k x_k over all parents; parameters w_0, w_1, ..., which sum to 1
    along,         ///< x_0 + d u, u the unit vector along sum of w_k (x_k - x_0); parameters d, w_1, w_2, ...
    angle,         ///< three parents: at distance d and an angle from x_1 - x_0, towards x_2; d cos, d sin of the angle
    out_of_plane,  ///< three parents: x_0 + a r_1 + b r_2 + c r_1 x r_2, r_k = x_k - x_0; a, b, c [1/nm]
    normal,        ///< four parents: x_0 + c m, m along (a r_2 - r_1) x (b r_3 - r_1); parameters c, a, b
};

/// A point without mass whose place is a function of the places of other atoms of its molecule, and whose force is
/// theirs. Atom numbers count from 0 within the molecule. Parents may be sites themselves, of entries that come before.
struct VirtualSite {
    int i;  ///< the site
    SiteKind kind;
    std::vector<int> parents;
    std::vector<double> parameters;  ///< as the kind says
    friend bool operator==(const VirtualSite&, const VirtualSite&) = default;
};

/// Puts sites behind those that they are made from. Returns the number of a site that is its own ancestor or that two
/// entries make, or -1.
int put_in_order(std::vector<VirtualSite>& sites);

}  // namespace mdsim
