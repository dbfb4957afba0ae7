// SPDX-License-Identifier: Apache-2.0
#include "run/output/writing/atom_gather.h"

#include <algorithm>

#include "core/error.h"
#include "parallel/stream_copy.h"
#include "parallel/threads.h"

namespace mdsim {

namespace {

constexpr std::size_t atoms_of_a_block = 1024;

/// Where each field begins in the message of a rank [bytes].
struct Layout {
    std::size_t ids = 0, x = 0, v = 0, f = 0, more = 0, size = 0;

    Layout(std::size_t atoms, Fields fields, std::size_t more_fields, bool with_ids) {
        x = with_ids ? atoms * sizeof(std::int64_t) : 0;
        v = x + atoms * sizeof(Vec3d);
        f = v + (has(fields, Fields::velocities) ? atoms * sizeof(Vec3d) : 0);
        more = f + (has(fields, Fields::forces) ? atoms * sizeof(Vec3l) : 0);
        size = more + more_fields * atoms * sizeof(Vec3d);
    }
};

// All fields are of 8-byte numbers, and a vector's memory is aligned for them.
template <class T>
T* at(Bytes& bytes, std::size_t offset) {
    return reinterpret_cast<T*>(bytes.data() + offset);
}
template <class T>
std::span<const T> at(const Bytes& bytes, std::size_t offset, std::size_t count) {
    return {reinterpret_cast<const T*>(bytes.data() + offset), count};
}

// `count` values from number `begin` on, to the same numbers.
template <class T>
void copy(std::span<const T> from, std::size_t begin, std::size_t count, T* to) {
    stream_copy(to + begin, from.data() + begin, count * sizeof(T));
}

int tag_of_count(int number) {
    return 2 * number;
}
int tag_of_atoms(int number) {
    return 2 * number + 1;
}

template <class T>
void spread(std::span<const T> from, std::span<const std::int64_t> ids, std::vector<T>& to) {
    for (std::size_t i = 0; i < ids.size(); ++i) to[static_cast<std::size_t>(ids[i])] = from[i];
}

}  // namespace

void AtomGather::pack(const HomeAtoms& home) {
    const OnStep& on_step = home.on_step;
    const std::size_t atoms = on_step.x.size();
    const bool with_ids = !comm_->alone();
    const Layout layout(atoms, fields_, more_, with_ids);
    own_count_ = static_cast<std::int64_t>(atoms);
    own_.resize(layout.size);
    auto* ids = at<std::int64_t>(own_, layout.ids);
    auto* x = at<Vec3d>(own_, layout.x);
    auto* v = at<Vec3d>(own_, layout.v);
    auto* f = at<Vec3l>(own_, layout.f);
    auto* more = at<Vec3d>(own_, layout.more);
    parallel_ranges(atoms, atoms_of_a_block, [&](int, std::size_t begin, std::size_t end) {
        const std::size_t n = end - begin;
        if (with_ids) copy(home.ids, begin, n, ids);
        copy(on_step.x, begin, n, x);
        if (has(fields_, Fields::forces)) copy(home.forces, begin, n, f);
        for (std::size_t k = 0; k < more_; ++k) copy(home.more[k], begin, n, more + k * atoms);
        if (!has(fields_, Fields::velocities)) return;
        if (on_step.v_before.data() == on_step.v_after.data()) {
            copy(on_step.v_before, begin, n, v);
            return;
        }
        for (std::size_t i = begin; i < end; ++i) v[i] = on_step.v(i);
    });
}

void AtomGather::begin(const Comm& comm, int number, Fields fields, const HomeAtoms& home) {
    comm_ = &comm;
    number_ = number;
    fields_ = fields;
    more_ = home.more.size();
    pack(home);
    if (!comm.leads()) {
        counting_ = comm.begin_send(0, tag_of_count(number), std::as_bytes(std::span(&own_count_, 1)), Traffic::output);
        if (own_count_ > 0) transfer_ = comm.begin_send(0, tag_of_atoms(number), own_, Traffic::output);
        return;
    }
    parts_.resize(static_cast<std::size_t>(comm.size()));
    for (std::size_t rank = 1; rank < parts_.size(); ++rank) {
        Part& part = parts_[rank];
        part.asked = false;
        part.counting = comm.begin_receive(static_cast<int>(rank), tag_of_count(number),
                                           std::as_writable_bytes(std::span(&part.count, 1)));
    }
}

void AtomGather::ask_for_atoms(std::size_t rank) {
    Part& part = parts_[rank];
    part.asked = true;
    part.atoms.resize(Layout(static_cast<std::size_t>(part.count), fields_, more_, true).size);
    if (part.count > 0) part.transfer = comm_->begin_receive(static_cast<int>(rank), tag_of_atoms(number_), part.atoms);
}

bool AtomGather::test() {
    bool done = counting_.test() && transfer_.test();
    for (std::size_t rank = 1; rank < parts_.size(); ++rank) {
        Part& part = parts_[rank];
        if (!part.asked && part.counting.test()) ask_for_atoms(rank);
        done = part.asked && part.transfer.test() && done;
    }
    return done;
}

void AtomGather::wait() {
    counting_.wait();
    transfer_.wait();
    for (std::size_t rank = 1; rank < parts_.size(); ++rank) {
        if (parts_[rank].asked) continue;
        parts_[rank].counting.wait();
        ask_for_atoms(rank);
    }
    for (Part& part : parts_) part.transfer.wait();
}

std::int64_t AtomGather::put_in_order(const Bytes& part, std::size_t count, std::vector<bool>& there) {
    const Layout layout(count, fields_, more_, true);
    const auto ids = at<std::int64_t>(part, layout.ids, count);
    std::int64_t fresh = 0;
    for (const std::int64_t id : ids) {
        MDSIM_ENSURE(id >= 0 && static_cast<std::size_t>(id) < there.size());
        if (there[static_cast<std::size_t>(id)]) continue;
        there[static_cast<std::size_t>(id)] = true;
        ++fresh;
    }
    spread(at<Vec3d>(part, layout.x, count), ids, x_);
    if (has(fields_, Fields::velocities)) spread(at<Vec3d>(part, layout.v, count), ids, v_);
    if (has(fields_, Fields::forces)) spread(at<Vec3l>(part, layout.f, count), ids, f_);
    for (std::size_t k = 0; k < more_; ++k) {
        spread(at<Vec3d>(part, layout.more + k * count * sizeof(Vec3d), count), ids, more_in_order_[k]);
    }
    return fresh;
}

AllAtoms AtomGather::assemble(std::int64_t atoms) {
    const auto all = static_cast<std::size_t>(atoms);
    const std::size_t velocities = has(fields_, Fields::velocities) ? all : 0;
    const std::size_t forces = has(fields_, Fields::forces) ? all : 0;
    if (comm_->alone()) {
        MDSIM_ENSURE(own_count_ == atoms);
        const Layout layout(all, fields_, more_, false);
        AllAtoms atoms_of_all{at<Vec3d>(own_, layout.x, all), at<Vec3d>(own_, layout.v, velocities),
                              at<Vec3l>(own_, layout.f, forces)};
        for (std::size_t k = 0; k < more_; ++k) {
            atoms_of_all.more.push_back(at<Vec3d>(own_, layout.more + k * all * sizeof(Vec3d), all));
        }
        return atoms_of_all;
    }
    x_.resize(all);
    v_.resize(velocities);
    f_.resize(forces);
    more_in_order_.resize(more_);
    for (std::vector<Vec3d>& field : more_in_order_) field.resize(all);
    std::vector<bool> there(all, false);
    std::int64_t came = own_count_;
    std::int64_t fresh = put_in_order(own_, static_cast<std::size_t>(own_count_), there);
    for (const Part& part : std::span(parts_).subspan(1)) {
        came += part.count;
        fresh += put_in_order(part.atoms, static_cast<std::size_t>(part.count), there);
    }
    MDSIM_ENSURE(came == atoms && fresh == atoms);
    return {x_, v_, f_, {more_in_order_.begin(), more_in_order_.end()}};
}

}  // namespace mdsim
