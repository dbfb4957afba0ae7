// SPDX-License-Identifier: Apache-2.0
#include "io/topology/charmm/parameters.h"

namespace mdsim::charmm {

namespace {

constexpr const char* any = "X";

/// Which of four types a pattern names; the others are X.
struct Pattern {
    bool named[4];
};
// In CHARMM's order of preference (parmfile.info).
constexpr Pattern improper_patterns[] = {{{true, true, true, true}},
                                         {{true, false, false, true}},
                                         {{false, true, true, true}},
                                         {{false, true, true, false}},
                                         {{false, false, true, true}}};

Types<4> masked(const Types<4>& types, const Pattern& pattern) {
    Types<4> key;
    for (std::size_t n = 0; n < 4; ++n) key[n] = pattern.named[n] ? types[n] : any;
    return key;
}

bool follows(const Types<4>& types, const Pattern& pattern) {
    for (std::size_t n = 0; n < 4; ++n) {
        if ((types[n] != any) != pattern.named[n]) return false;
    }
    return true;
}

bool symmetric(const Pattern& pattern) {
    return pattern.named[0] == pattern.named[3] && pattern.named[1] == pattern.named[2];
}

Types<4> reversed(const Types<4>& types) {
    return {types[3], types[2], types[1], types[0]};
}

template <class Map, class Key>
auto find_in(const Map& map, const Key& key) -> decltype(&map.begin()->second.value) {
    const auto found = map.find(key);
    return found == map.end() ? nullptr : &found->second.value;
}

}  // namespace

std::optional<Types<4>> canonical_improper(const Types<4>& types) {
    for (const Pattern& pattern : improper_patterns) {
        if (symmetric(pattern) && follows(types, pattern)) return canonical(types);
        if (follows(types, pattern)) return types;
        if (follows(reversed(types), pattern)) return reversed(types);
    }
    return std::nullopt;
}

const BondParameters* find_bond(const Parameters& parameters, const Types<2>& types) {
    return find_in(parameters.bonds, canonical(types));
}

const AngleParameters* find_angle(const Parameters& parameters, const Types<3>& types) {
    return find_in(parameters.angles, canonical(types));
}

const std::vector<TorsionParameters>* find_dihedral(const Parameters& parameters, const Types<4>& types) {
    if (const auto* exact = find_in(parameters.dihedrals, canonical(types))) return exact;
    return find_in(parameters.dihedrals, canonical(Types<4>{any, types[1], types[2], any}));
}

const TorsionParameters* find_improper(const Parameters& parameters, const Types<4>& types) {
    for (const Pattern& pattern : improper_patterns) {
        for (const Types<4>& direction : {types, reversed(types)}) {
            const Types<4> key = masked(direction, pattern);
            const auto* found = find_in(parameters.impropers, symmetric(pattern) ? canonical(key) : key);
            if (found != nullptr) return found;
        }
    }
    return nullptr;
}

// Each of the two dihedrals may stand in either direction: its angle is the same.
const CmapGrid* find_cmap(const Parameters& parameters, const Types<8>& t) {
    const Types<4> first{t[0], t[1], t[2], t[3]}, second{t[4], t[5], t[6], t[7]};
    for (const Types<4>& a : {first, reversed(first)}) {
        for (const Types<4>& b : {second, reversed(second)}) {
            if (const auto* found = find_in(parameters.cmaps, Types<8>{a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3]}))
                return found;
        }
    }
    return nullptr;
}

}  // namespace mdsim::charmm
