// SPDX-License-Identifier: Apache-2.0
// The build without MPI: every process is alone.
#include <cstdlib>

#include "core/error.h"
#include "parallel/comm_group.h"

namespace mdsim {

struct Request::State {};

Request::Request() = default;
Request::~Request() = default;
Request::Request(Request&&) noexcept = default;
Request& Request::operator=(Request&&) noexcept = default;

void Request::wait() {}

bool Request::test() {
    return true;
}

Comm Comm::split(int) const {
    return {};
}

Request Comm::begin_send(int, int, std::span<const std::byte>, Traffic) const {
    MDSIM_EXPECT(!"a message without another rank");
    return {};
}

Request Comm::begin_receive(int, int, std::span<std::byte>) const {
    MDSIM_EXPECT(!"a message without another rank");
    return {};
}

Bytes Comm::receive(int, int) const {
    MDSIM_EXPECT(!"a message without another rank");
    return {};
}

Request Comm::begin_max(std::span<std::int64_t>) const {
    return {};
}

void Comm::abort(int exit_code) const {
    std::_Exit(exit_code);
}

RankProgram::RankProgram(int&, char**&) {}
RankProgram::~RankProgram() = default;

bool mpi_takes(DeviceMemory) {
    return false;
}

std::string mpi_library() {
    return {};
}

}  // namespace mdsim
