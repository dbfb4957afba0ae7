// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "gpu/kernels/device_formulas.h"
#include "gpu/kernels/mesh/wave_multiplication.h"

namespace mdsim::kernels::MDSIM_BACKEND {

using namespace mdsim::gpu;

namespace {

constexpr unsigned tiles = solve_threads / tile_lanes;
constexpr float negligible = 1e-24f;
constexpr Work work{"kernel multiply_waves", "the mesh"};

MDSIM_ON_DEVICE float size_of(float a) {
    return a < 0.0f ? -a : a;
}
MDSIM_ON_DEVICE bool counts(float gamma) {
    return size_of(gamma) > negligible;
}

/// A split (forces/mesh/split.h): gamma, and g of the virial, from k^2 and 1 / k^2. Another one is another class like
/// this.
struct GaussianWaves {
    const WaveSplit& split;

    MDSIM_ON_DEVICE float gamma(float k2) const { return exp_minus<DeviceOps>(split.gaussian * k2); }
    MDSIM_ON_DEVICE float strain(float, float inverse) const { return 2.0f * inverse + 2.0f * split.gaussian; }
};

struct ProlateWaves {
    const WaveSplit& split;

    MDSIM_ON_DEVICE float gamma(float k2) const { return k2 <= split.largest_k2 ? values(k2).gamma : 0.0f; }
    MDSIM_ON_DEVICE float strain(float k2, float inverse) const {
        const auto [gamma, slope] = values(k2);
        // k gamma' = 2 k^2 d gamma / d k^2. Where gamma is zero there is no energy.
        const float ratio = counts(gamma) ? 2.0f * (split.scale * k2) * slope / gamma : 0.0f;
        return (2.0f - ratio) * inverse;
    }

  private:
    struct Values {
        float gamma, slope;  // and its derivative by y
    };
    MDSIM_ON_DEVICE Values values(float k2) const {
        const float y = fused(split.scale, DeviceOps::min(k2, split.largest_k2), -1.0f);
        float slope = split.polynomial[WaveSplit::terms - 1];
        float value = fused(slope, y, split.polynomial[WaveSplit::terms - 2]);
        MDSIM_UNROLL
        for (int k = WaveSplit::terms - 3; k >= 0; --k) {
            slope = fused(slope, y, value);
            value = fused(value, y, split.polynomial[static_cast<std::size_t>(k)]);
        }
        return {value, slope};
    }
};

constexpr unsigned lines_of(const MultiplyWavesArgs& args) {
    return static_cast<unsigned>(args.count_y) * static_cast<unsigned>(args.count_z);
}

/// The highest mode of an even number of points stands for two, of either sign.
enum class Highest { positive, negative };

MDSIM_ON_DEVICE bool is_highest(int m, int n) {
    return 2 * m == n;
}
MDSIM_ON_DEVICE float signed_mode(int m, int n, Highest sign) {
    return static_cast<float>(2 * m < n || (is_highest(m, n) && sign == Highest::positive) ? m : m - n);
}

/// A line of constant (ky, kz): what k_y and k_z are without their share of mx, and what all its modes have in common.
struct WaveLine {
    float y[2], z[2];  // with highest modes of either sign
    bool highest;      // one of them is
    float weight;
    float energy_scale;  // halves, and stands for -k as well but where that is in the same plane of kz

    MDSIM_ON_DEVICE WaveLine(const MultiplyWavesArgs& args, unsigned index) {
        const auto rows = static_cast<unsigned>(args.count_y);
        const int ky = args.first_y + static_cast<int>(index % rows);
        const int kz = args.first_z + static_cast<int>(index / rows);
        const std::array<float, 6>& r = args.reciprocal;
        MDSIM_UNROLL
        for (int i = 0; i < 2; ++i) {
            const Highest sign = static_cast<Highest>(i);
            const float my = signed_mode(ky, args.ny, sign), mz = signed_mode(kz, args.nz, sign);
            y[i] = r[2] * my;
            z[i] = fused(r[4], my, r[5] * mz);
        }
        highest = is_highest(ky, args.ny) || is_highest(kz, args.nz);
        weight = args.scale * (args.unwindow_y[ky] * args.unwindow_z[kz]);
        energy_scale = kz == 0 || 2 * kz == args.nz ? 0.5f : 1.0f;
    }
};

struct Wave {
    float x, y, z;    // k [1/nm]
    float k2;         // [nm^-2]
    float inverse;    // 1 / k^2; zero where the influence is
    float influence;  // [kJ/mol/e^2]

    template <class Waves>
    MDSIM_ON_DEVICE Wave(const MultiplyWavesArgs& args, const Waves& waves, const WaveLine& line, int kx,
                         Highest sign) {
        const std::array<float, 6>& r = args.reciprocal;
        const float mx = signed_mode(kx, args.nx, sign);
        const bool positive = sign == Highest::positive;
        x = r[0] * mx;
        y = fused(r[1], mx, positive ? line.y[0] : line.y[1]);
        z = fused(r[3], mx, positive ? line.z[0] : line.z[1]);
        k2 = fused(x, x, fused(y, y, z * z));
        const float gamma = waves.gamma(k2);
        inverse = k2 > 0.0f && counts(gamma) ? 1.0f / k2 : 0.0f;
        influence = gamma * inverse * (line.weight * args.unwindow_x[kx]);
    }
};

/// Which wave vectors a number of the spectrum stands for. Highest modes have the sign of mx, so that -k is what the
/// number for -k stands for, and that a spectrum which is halved along x, as the CPU's is, means the same. Where mx is
/// zero or itself highest, both signs count by halves. The two are not equally long in a skew box.
struct Meaning {
    Highest sign;
    bool both;

    MDSIM_ON_DEVICE Meaning(const MultiplyWavesArgs& args, const WaveLine& line, int kx)
        : sign(2 * kx <= args.nx ? Highest::positive : Highest::negative),
          both(is_highest(kx, args.nx) || (kx == 0 && line.highest)) {}
};

/// Sums of a lane, in two words each.
struct LaneTotals {
    std::int64_t low[WaveTotals::count] = {}, high[WaveTotals::count] = {};

    MDSIM_ON_DEVICE void add(int i, float value) {
        const std::int64_t units = nearest_int64(value * 4294967296.0f);
        low[i] += units & 0xffffffff;
        high[i] += units >> 32;
    }
};

/// False where the wave vector is beyond the limit; then nothing is added.
template <class Waves>
MDSIM_ON_DEVICE bool add_energy(const Waves& waves, const Wave& k, float energy, LaneTotals& totals) {
    const float strain = energy * waves.strain(k.k2, k.inverse);
    const float sx = strain * k.x, sy = strain * k.y, sz = strain * k.z;
    // No addend below is larger.
    if (!(size_of(energy) + size_of(fused(sx, k.x, fused(sy, k.y, sz * k.z))) < wave_energy_limit)) return false;
    totals.add(WaveTotals::energy, energy);
    totals.add(WaveTotals::xx, fused(-sx, k.x, energy));
    totals.add(WaveTotals::yx, -(sx * k.y));
    totals.add(WaveTotals::yy, fused(-sy, k.y, energy));
    totals.add(WaveTotals::zx, -(sx * k.z));
    totals.add(WaveTotals::zy, -(sy * k.z));
    totals.add(WaveTotals::zz, fused(-sz, k.z, energy));
    return true;
}

// Sums over a tile, then over the tiles of the block.
MDSIM_ON_DEVICE void deliver(const LaneTotals& totals, WaveTotals& to) {
    MDSIM_SHARED(WaveTotals, of_tiles, [tiles]);
    MDSIM_UNROLL
    for (int i = 0; i < WaveTotals::count; ++i) {
        const std::int64_t low = tile_sum(totals.low[i]), high = tile_sum(totals.high[i]);
        if (tile_lane() != 0) continue;
        of_tiles[thread_index() / tile_lanes].low[i] = low;
        of_tiles[thread_index() / tile_lanes].high[i] = high;
    }
    block_barrier();
    const unsigned i = thread_index();
    if (i >= WaveTotals::count) return;
    std::int64_t low = 0, high = 0;
    for (unsigned t = 0; t < tiles; ++t) {
        low += of_tiles[t].low[i];
        high += of_tiles[t].high[i];
    }
    atomic_add(&to.low[i], low);
    atomic_add(&to.high[i], high);
}

}  // namespace

// A tile takes a line.
template <class Waves>
MDSIM_KERNEL MDSIM_LAUNCH_BOUNDS(solve_threads) multiply_waves_kernel(MultiplyWavesArgs args) {
    const unsigned index = block_index() * tiles + thread_index() / tile_lanes;
    if (index >= lines_of(args)) return;
    const Waves waves{args.split};
    const WaveLine line(args, index);
    Complex* const spectrum = args.spectrum + std::size_t{index} * static_cast<unsigned>(args.nx);
    for (int kx = tile_lane(); kx < args.nx; kx += tile_lanes) {
        const Complex s = spectrum[kx];
        const Meaning meaning(args, line, kx);
        float influence = Wave(args, waves, line, kx, meaning.sign).influence;
        if (meaning.both) {
            influence = 0.5f * (influence + Wave(args, waves, line, kx, Highest::negative).influence);
        }
        spectrum[kx] = {s.re * influence, s.im * influence};
    }
}

// The same for several lines a tile, and sums. Few blocks, since each adds to the same few words.
template <class Waves>
MDSIM_KERNEL MDSIM_LAUNCH_BOUNDS(solve_threads) multiply_and_sum_kernel(MultiplyWavesArgs args) {
    const unsigned lines = lines_of(args);
    const Waves waves{args.split};
    LaneTotals totals;
    bool good = true;
    for (unsigned i = block_index() * tiles + thread_index() / tile_lanes; i < lines; i += grid_blocks() * tiles) {
        const WaveLine line(args, i);
        Complex* const spectrum = args.spectrum + std::size_t{i} * static_cast<unsigned>(args.nx);
        for (int kx = tile_lane(); kx < args.nx; kx += tile_lanes) {
            const Complex s = spectrum[kx];
            const Meaning meaning(args, line, kx);
            const float size = line.energy_scale * fused(s.re, s.re, s.im * s.im);
            float influence = 0.0f;
            for (int i = meaning.both ? 0 : 1; i < 2; ++i) {
                const Wave k(args, waves, line, kx, i == 0 ? Highest::negative : meaning.sign);
                const float share = meaning.both ? 0.5f * k.influence : k.influence;
                good &= add_energy(waves, k, size * share, totals);
                influence += share;
            }
            spectrum[kx] = {s.re * influence, s.im * influence};
        }
    }
    if (!good) atomic_max(&args.flags->out_of_range, 1u);
    deliver(totals, *args.totals);
}

template <class Waves>
void launch_for(Stream& stream, const MultiplyWavesArgs& args) {
    constexpr unsigned most_blocks = 512;
    const unsigned blocks = blocks_for(lines_of(args), tiles);
    if (args.everything) {
        launch(stream, work, multiply_and_sum_kernel<Waves>, {std::min(blocks, most_blocks), solve_threads, 0}, args);
    } else {
        launch(stream, work, multiply_waves_kernel<Waves>, {blocks, solve_threads, 0}, args);
    }
}

void multiply_waves(Stream& stream, const MultiplyWavesArgs& args) {
    args.split.largest_k2 > 0.0f ? launch_for<ProlateWaves>(stream, args) : launch_for<GaussianWaves>(stream, args);
}

}  // namespace mdsim::kernels::MDSIM_BACKEND
