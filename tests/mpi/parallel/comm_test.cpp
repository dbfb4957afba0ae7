// SPDX-License-Identifier: Apache-2.0
#include <numeric>

#include <catch2/catch.hpp>

#include "world.h"

using namespace mdsim;

namespace {
Bytes bytes_of(int value, std::size_t count) {
    return Bytes(count, static_cast<std::byte>(value));
}
}  // namespace

TEST_CASE("sums of integers are those of all ranks") {
    const Comm& comm = world();
    const std::int64_t n = comm.size();
    std::vector<std::int64_t> whole{comm.rank() + 1, -comm.rank()};
    comm.sum(whole);
    CHECK(whole == std::vector<std::int64_t>{n * (n + 1) / 2, -n * (n - 1) / 2});
    std::vector<fixed::EnergySum> sums(2);
    sums[0].add_wide(static_cast<fixed::EnergySum::Wide>(comm.rank() + 1) << 80);
    if (comm.rank() == comm.size() - 1) sums[1].note_out_of_range();
    comm.sum(sums);
    CHECK((sums[0].units() == static_cast<fixed::EnergySum::Wide>(n * (n + 1) / 2) << 80));
    CHECK(!sums[0].out_of_range());
    CHECK(sums[1].out_of_range());
    std::vector<fixed::EnergySum::Wide> wide{-static_cast<fixed::EnergySum::Wide>(1) << 90};
    comm.sum(wide);
    CHECK((wide[0] == -static_cast<fixed::EnergySum::Wide>(n) << 90));
}

TEST_CASE("the largest of all ranks") {
    const Comm& comm = world();
    std::vector<double> values{-0.5 * comm.rank(), 0.5 * comm.rank()};
    comm.max(values);
    CHECK(values == std::vector<double>{0.0, 0.5 * (comm.size() - 1)});
    std::vector<std::int64_t> later{comm.rank(), 7};
    Request request = comm.begin_max(later);
    request.wait();
    CHECK(later == std::vector<std::int64_t>{comm.size() - 1, 7});
}

TEST_CASE("what the leading rank has goes to all, and comes from all") {
    const Comm& comm = world();
    std::string text = comm.leads() ? "a text of the lead" : "other";
    comm.broadcast(text);
    CHECK(text == "a text of the lead");
    Bytes data = comm.leads() ? bytes_of(3, 100000) : Bytes();
    comm.broadcast(data);
    CHECK(data == bytes_of(3, 100000));
    const auto own = static_cast<std::size_t>(comm.rank());
    const std::vector<Bytes> to_lead = comm.gather(bytes_of(comm.rank(), own));
    const std::vector<Bytes> to_all = comm.gather_to_all(bytes_of(comm.rank(), 2 * own));
    REQUIRE(to_lead.size() == (comm.leads() ? static_cast<std::size_t>(comm.size()) : 0));
    for (std::size_t r = 0; r < to_lead.size(); ++r) CHECK(to_lead[r] == bytes_of(static_cast<int>(r), r));
    for (std::size_t r = 0; r < to_all.size(); ++r) CHECK(to_all[r] == bytes_of(static_cast<int>(r), 2 * r));
    std::vector<Bytes> parts;
    for (int r = 0; comm.leads() && r < comm.size(); ++r) parts.push_back(bytes_of(r, 5 + static_cast<std::size_t>(r)));
    CHECK(comm.scatter(parts) == bytes_of(comm.rank(), 5 + own));
}

TEST_CASE("an exchange brings to each rank what the others have for it, and is counted") {
    const Comm& comm = world();
    const TrafficCounts before = comm.traffic();
    std::vector<Bytes> parts;
    for (int r = 0; r < comm.size(); ++r) {
        const bool none = (comm.rank() + r) % 3 == 0;
        parts.push_back(none ? Bytes() : bytes_of(16 * comm.rank() + r, static_cast<std::size_t>(1 + r)));
    }
    const std::vector<Bytes> received = comm.exchange(parts, Traffic::repartition);
    std::int64_t messages = 0, bytes = 0;
    for (int r = 0; r < comm.size(); ++r) {
        const bool none = (comm.rank() + r) % 3 == 0;
        CHECK(received[static_cast<std::size_t>(r)] ==
              (none ? Bytes() : bytes_of(16 * r + comm.rank(), static_cast<std::size_t>(1 + comm.rank()))));
        if (none || r == comm.rank()) continue;
        ++messages;
        bytes += 1 + r;
    }
    const TrafficCounts after = comm.traffic();
    CHECK(after[Traffic::repartition].messages - before[Traffic::repartition].messages == messages);
    CHECK(after[Traffic::repartition].bytes - before[Traffic::repartition].bytes == bytes);
}

TEST_CASE("messages between two ranks, in groups as well") {
    const Comm& comm = world();
    const Comm part = comm.split(comm.rank() % 2);
    CHECK(part.rank() == comm.rank() / 2);
    CHECK(part.size() == (comm.size() + 1 - comm.rank() % 2) / 2);
    if (part.alone()) return;
    const int up = (part.rank() + 1) % part.size(), down = (part.rank() + part.size() - 1) % part.size();
    const std::vector<std::int64_t> own{comm.rank(), 42};
    std::vector<std::int64_t> got(2);
    Request receive = part.begin_receive(down, 5, std::as_writable_bytes(std::span(got)));
    Request send = part.begin_send(up, 5, as_bytes_of(own), Traffic::other);
    Request send_more = part.begin_send(up, 6, as_bytes_of(own), Traffic::other);
    receive.wait();
    send.wait();
    CHECK(values_of<std::int64_t>(part.receive(down, 6)) == got);
    send_more.wait();
    CHECK(got[0] % 2 == comm.rank() % 2);
    CHECK(got[0] / 2 == down);
    while (!send_more.test()) {
    }
}
