// SPDX-License-Identifier: Apache-2.0
#include "run/cluster/stop_clock.h"

#include <map>
#include <unistd.h>

#include <catch2/catch.hpp>

#include "core/error.h"

using namespace mdsim;
using Catch::Contains;
using std::chrono::seconds;

namespace {

using Variables = std::map<std::string, std::string>;

Environment environment_of(Variables variables) {
    return [variables = std::move(variables)](const char* name) -> const char* {
        const auto found = variables.find(name);
        return found == variables.end() ? nullptr : found->second.c_str();
    };
}

const Ask nobody = [](const auto&) { return std::nullopt; };
const WallTime now = WallTime(seconds(1'800'000'000));

WallTime in(double s) {
    return now + std::chrono::milliseconds(static_cast<std::int64_t>(1000 * s));
}

}  // namespace

TEST_CASE("the end of a job", "[cluster]") {
    CHECK(!find_job_end(environment_of({}), nobody, now).at);
    CHECK(find_job_end(environment_of({}), nobody, now).warning.empty());
    JobEnd end =
        find_job_end(environment_of({{"SLURM_JOB_ID", "7"}, {"SLURM_JOB_END_TIME", "1800000060"}}), nobody, now);
    CHECK(end.at == in(60));
    CHECK(end.source == "SLURM_JOB_END_TIME");
    end = find_job_end(environment_of({{"MDSIM_JOB_END", "1800000090"}, {"SLURM_JOB_END_TIME", "1800000060"}}), nobody,
                       now);
    CHECK(end.at == in(90));
    for (const char* odd : {"", "soon", "-5", "1800000090.5", "9999999999999999999"})
        CHECK_THROWS_WITH(find_job_end(environment_of({{"MDSIM_JOB_END", odd}}), nobody, now), Contains("[MD112]"));
    // A shell that has outlived its job.
    end = find_job_end(environment_of({{"SLURM_JOB_END_TIME", "1799999999"}}), nobody, now);
    CHECK(!end.at);
    CHECK_THAT(end.warning, Contains("2027-01-15T07:59:59Z") && Contains("over already"));
}

TEST_CASE("scontrol is asked where the environment does not say", "[cluster]") {
    const Environment job = environment_of({{"SLURM_JOB_ID", "12"}});
    const WallTime at = *local_time("2027-01-15T09:30:00");
    std::string answer =
        "JobId=13 ArrayJobId=12 ArrayTaskId=1 TimeLimit=00:05:00 EndTime=2027-01-16T00:00:00 Deadline=N/A\n"
        "JobId=12 ArrayJobId=12 ArrayTaskId=2 TimeLimit=00:05:00 EndTime=2027-01-15T09:30:00 Deadline=N/A\n";
    std::vector<std::string> asked;
    const Ask ask = [&](const std::vector<std::string>& command) -> std::optional<std::string> {
        asked = command;
        return answer;
    };
    JobEnd end = find_job_end(job, ask, at - seconds(100));
    CHECK(end.at == at);
    CHECK(end.source == "scontrol");
    CHECK(asked.back() == "12");
    answer = "JobId=12 JobName=x TimeLimit=UNLIMITED EndTime=Unknown Deadline=N/A\n";
    end = find_job_end(job, ask, now);
    CHECK(!end.at);
    CHECK(end.warning.empty());
    for (const char* odd : {"", "slurm_load_jobs error: Invalid job id specified\n", "JobId=12 JobName=x\n"}) {
        answer = odd;
        end = find_job_end(job, ask, now);
        CHECK(!end.at);
        CHECK_THAT(end.warning, Contains("job 12") && Contains("MDSIM_JOB_END"));
    }
    CHECK_THAT(find_job_end(job, nobody, now).warning, Contains("job 12"));
}

TEST_CASE("times of the clock on the wall", "[cluster]") {
    const WallTime at = *local_time("2027-01-15T09:30:00");
    CHECK(*local_time("2027-01-15T09:30:01") - at == seconds(1));
    for (const char* odd : {"", "Unknown", "2027-01-15", "2027-01-15T09:30:00Z"}) CHECK(!local_time(odd));
    CHECK(as_utc(now) == "2027-01-15T08:00:00Z");
}

TEST_CASE("a command is asked for no longer than it may take", "[cluster]") {
    CHECK(ask_command({"printf", "a b"}, 5.0) == "a b");
    CHECK(ask_command({"sh", "-c", "head -c 100000 /dev/zero"}, 5.0)->size() == 100000);
    CHECK(!ask_command({"no-such-command-of-mdsim"}, 5.0));
    CHECK(!ask_command({"sh", "-c", "echo yes; exit 1"}, 5.0));
    const auto began = std::chrono::steady_clock::now();
    CHECK(!ask_command({"sleep", "30"}, 0.2));
    CHECK(std::chrono::steady_clock::now() - began < seconds(10));
}

TEST_CASE("a run stops so early that its checkpoint is on disk in time", "[cluster]") {
    const JobEnd end{in(1000), "scontrol", {}};
    StopClock clock(end, 20.0, now);
    CHECK(clock.reserve() == 30.0);  // 20 s, and twice what is guessed for a checkpoint
    CHECK(!clock.due(in(0)));
    CHECK(!clock.due(in(2)));
    CHECK(clock.reserve() == 32.0);
    clock.checkpoint_took(1.0);
    clock.checkpoint_took(8.0);
    clock.checkpoint_took(3.0);
    CHECK(clock.reserve() == 38.0);
    CHECK(!clock.due(in(3)));
    for (int s = 4; s < 962; ++s) CHECK(!clock.due(in(s)));
    CHECK(clock.due(in(962.5)));
    CHECK_THAT(clock.describe(), Contains("2027-01-15T08:16:40Z (scontrol)") && Contains("38 s"));
    // Steps of a minute: the one after the next would come too late.
    StopClock slow(end, 20.0, now);
    for (int s = 0; s <= 840; s += 60) CHECK(!slow.due(in(s)));
    CHECK(!slow.due(in(900)));
    CHECK(slow.due(in(960)));
}

TEST_CASE("what is spared where nothing is said", "[cluster]") {
    CHECK(StopClock({in(100000), "", {}}, std::nullopt, now).reserve() == 70.0);
    CHECK(StopClock({in(100), "", {}}, std::nullopt, now).reserve() == 20.0);
    // Of a job that is shorter than what should be kept, half is.
    StopClock brief({in(16), "", {}}, std::nullopt, now);
    CHECK(!brief.due(in(1)));
    CHECK(brief.reserve() == 8.0);
    CHECK(brief.due(in(8)));
    StopClock never;
    CHECK(!never.due(in(1e9)));
    StopClock unknown(JobEnd{}, 20.0, now);
    CHECK(!unknown.due(in(1e9)));
    CHECK(unknown.describe().empty());
}
