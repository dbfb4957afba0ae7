// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/fixed_point.h"

namespace mdsim {

/// What messages are for; they are counted by it.
enum class Traffic : int {
    halo_positions,
    halo_forces,
    mesh_halo,       ///< charges to those that transform lines of the mesh, potentials back
    mesh_transpose,  ///< between the directions of the Fourier transform
    repartition,
    output,
    other,
    count
};
constexpr std::string_view name_of(Traffic traffic) {
    constexpr std::array<std::string_view, static_cast<std::size_t>(Traffic::count)> names{
        "halo_positions", "halo_forces", "mesh_halo", "mesh_transpose", "repartition", "output", "other"};
    return names[static_cast<std::size_t>(traffic)];
}

/// What one rank has sent since the start: messages from one rank to one other, their bytes, and reductions over all.
struct TrafficCounts {
    struct Count {
        std::int64_t messages = 0, bytes = 0;
    };
    std::array<Count, static_cast<std::size_t>(Traffic::count)> sent{};
    std::int64_t reductions = 0;

    Count& operator[](Traffic t) { return sent[static_cast<std::size_t>(t)]; }
    const Count& operator[](Traffic t) const { return sent[static_cast<std::size_t>(t)]; }
};

/// A transfer that was begun. Its buffer must stay until it is done. Movable; one that was never begun is done.
class Request {
  public:
    Request();
    ~Request();
    Request(Request&&) noexcept;
    Request& operator=(Request&&) noexcept;
    void wait();
    /// True once it is done.
    bool test();

  private:
    friend class Comm;
    struct State;
    std::unique_ptr<State> state_;
};

using Bytes = std::vector<std::byte>;

/// The bytes of an array of plain values, and back.
template <class T>
std::span<const std::byte> as_bytes_of(const std::vector<T>& values) {
    return std::as_bytes(std::span<const T>(values));
}
template <class T>
std::vector<T> values_of(std::span<const std::byte> bytes);

/// A group of ranks: processes that were started together and compute one system. Without MPI, or when this process
/// was started alone, a group of one, whose calls return at once. Only the thread that runs the loop may call it.
/// Calls without a partner named are made by all ranks of the group, in the same order. All sums are of integers, so
/// they do not depend on the ranks.
class Comm {
  public:
    /// This process alone.
    Comm();
    ~Comm();
    Comm(Comm&&) noexcept;
    Comm& operator=(Comm&&) noexcept;

    int rank() const { return rank_; }
    int size() const { return size_; }
    bool alone() const { return size_ == 1; }
    /// Rank 0 reads, writes and speaks for all.
    bool leads() const { return rank_ == 0; }
    /// The ranks that give the same colour (>= 0), in their order.
    Comm split(int color) const;

    Request begin_send(int to, int tag, std::span<const std::byte> data, Traffic traffic) const;
    /// The message must be exactly as long as the buffer.
    Request begin_receive(int from, int tag, std::span<std::byte> data) const;
    /// Waits for a message of any length.
    Bytes receive(int from, int tag) const;

    void sum(std::span<fixed::EnergySum> sums) const;
    void sum(std::span<fixed::EnergySum::Wide> sums) const;
    void sum(std::span<std::int64_t> sums) const;
    void max(std::span<double> values) const;
    void max(std::span<std::int64_t> values) const;
    /// Each value becomes the largest of all ranks once the request is done.
    Request begin_max(std::span<std::int64_t> values) const;

    /// What the leading rank has, to all.
    void broadcast(std::span<std::byte> data) const;
    void broadcast(Bytes& data) const;
    void broadcast(std::string& text) const;
    /// What each rank has, to the leading one: one entry a rank there, none elsewhere.
    std::vector<Bytes> gather(std::span<const std::byte> data) const;
    /// What each rank has, to all.
    std::vector<Bytes> gather_to_all(std::span<const std::byte> data) const;
    /// To each rank its entry of what the leading one has (extent there: size()).
    Bytes scatter(const std::vector<Bytes>& parts) const;
    /// To each rank its entry; from each rank one. Extent of both: size(). Empty ones are not sent.
    std::vector<Bytes> exchange(const std::vector<Bytes>& parts, Traffic traffic) const;
    void barrier() const;

    /// Ends all ranks of the launch at once with this exit code, without a word.
    [[noreturn]] void abort(int exit_code) const;
    /// Of this rank, in all groups; nothing is counted where it is alone.
    TrafficCounts traffic() const;

    struct Group;  ///< comm_group.h

  private:
    std::unique_ptr<Group> group_;  // null: alone
    int rank_ = 0, size_ = 1;

    friend class RankProgram;
    explicit Comm(std::unique_ptr<Group> group);
};

/// The ranks of a program from the start of main to its end: MPI is initialised where a launcher has started this
/// process, and finalised at the end.
class RankProgram {
  public:
    RankProgram(int& argc, char**& argv);
    ~RankProgram();
    RankProgram(const RankProgram&) = delete;
    RankProgram& operator=(const RankProgram&) = delete;

    /// All ranks that were started together.
    const Comm& world() const { return world_; }

  private:
    Comm world_;
};

/// Whether MPI says that it sends and receives memory of devices as it does that of the host.
enum class DeviceMemory { cuda, hip };
bool mpi_takes(DeviceMemory memory);

/// "Open MPI 4.1.4" or the like; empty where this build has no MPI.
std::string mpi_library();

template <class T>
std::vector<T> values_of(std::span<const std::byte> bytes) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<T> values(bytes.size() / sizeof(T));
    std::copy_n(bytes.data(), values.size() * sizeof(T), reinterpret_cast<std::byte*>(values.data()));
    return values;
}

}  // namespace mdsim
