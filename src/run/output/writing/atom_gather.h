// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/vec3.h"
#include "observe/kinetic_energy.h"
#include "parallel/comm.h"

namespace mdsim {

/// What of each atom is gathered beside its position.
enum class Fields : unsigned { positions = 0, velocities = 1, forces = 2 };
constexpr Fields operator|(Fields a, Fields b) {
    return static_cast<Fields>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
constexpr bool has(Fields set, Fields what) {
    return (static_cast<unsigned>(set) & static_cast<unsigned>(what)) != 0;
}

/// Home atoms of a rank, as the loop has them. What is not gathered may be empty.
struct HomeAtoms {
    std::span<const std::int64_t> ids;  ///< global numbers; not looked at on one rank, which has all atoms in order
    OnStep on_step;                     ///< the mean of its two velocities is gathered; one array given twice: it alone
    std::span<const Vec3l> forces;      ///< [2^-32 kJ/mol/nm]
    /// Gathered as they are, as many on all ranks: what checkpoints have beside positions (atom_fields).
    std::vector<std::span<const Vec3d>> more{};
};

/// All atoms by global number; empty spans stand for what was not gathered.
struct AllAtoms {
    std::span<const Vec3d> x;  ///< [nm]
    std::span<const Vec3d> v;  ///< [nm/ps]
    std::span<const Vec3l> f;  ///< [2^-32 kJ/mol/nm]
    std::vector<std::span<const Vec3d>> more{};
};

/// One set of fields of all atoms on its way to the leading rank.
///
/// `begin` copies what the loop has, with all threads, so that the loop may go on and change it; this copy is all that
/// holds the loop up. Each rank sends how many atoms it has, then the atoms; the leading rank can receive these only
/// after it knows how many there are, so it asks for them in `test` or `wait`, whichever comes first.
/// Memory on the leading rank: at most 152 bytes an atom (ids and fields as they come, fields in order).
class AtomGather {
  public:
    AtomGather() = default;
    AtomGather(const AtomGather&) = delete;  // messages that are under way know its address
    AtomGather& operator=(const AtomGather&) = delete;

    /// On all ranks, in the same order, with the same fields; the one before must be done. Two that are on their way at
    /// the same time have different numbers.
    void begin(const Comm& comm, int number, Fields fields, const HomeAtoms& home);
    /// True once this rank has nothing more to send or receive.
    bool test();
    void wait();
    /// On the leading rank when it is done, by any thread: all atoms, valid until the next call of begin or assemble.
    /// atoms: of all ranks. An internal error where an atom is missing or came twice.
    AllAtoms assemble(std::int64_t atoms);

  private:
    struct Part {
        std::int64_t count = 0;  // atoms that the other rank has
        Bytes atoms;
        Request counting, transfer;
        bool asked = false;  // for the atoms
    };
    const Comm* comm_ = nullptr;
    int number_ = 0;
    Fields fields_ = Fields::positions;
    std::size_t more_ = 0;  // number of further fields
    std::int64_t own_count_ = 0;
    Bytes own_;
    Request counting_, transfer_;  // of a rank that sends
    std::vector<Part> parts_;      // of the others, on the leading rank; extent: ranks, [0] unused
    std::vector<Vec3d> x_, v_;
    std::vector<Vec3l> f_;
    std::vector<std::vector<Vec3d>> more_in_order_;

    void pack(const HomeAtoms& home);
    void ask_for_atoms(std::size_t rank);
    std::int64_t put_in_order(const Bytes& part, std::size_t count, std::vector<bool>& there);
};

}  // namespace mdsim
