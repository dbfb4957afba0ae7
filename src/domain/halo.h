// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "domain/local/local_atoms.h"
#include "domain/regions/regions.h"
#include "parallel/comm.h"
#include "system/lattice.h"

namespace mdsim {

/// What a halo is chosen by, the same on all ranks.
struct HaloReach {
    double distance = 0.0;  ///< two atoms this near to each other must be local to the rank that computes them [nm]
    bool periodic = true;   ///< false: nothing is reached across the end of the cell
};

/// One message each way along one axis: home and halo atoms that the rank below needs, and what the rank above sends.
struct HaloPulse {
    int to = 0, from = 0;              ///< ranks below and above, in Halo::comm
    std::vector<std::uint32_t> send;   ///< local numbers
    std::size_t begin = 0, count = 0;  ///< local numbers of what is received
};

/// What an evaluation reads of the halo: everything, or what `Halo::choose_read` was told.
enum class HaloPart { all, read };

/// The copies that a rank has of atoms whose regions lie above its own: eighth shell (Bowers, Dror & Shaw, J. Chem.
/// Phys. 124 (2006) 184109). Along z, then y, then x each rank sends its lower neighbour what that needs, its own atoms
/// and those that it has got along earlier axes, in one message (a pulse); where regions are thinner than the reach,
/// more pulses hand on what came in the one before. Forces go back the same way in reverse order.
///
/// Positions travel between `begin` and `finish`. Whatever is computed in between reads home atoms only; `progress`
/// may be called in between to pass on what has arrived.
class Halo {
  public:
    /// The group of the ranks that have regions, in the order of the regions.
    explicit Halo(const Comm& comm) : comm_(comm) {}

    /// Chooses the atoms anew and fills in what belongs to the halo in `atoms` (whose home part is given) and their
    /// positions in x. Collective.
    void make(const Regions& regions, const Lattice& lattice, const HaloReach& reach, LocalAtoms& atoms,
              std::vector<Vec3d>& x);

    /// Which local atoms this rank reads in evaluations for which HaloPart::read is enough; extent: local atoms.
    /// Collective; after make.
    void choose_read(std::vector<unsigned char> read);

    /// x: of local atoms; those of that part of the halo are overwritten until finish returns.
    void begin(std::span<Vec3d> x, HaloPart part = HaloPart::all);
    /// Does not wait; true once all have come.
    bool progress();
    void finish();
    /// Adds to the forces on home atoms what other ranks have computed for them [2^-32 kJ/mol/nm]; extent: local atoms.
    /// Of the part of the halo that `begin` had. Those on halo atoms are of no use afterwards.
    void return_forces(std::span<Vec3l> forces);

    /// Messages that one step sends each way.
    int pulses() const { return static_cast<int>(pulses_.size()); }
    const HaloPulse& pulse(int number) const { return pulses_[static_cast<std::size_t>(number)]; }
    /// The ranks that have regions.
    const Comm& comm() const { return comm_; }
    /// How far home atoms of any rank lie outside of their regions, along each axis, upwards and downwards [nm].
    struct Overhang {
        Vec3d up{}, down{};
    };
    const Overhang& overhang() const { return overhang_; }

  private:
    struct Pulse : HaloPulse {
        std::vector<std::uint32_t> read_send, read_receive;  // of HaloPart::read; local numbers
        std::vector<Vec3d> out, in;                          // in: of HaloPart::read alone
        std::vector<Vec3l> forces_in, forces_out;            // likewise
    };
    struct Selector;
    const Comm& comm_;
    std::vector<Pulse> pulses_;
    std::size_t next_ = 0;  // pulse whose positions have not come yet
    std::span<Vec3d> x_;
    HaloPart part_ = HaloPart::all;
    Request sending_, receiving_;
    Overhang overhang_;

    void measure_overhang(const Regions& regions, const Lattice& lattice, const LocalAtoms& atoms);
    int pulses_along(std::size_t axis, const Regions& regions, const Lattice& lattice, const HaloReach& reach) const;
    void make_pulse(const Selector& selector, std::size_t first, std::size_t last, Pulse& pulse, LocalAtoms& atoms,
                    std::vector<Vec3d>& x);
    std::span<const std::uint32_t> sent(const Pulse& pulse) const;
    std::size_t received(const Pulse& pulse) const;
    void start_pulse();
    void end_pulse();
};

}  // namespace mdsim
