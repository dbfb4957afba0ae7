// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <memory>
#include <mpi.h>

#include <climits>

#include "core/error.h"
#include "parallel/comm_group.h"

namespace mdsim {

namespace {

// MPI counts bytes in 32 bits: longer messages go in pieces.
constexpr std::size_t piece_bytes = std::size_t{1} << 30;
constexpr int tag_of_parts = 30001;

void add_energy_sums(void* in, void* in_out, int* count, MPI_Datatype*) {
    const auto* from = static_cast<const fixed::EnergySum*>(in);
    auto* to = static_cast<fixed::EnergySum*>(in_out);
    for (int i = 0; i < *count; ++i) to[i].add(from[i]);
}

void add_wides(void* in, void* in_out, int* count, MPI_Datatype*) {
    const auto* from = static_cast<const fixed::EnergySum::Wide*>(in);
    auto* to = static_cast<fixed::EnergySum::Wide*>(in_out);
    for (int i = 0; i < *count; ++i) to[i] += from[i];
}

/// Sums of a type that MPI does not know, made of plain bytes.
class SumOf {
  public:
    SumOf(int bytes, MPI_User_function* add) {
        MPI_Type_contiguous(bytes, MPI_BYTE, &type_);
        MPI_Type_commit(&type_);
        MPI_Op_create(add, 1, &operation_);
    }
    ~SumOf() {
        MPI_Op_free(&operation_);
        MPI_Type_free(&type_);
    }
    SumOf(const SumOf&) = delete;
    SumOf& operator=(const SumOf&) = delete;
    void run(void* data, std::size_t count, MPI_Comm comm) const {
        MPI_Allreduce(MPI_IN_PLACE, data, static_cast<int>(count), type_, operation_, comm);
    }

  private:
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
    MPI_Op operation_ = MPI_OP_NULL;
};

/// What all groups of this process share; the first one has it.
struct Shared {
    TrafficCounts traffic;
    SumOf energy_sums{sizeof(fixed::EnergySum), add_energy_sums};
    SumOf wides{sizeof(fixed::EnergySum::Wide), add_wides};
};

}  // namespace

struct Request::State {
    std::vector<MPI_Request> pieces;
};

Request::Request() = default;
Request::~Request() = default;
Request::Request(Request&&) noexcept = default;
Request& Request::operator=(Request&&) noexcept = default;

void Request::wait() {
    if (!state_) return;
    MPI_Waitall(static_cast<int>(state_->pieces.size()), state_->pieces.data(), MPI_STATUSES_IGNORE);
    state_.reset();
}

bool Request::test() {
    if (!state_) return true;
    int done = 0;
    MPI_Testall(static_cast<int>(state_->pieces.size()), state_->pieces.data(), &done, MPI_STATUSES_IGNORE);
    if (done) state_.reset();
    return done != 0;
}

namespace {

/// f(piece) for the pieces of a buffer, at least one; their requests.
template <class T, class F>
std::vector<MPI_Request> in_pieces(std::span<T> data, F&& f) {
    std::vector<MPI_Request> requests;
    // The last one is shorter than a piece can be, and so known to be the last.
    for (std::size_t begin = 0, size = piece_bytes; size == piece_bytes; begin += size) {
        size = std::min(piece_bytes, data.size() - begin);
        requests.push_back(f(data.data() + begin, static_cast<int>(size)));
    }
    return requests;
}

std::vector<MPI_Request> send(std::span<const std::byte> data, int to, int tag, MPI_Comm comm) {
    return in_pieces(data, [&](const std::byte* piece, int bytes) {
        MPI_Request request;
        MPI_Isend(piece, bytes, MPI_BYTE, to, tag, comm, &request);
        return request;
    });
}

std::vector<MPI_Request> receive_into(std::span<std::byte> data, int from, int tag, MPI_Comm comm) {
    return in_pieces(data, [&](std::byte* piece, int bytes) {
        MPI_Request request;
        MPI_Irecv(piece, bytes, MPI_BYTE, from, tag, comm, &request);
        return request;
    });
}

class MpiGroup : public Comm::Group {
  public:
    /// `shared` must outlive it.
    MpiGroup(MPI_Comm comm, Shared* shared) : comm_(comm), shared_(shared) {
        MPI_Comm_rank(comm_, &rank_);
        MPI_Comm_size(comm_, &size_);
    }
    ~MpiGroup() override { MPI_Comm_free(&comm_); }
    MpiGroup(const MpiGroup&) = delete;
    MpiGroup& operator=(const MpiGroup&) = delete;

    int rank() const { return rank_; }
    int size() const { return size_; }
    MPI_Comm comm() const { return comm_; }
    Shared* shared() const { return shared_; }
    void count(Traffic traffic, std::size_t bytes) const {
        TrafficCounts::Count& sent = shared_->traffic[traffic];
        ++sent.messages;
        sent.bytes += static_cast<std::int64_t>(bytes);
    }
    void count_reduction() const { ++shared_->traffic.reductions; }

    void sum(std::span<fixed::EnergySum> sums) override {
        count_reduction();
        shared_->energy_sums.run(sums.data(), sums.size(), comm_);
    }
    void sum(std::span<fixed::EnergySum::Wide> sums) override {
        count_reduction();
        shared_->wides.run(sums.data(), sums.size(), comm_);
    }
    void sum(std::span<std::int64_t> sums) override { reduce(sums, MPI_INT64_T, MPI_SUM); }
    void max(std::span<double> values) override { reduce(values, MPI_DOUBLE, MPI_MAX); }
    void max(std::span<std::int64_t> values) override { reduce(values, MPI_INT64_T, MPI_MAX); }

    void broadcast(std::span<std::byte> data) override {
        for (std::size_t begin = 0; begin < data.size(); begin += piece_bytes) {
            const auto piece = data.subspan(begin, std::min(piece_bytes, data.size() - begin));
            MPI_Bcast(piece.data(), static_cast<int>(piece.size()), MPI_BYTE, 0, comm_);
        }
    }
    std::vector<Bytes> gather(std::span<const std::byte> data) override {
        const std::vector<std::int64_t> sizes = sizes_of_all(data.size());
        std::vector<MPI_Request> requests;
        if (rank_ != 0) {
            count(Traffic::other, data.size());
            wait_for(send(data, 0, tag_of_parts, comm_));
            return {};
        }
        std::vector<Bytes> parts = room_for(sizes);
        std::copy(data.begin(), data.end(), parts[0].begin());
        for (int r = 1; r < size_; ++r) append(requests, receive_into(parts[place(r)], r, tag_of_parts, comm_));
        wait_for(std::move(requests));
        return parts;
    }
    std::vector<Bytes> gather_to_all(std::span<const std::byte> data) override {
        const std::vector<std::int64_t> sizes = sizes_of_all(data.size());
        std::vector<int> counts, begins;
        std::int64_t total = 0;
        for (const std::int64_t size : sizes) {
            MDSIM_EXPECT(size <= INT_MAX && total <= INT_MAX);
            counts.push_back(static_cast<int>(size));
            begins.push_back(static_cast<int>(total));
            total += size;
        }
        Bytes all(static_cast<std::size_t>(total));
        count(Traffic::other, data.size());
        MPI_Allgatherv(data.data(), static_cast<int>(data.size()), MPI_BYTE, all.data(), counts.data(), begins.data(),
                       MPI_BYTE, comm_);
        std::vector<Bytes> parts;
        for (std::size_t r = 0; r < sizes.size(); ++r) {
            parts.emplace_back(all.begin() + begins[r], all.begin() + begins[r] + counts[r]);
        }
        return parts;
    }
    Bytes scatter(const std::vector<Bytes>& parts) override {
        std::vector<std::int64_t> sizes(place(size_));
        for (std::size_t r = 0; r < parts.size(); ++r) sizes[r] = static_cast<std::int64_t>(parts[r].size());
        std::int64_t own = 0;
        MPI_Scatter(sizes.data(), 1, MPI_INT64_T, &own, 1, MPI_INT64_T, 0, comm_);
        if (rank_ != 0) {
            Bytes data(static_cast<std::size_t>(own));
            wait_for(receive_into(data, 0, tag_of_parts, comm_));
            return data;
        }
        std::vector<MPI_Request> requests;
        for (int r = 1; r < size_; ++r) {
            append(requests, send(parts[place(r)], r, tag_of_parts, comm_));
            count(Traffic::other, parts[place(r)].size());
        }
        wait_for(std::move(requests));
        return parts[0];
    }
    std::vector<Bytes> exchange(const std::vector<Bytes>& parts, Traffic traffic) override {
        MDSIM_EXPECT(parts.size() == place(size_));
        std::vector<std::int64_t> to(place(size_)), from(place(size_));
        for (std::size_t r = 0; r < to.size(); ++r) to[r] = static_cast<std::int64_t>(parts[r].size());
        MPI_Alltoall(to.data(), 1, MPI_INT64_T, from.data(), 1, MPI_INT64_T, comm_);
        std::vector<Bytes> received = room_for(from);
        std::vector<MPI_Request> requests;
        for (int r = 0; r < size_; ++r) {
            if (r == rank_) continue;
            if (from[place(r)] > 0) append(requests, receive_into(received[place(r)], r, tag_of_parts, comm_));
            if (to[place(r)] == 0) continue;
            append(requests, send(parts[place(r)], r, tag_of_parts, comm_));
            count(traffic, parts[place(r)].size());
        }
        received[place(rank_)] = parts[place(rank_)];
        wait_for(std::move(requests));
        return received;
    }
    void barrier() override { MPI_Barrier(comm_); }
    TrafficCounts traffic() const override { return shared_->traffic; }

  private:
    MPI_Comm comm_;
    Shared* shared_;
    int rank_ = 0, size_ = 1;

    static std::size_t place(int rank) { return static_cast<std::size_t>(rank); }
    static void append(std::vector<MPI_Request>& to, const std::vector<MPI_Request>& more) {
        to.insert(to.end(), more.begin(), more.end());
    }
    static void wait_for(std::vector<MPI_Request> requests) {
        MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    }
    static std::vector<Bytes> room_for(const std::vector<std::int64_t>& sizes) {
        std::vector<Bytes> parts;
        for (const std::int64_t size : sizes) parts.emplace_back(static_cast<std::size_t>(size));
        return parts;
    }
    std::vector<std::int64_t> sizes_of_all(std::size_t own) const {
        const auto size = static_cast<std::int64_t>(own);
        std::vector<std::int64_t> sizes(place(size_));
        MPI_Allgather(&size, 1, MPI_INT64_T, sizes.data(), 1, MPI_INT64_T, comm_);
        return sizes;
    }
    template <class T>
    void reduce(std::span<T> values, MPI_Datatype type, MPI_Op operation) {
        count_reduction();
        MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), type, operation, comm_);
    }
};

/// All ranks of the launch.
class WorldGroup final : public MpiGroup {
  public:
    WorldGroup(MPI_Comm comm, std::unique_ptr<Shared> shared)
        : MpiGroup(comm, shared.get()), shared_(std::move(shared)) {}

  private:
    std::unique_ptr<Shared> shared_;
};

const MpiGroup& as_mpi(const Comm::Group& group) {
    return static_cast<const MpiGroup&>(group);
}

}  // namespace

Comm::Comm(std::unique_ptr<Group> group) : group_(std::move(group)) {
    rank_ = as_mpi(*group_).rank();
    size_ = as_mpi(*group_).size();
}

Comm Comm::split(int color) const {
    if (!group_) return {};
    const MpiGroup& own = as_mpi(*group_);
    MPI_Comm part;
    MPI_Comm_split(own.comm(), color, own.rank(), &part);
    return Comm(std::make_unique<MpiGroup>(part, own.shared()));
}

Request Comm::begin_send(int to, int tag, std::span<const std::byte> data, Traffic traffic) const {
    MDSIM_EXPECT(group_ != nullptr);
    const MpiGroup& own = as_mpi(*group_);
    own.count(traffic, data.size());
    Request request;
    request.state_ = std::make_unique<Request::State>(Request::State{send(data, to, tag, own.comm())});
    return request;
}

Request Comm::begin_receive(int from, int tag, std::span<std::byte> data) const {
    MDSIM_EXPECT(group_ != nullptr);
    Request request;
    request.state_ =
        std::make_unique<Request::State>(Request::State{receive_into(data, from, tag, as_mpi(*group_).comm())});
    return request;
}

Bytes Comm::receive(int from, int tag) const {
    MDSIM_EXPECT(group_ != nullptr);
    const MPI_Comm comm = as_mpi(*group_).comm();
    Bytes data;
    // A piece as long as a piece can be is followed by another one.
    for (int bytes = INT_MAX; static_cast<std::size_t>(bytes) >= piece_bytes;) {
        MPI_Status status;
        MPI_Probe(from, tag, comm, &status);
        MPI_Get_count(&status, MPI_BYTE, &bytes);
        const std::size_t begin = data.size();
        data.resize(begin + static_cast<std::size_t>(bytes));
        MPI_Recv(data.data() + begin, bytes, MPI_BYTE, from, tag, comm, MPI_STATUS_IGNORE);
    }
    return data;
}

Request Comm::begin_max(std::span<std::int64_t> values) const {
    Request request;
    if (!group_) return request;
    const MpiGroup& own = as_mpi(*group_);
    own.count_reduction();
    request.state_ = std::make_unique<Request::State>(Request::State{std::vector<MPI_Request>(1)});
    MPI_Iallreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_INT64_T, MPI_MAX, own.comm(),
                   request.state_->pieces.data());
    return request;
}

void Comm::abort(int exit_code) const {
    if (group_) MPI_Abort(MPI_COMM_WORLD, exit_code);
    std::_Exit(exit_code);
}

namespace {

// A process that no launcher has started stays alone: to initialise MPI would cost it a tenth of a second and a daemon.
// So does one of another library's launcher, which Open MPI would end with a page of its own.
bool launched() {
    const auto is_set = [](const char* name) { return std::getenv(name) != nullptr; };
#ifdef OPEN_MPI
    const std::initializer_list<const char*> names{"OMPI_COMM_WORLD_SIZE", "PMIX_RANK"};
#else
    const std::initializer_list<const char*> names{"PMI_RANK", "PMI_SIZE", "PMIX_RANK", "MV2_COMM_WORLD_SIZE"};
#endif
    return std::any_of(names.begin(), names.end(), is_set);
}

}  // namespace

RankProgram::RankProgram(int& argc, char**& argv) {
    if (!launched()) return;
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm all;
    MPI_Comm_dup(MPI_COMM_WORLD, &all);
    world_ = Comm(std::make_unique<WorldGroup>(all, std::make_unique<Shared>()));
}

RankProgram::~RankProgram() {
    const bool began = world_.group_ != nullptr;
    world_ = Comm();
    if (began) MPI_Finalize();
}

}  // namespace mdsim
