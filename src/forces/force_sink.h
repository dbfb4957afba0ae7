// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/fixed_point.h"
#include "core/vec3.h"
#include "system/energies.h"

namespace mdsim {

/// Where the terms of one evaluation put forces and energies. Forces are 64-bit integers in units of
/// 2^-32 kJ/mol/nm, so the order of additions does not matter. Each thread adds to its own slot; `finish` sums them in
/// the first one, visiting only blocks of atoms that another thread touched.
class ForceSink {
  public:
    /// The part of one thread. Not to be shared between threads.
    class Slot {
      public:
        /// Adds f [kJ/mol/nm] to an atom; each component is rounded once.
        void add(std::size_t atom, const Vec3d& f) { add_units(atom, rounded(f)); }
        /// Adds a force that is rounded already [2^-32 kJ/mol/nm].
        void add_units(std::size_t atom, const Vec3l& f) {
            touched_[atom >> block_shift] = 1;
            force_[atom] += f;
        }
        /// f on i and -f on j, the same bits.
        void add_pair(std::size_t i, std::size_t j, const Vec3d& f) {
            const Vec3l units = rounded(f);
            add_units(i, units);
            add_units(j, -units);
        }
        /// Says that this atom gets something soon. In large systems, where clusters and mesh planes meet atoms in no
        /// order, additions would wait for memory one by one.
        void expect(std::size_t atom) const {
            const Vec3l* f = force_.data() + atom;
            __builtin_prefetch(&f->x, 1);
            __builtin_prefetch(&f->z, 1);
        }
        EnergySums& energies() { return energies_; }

      private:
        // Beyond +-2^27 kJ/mol/nm (atoms on top of each other; also where it is not a number) a component is held
        // there, so that sixteen such addends still fit the sum, and noted.
        Vec3l rounded(const Vec3d& f) {
            constexpr double limit = 134217728.0;
            const auto hold = [&](double component) {
                if (!(component < limit && component > -limit)) energies_.note_clipped();
                const double below = component < limit ? component : limit;
                return fixed::force(below > -limit ? below : -limit);
            };
            return {hold(f.x), hold(f.y), hold(f.z)};
        }

        void clear();
        void clear_block(std::size_t block);

        friend class ForceSink;
        std::vector<Vec3l> force_;
        std::vector<unsigned char> touched_;
        EnergySums energies_;
    };

    /// Makes room for local atoms, the first of which are home atoms, and as many slots as there are threads.
    void resize(std::size_t home, std::size_t local, int threads);
    void resize(std::size_t atoms, int threads) { resize(atoms, atoms, threads); }
    Slot& slot(int thread) { return slots_[static_cast<std::size_t>(thread)]; }
    /// Zeroes all forces and energies.
    void begin();
    /// Sums all slots into total force and energies.
    void finish();

    /// After finish: the force on each home atom [2^-32 kJ/mol/nm]; extent: home atoms.
    std::span<const Vec3l> forces() const { return {slots_.front().force_.data(), home_}; }
    /// Those on halo atoms, which belong to other ranks, as well; extent: local atoms.
    std::span<Vec3l> local_forces() { return slots_.front().force_; }
    /// The force on one atom [kJ/mol/nm].
    Vec3d force(std::size_t atom) const {
        const Vec3l& f = slots_.front().force_[atom];
        constexpr double unit = 1.0 / fixed::force_scale;
        return {static_cast<double>(f.x) * unit, static_cast<double>(f.y) * unit, static_cast<double>(f.z) * unit};
    }
    const EnergySums& energies() const { return energies_; }
    EnergySums& energies() { return energies_; }
    std::size_t size() const { return home_; }

  private:
    static constexpr int block_shift = 6;
    std::vector<Slot> slots_{1};  // those but the first are zero between finish and begin
    std::size_t home_ = 0;
    EnergySums energies_;
};

}  // namespace mdsim
