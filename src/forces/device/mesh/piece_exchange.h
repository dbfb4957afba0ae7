// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "forces/device/device_message.h"
#include "gpu/kernels/mesh/ranks/row_copies.h"

namespace mdsim {

/// Rows of numbers that go from one array to others: which ones, and where they are there.
class RowTable {
  public:
    /// Long ones are cut, so that many threads share them.
    void add(std::size_t near, std::size_t far, std::size_t count);
    /// Behind `at` in the far array.
    void append(const RowTable& rows, std::size_t at);
    const std::vector<kernels::RowPair>& rows() const { return rows_; }
    std::size_t numbers() const { return numbers_; }

  private:
    std::vector<kernels::RowPair> rows_;
    std::size_t numbers_ = 0;
};

/// Which numbers of an array a rank shares with others. Near: the array that messages leave on their way forth; far:
/// the one that they come to.
struct SharedPieces {
    /// What goes to another rank or comes from it: rows of the array, and where they are in the message.
    struct Piece {
        int rank = 0;
        RowTable rows;
    };
    std::vector<Piece> near, far;  ///< of at least one number each
    RowTable own;                  ///< what stays here: rows of the near array and of the far one
};

/// Numbers of an array on a device that go to arrays of other ranks, and back on the same way: charges and potential of
/// mesh nodes, or the spectrum between two directions of a transform. Each way, in turn:
///
///   kernels with packing() and own(), begin; progress until it is true; the kernel with unpacking()
///
/// Nothing here waits for the device or for another rank.
class PieceExchange {
  public:
    using Way = kernels::RowWay;  // near_to_far: forth

    struct Kind {
        gpu::Work work;
        std::size_t bytes;  ///< of a number
        int tag;            ///< and the next one are those of its messages
        Traffic traffic;
    };
    /// comm must outlive it.
    PieceExchange(const gpu::Device& device, const Comm& comm, const Kind& kind, Transport transport);
    /// Waits until what was sent has gone, but not after an error.
    ~PieceExchange();
    PieceExchange(const PieceExchange&) = delete;
    PieceExchange& operator=(const PieceExchange&) = delete;

    /// From now on these. Not in a step; nothing of this object may be in a stream, nor a message on its way to it.
    void plan(const SharedPieces& pieces, gpu::Stream& stream);

    /// From the array where this way begins to what is sent, with T as long as a number.
    template <class T>
    kernels::CopyRowsArgs<T> packing(Way way, const T* from, unsigned step) const {
        const Side& out = way == Way::near_to_far ? near_ : far_;
        return {out.rows.data(), count(out.rows), Way::near_to_far, from, out.template numbers<T>(), step, 1};
    }
    /// From what has come to the array where this way ends.
    template <class T>
    kernels::CopyRowsArgs<T> unpacking(Way way, T* to, unsigned step) const {
        const Side& in = way == Way::near_to_far ? far_ : near_;
        return {in.rows.data(), count(in.rows), Way::far_to_near, in.template numbers<T>(), to, 1, step};
    }
    /// From one array to the other.
    template <class T>
    kernels::CopyRowsArgs<T> own(Way way, const T* from, T* to, unsigned step) const {
        return {own_.data(), count(own_), way, from, to, step, step};
    }

    /// What is sent this way is in the stream.
    void begin(gpu::Stream& stream, Way way);
    /// Sends what is ready. True once all is sent, and what comes is in the stream.
    bool progress(gpu::Stream& stream);

  private:
    struct Port {
        Port(const gpu::Device& device, gpu::Buffer<std::byte>& array, const gpu::Work& work, Transport transport)
            : out(device, array, work, transport), in(device, array, work, transport) {}

        int rank = 0;
        OutMessage<std::byte> out;
        InMessage<std::byte> in;
        Request sending, coming;
        bool sent = false, came = false;
    };
    // All messages that leave or reach one of the arrays, one behind the other.
    struct Side {
        Side(const gpu::Device& device, const gpu::Work& work) : array(device, work), rows(device, work) {}

        gpu::Buffer<std::byte> array;
        gpu::Buffer<kernels::RowPair> rows;
        std::vector<std::unique_ptr<Port>> ports;  // the first `used` of them
        std::size_t used = 0;

        template <class T>
        T* numbers() const {
            return reinterpret_cast<T*>(array.data());
        }
    };

    const gpu::Device& device_;
    const Comm* comm_;
    Kind kind_;
    Transport transport_;
    Side near_, far_;
    gpu::Buffer<kernels::RowPair> own_;
    Way way_ = Way::near_to_far;
    bool receiving_ = false;

    Side& out() { return way_ == Way::near_to_far ? near_ : far_; }
    Side& in() { return way_ == Way::near_to_far ? far_ : near_; }
    int tag() const { return way_ == Way::near_to_far ? kind_.tag : kind_.tag + 1; }
    static unsigned count(const gpu::Buffer<kernels::RowPair>& rows) { return static_cast<unsigned>(rows.size()); }
    void plan_side(Side& side, const std::vector<SharedPieces::Piece>& pieces, gpu::Stream& stream);
    bool send();
    bool begin_receives();
    bool receive(gpu::Stream& stream);
};

}  // namespace mdsim
