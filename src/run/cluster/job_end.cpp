// SPDX-License-Identifier: Apache-2.0
#include "run/cluster/job_end.h"

#include <charconv>
#include <ctime>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

#include "core/error.h"

namespace mdsim {

namespace {

std::optional<WallTime> seconds_since_1970(std::string_view text) {
    std::int64_t seconds = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    // Beyond the year 9999 it is no time.
    if (error != std::errc() || end != text.data() + text.size() || seconds < 0 || seconds > 253402300799)
        return std::nullopt;
    return WallTime(std::chrono::seconds(seconds));
}

JobEnd as_given(const std::string& text) {
    const auto at = seconds_since_1970(text);
    if (at) return {at, "MDSIM_JOB_END", {}};
    throw_input_error({.code = "MD112",
                       .what = fmt::format("MDSIM_JOB_END = \"{}\" is no number of seconds since 1970", text),
                       .remedy = "MDSIM_JOB_END=$(date -d '+2 hours' +%s), or leave it out"});
}

// One job a line; for one task of an array that has its number, scontrol prints all tasks.
std::optional<std::string> end_time_in(const std::string& text, const std::string& job) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string word;
        if (!(words >> word) || word != "JobId=" + job) continue;
        while (words >> word) {
            if (word.starts_with("EndTime=")) return word.substr(word.find('=') + 1);
        }
    }
    return std::nullopt;
}

JobEnd of_scontrol(const std::string& job, const Ask& ask) {
    // The user's own format of times would not be understood.
    const auto text = ask({"env", "SLURM_TIME_FORMAT=standard", "scontrol", "-o", "show", "job", job});
    const auto end = text ? end_time_in(*text, job) : std::nullopt;
    if (!end) {
        return {{},
                {},
                fmt::format("scontrol does not say when job {} ends: mdsim will not stop by itself before the time "
                            "limit; MDSIM_JOB_END tells it (docs/slurm.md)",
                            job)};
    }
    return {local_time(*end), "scontrol", {}};  // "Unknown" where there is no limit
}

}  // namespace

std::optional<WallTime> local_time(const std::string& text) {
    std::tm parts{};
    const char* rest = strptime(text.c_str(), "%Y-%m-%dT%H:%M:%S", &parts);
    if (rest == nullptr || *rest != '\0') return std::nullopt;
    parts.tm_isdst = -1;
    return std::chrono::system_clock::from_time_t(std::mktime(&parts));
}

std::string as_utc(WallTime time) {
    const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
    std::tm parts{};
    gmtime_r(&seconds, &parts);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text;
}

JobEnd find_job_end(const Environment& environment, const Ask& ask, WallTime now) {
    JobEnd end;
    if (const char* given = environment("MDSIM_JOB_END")) {
        end = as_given(given);
    } else if (const char* of_slurm = environment("SLURM_JOB_END_TIME")) {
        end = {seconds_since_1970(of_slurm), "SLURM_JOB_END_TIME", {}};
    } else if (const char* job = environment("SLURM_JOB_ID")) {
        end = of_scontrol(job, ask);
    }
    if (end.at && *end.at <= now) {
        return {{}, {}, fmt::format("the job's end by {}, {}, is over already: ignored", end.source, as_utc(*end.at))};
    }
    return end;
}

}  // namespace mdsim
