// SPDX-License-Identifier: Apache-2.0
#include "forces/short_range/lj_combination.h"

#include <cmath>

namespace mdsim {

namespace {

std::vector<int> types_in_use(std::size_t count, std::span<const int> types) {
    std::vector<unsigned char> used(count, 0);
    for (const int t : types) used[static_cast<std::size_t>(t)] = 1;
    std::vector<int> list;
    for (std::size_t t = 0; t < count; ++t) {
        if (used[t]) list.push_back(static_cast<int>(t));
    }
    return list;
}

bool close(double value, double reference) {
    return std::abs(value - reference) <= 1e-6 * std::abs(reference);
}

bool try_lorentz_berthelot(const ForceField& ff, const std::vector<int>& used, LjCombination& c) {
    const auto n = static_cast<std::size_t>(ff.types());
    c.a.assign(n, 0.0);
    c.b.assign(n, 0.0);
    for (const int t : used) {
        const LjParameters& p = ff.pair(t, t);
        if (p.c6 == 0.0 && p.c12 == 0.0) continue;
        if (!(p.c6 > 0.0 && p.c12 > 0.0)) return false;
        c.a[static_cast<std::size_t>(t)] = 0.5 * std::pow(p.c12 / p.c6, 1.0 / 6.0);
        c.b[static_cast<std::size_t>(t)] = std::sqrt(24.0 * 0.25 * p.c6 * p.c6 / p.c12);
    }
    for (const int t : used) {
        for (const int u : used) {
            const auto i = static_cast<std::size_t>(t), j = static_cast<std::size_t>(u);
            const double s6 = std::pow(c.a[i] + c.a[j], 6.0);
            const double six_c6 = c.b[i] * c.b[j] * s6;
            if (!close(six_c6, 6.0 * ff.pair(t, u).c6)) return false;
            if (!close(2.0 * six_c6 * s6, 12.0 * ff.pair(t, u).c12)) return false;
        }
    }
    return true;
}

bool try_geometric(const ForceField& ff, const std::vector<int>& used, LjCombination& c) {
    const auto n = static_cast<std::size_t>(ff.types());
    c.a.assign(n, 0.0);
    c.b.assign(n, 0.0);
    for (const int t : used) {
        const LjParameters& p = ff.pair(t, t);
        if (!(p.c6 >= 0.0 && p.c12 >= 0.0)) return false;
        c.a[static_cast<std::size_t>(t)] = std::sqrt(6.0 * p.c6);
        c.b[static_cast<std::size_t>(t)] = std::sqrt(12.0 * p.c12);
    }
    for (const int t : used) {
        for (const int u : used) {
            const auto i = static_cast<std::size_t>(t), j = static_cast<std::size_t>(u);
            if (!close(c.a[i] * c.a[j], 6.0 * ff.pair(t, u).c6)) return false;
            if (!close(c.b[i] * c.b[j], 12.0 * ff.pair(t, u).c12)) return false;
        }
    }
    return true;
}

}  // namespace

LjCombination find_lj_combination(const ForceField& ff, std::span<const int> types) {
    LjCombination c;
    const std::vector<int> used = types_in_use(static_cast<std::size_t>(ff.types()), types);
    for (const LjParameters& p : ff.lj) {
        c.six_c6.push_back(6.0 * p.c6);
        c.twelve_c12.push_back(12.0 * p.c12);
    }
    c.has_lj.assign(static_cast<std::size_t>(ff.types()), 0);
    for (const int t : used) {
        for (const int u : used) {
            const LjParameters& p = ff.pair(t, u);
            if (p.c6 != 0.0 || p.c12 != 0.0) c.has_lj[static_cast<std::size_t>(t)] = 1;
        }
    }
    if (try_lorentz_berthelot(ff, used, c)) {
        c.source = LjSource::lorentz_berthelot;
    } else if (try_geometric(ff, used, c)) {
        c.source = LjSource::geometric;
    } else {
        c.a.clear();
        c.b.clear();
    }
    return c;
}

std::vector<unsigned char> atoms_with_lj(const LjCombination& lj, std::span<const int> types) {
    std::vector<unsigned char> flags;
    flags.reserve(types.size());
    for (const int t : types) flags.push_back(lj.has_lj[static_cast<std::size_t>(t)]);
    return flags;
}

}  // namespace mdsim
