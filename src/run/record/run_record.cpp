// SPDX-License-Identifier: Apache-2.0
#include "run/record/run_record.h"

#include <charconv>
#include <fstream>
#include <sstream>

#include "io/output/append_file.h"

namespace mdsim {

namespace {

std::string trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(' ');
    if (first == std::string_view::npos) return {};
    return std::string(text.substr(first, text.find_last_not_of(' ') - first + 1));
}

std::vector<std::string> words_of(const std::string& line) {
    std::istringstream in(line);
    std::vector<std::string> words;
    for (std::string word; in >> word;) words.push_back(word);
    return words;
}

// 0 where it is no number.
double number(std::string_view text) {
    double value = 0.0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

std::int64_t integer(std::string_view text) {
    std::int64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

// "12:03:04" [s].
double seconds(const std::string& clock) {
    double sum = 0.0;
    std::istringstream in(clock);
    for (std::string part; std::getline(in, part, ':');) sum = 60.0 * sum + number(part);
    return sum;
}

/// Reads a log line by line. Lines are told apart by how Protocol and describe_run write them.
class Reader {
  public:
    void take(const std::string& line);
    RunRecord record() { return std::move(record_); }

  private:
    RunRecord record_;
    int lines_ = 0;
    bool in_system_ = false;

    StageRecord* stage() { return record_.stages.empty() ? nullptr : &record_.stages.back(); }
    bool take_head(const std::string& line);
    bool take_stage(const std::vector<std::string>& words);
    bool take_end(const std::string& line);
    void take_plan(const std::vector<std::string>& words);
    void take_setting(const std::string& line);
    void take_point(const std::vector<std::string>& words);
    void take_iteration(const std::vector<std::string>& words);
    void take_timing(const std::vector<std::string>& words);
};

// "  forces.cutoff     = "0.9 nm"      [FILE:22]"
void Reader::take_setting(const std::string& line) {
    const auto equals = line.find(" = "), origin = line.rfind('[');
    const std::string value = line.substr(equals + 3, origin == std::string::npos ? origin : origin - equals - 3);
    record_.settings.emplace_back(trimmed(line.substr(0, equals)), trimmed(value));
}

// "stage 2: heat dynamics, 2500 steps of 0.002 ps = 5 ps, ..." or "stage 1: relax minimise, at most 200 iterations,
// ..."
void Reader::take_plan(const std::vector<std::string>& words) {
    if (words.size() < 8) return;
    PlannedStage& stage = record_.plan.emplace_back();
    stage.name = words[2];
    stage.dynamics = words[3] == "dynamics,";
    stage.steps = integer(stage.dynamics ? words[4] : words[6]);
    if (stage.dynamics) stage.timestep = number(words[7]);
}

bool Reader::take_head(const std::string& line) {
    ++lines_;
    if (lines_ == 1) record_.version = line;
    if (lines_ == 2) record_.machine = line;
    if (lines_ <= 2) return true;
    if (line.starts_with("input ")) {
        record_.input = line.substr(6);
    } else if (line.starts_with("warning: ")) {
        record_.warnings.push_back(line.substr(9));
    } else if (stage() == nullptr && line.starts_with("  ") && !in_system_ && line.find(" = ") != std::string::npos) {
        take_setting(line);
    } else if (stage() == nullptr && (line.starts_with("system:") || line.starts_with("forces:") || in_system_)) {
        in_system_ = !line.starts_with("stage ");
        if (in_system_) record_.system.push_back(line);
        return in_system_;
    } else {
        return false;
    }
    return true;
}

// "stage 3 of 4: equilibrate"; "stage 3: ..." is of the plan.
bool Reader::take_stage(const std::vector<std::string>& words) {
    if (words.size() < 3 || words[0] != "stage") return false;
    if (words[2] != "of" || words.size() < 5) {
        take_plan(words);
        return true;
    }
    if (StageRecord* before = stage()) before->ended = true;
    StageRecord& begun = record_.stages.emplace_back();
    begun.number = static_cast<int>(integer(words[1]));
    begun.name = words[4];
    return true;
}

bool Reader::take_end(const std::string& line) {
    if (line == "finished" || line == "stopped") {
        record_.end = line == "finished" ? LogEnd::finished : LogEnd::stopped;
        if (line == "finished" && stage() != nullptr) stage()->ended = true;
    } else if (line.starts_with("stopping ")) {
        record_.reason = line;
    } else if (line.starts_with("state step=")) {
        record_.state = line;
    } else if (line.starts_with("error: ") || (!record_.error.empty() && line.starts_with("    "))) {
        record_.error.push_back(line);
    } else {
        return false;
    }
    return true;
}

// "step 500 1.000 ps potential P total T conserved C kJ/mol K K p bar d kg/m^3 0:00:08 left"
void Reader::take_point(const std::vector<std::string>& words) {
    if (words.size() < 19 || words.back() != "left") return;
    stage()->points.push_back({.step = integer(words[1]),
                               .time = number(words[2]),
                               .potential = number(words[5]),
                               .total = number(words[7]),
                               .conserved = number(words[9]),
                               .temperature = number(words[11]),
                               .pressure = number(words[13]),
                               .density = number(words[15]),
                               .left = seconds(words[17])});
}

// "iteration 50 potential -308072.996 kJ/mol largest force 4163.750 kJ/mol/nm"
void Reader::take_iteration(const std::vector<std::string>& words) {
    std::size_t at = 3;
    std::string potential;
    for (; at < words.size() && words[at] != "kJ/mol"; ++at) potential += (potential.empty() ? "" : " ") + words[at];
    if (at + 4 > words.size()) return;
    stage()->iterations.push_back({integer(words[1]), potential, number(words[at + 3])});
}

// "41.23 ns/day 0.582 hours/ns 4.191 ms/step ..." and "share of time: search 8.3 % ..."
void Reader::take_timing(const std::vector<std::string>& words) {
    if (words[1] == "ns/day" && words.size() > 5) {
        stage()->ns_per_day = number(words[0]);
        stage()->ms_per_step = number(words[4]);
    } else if (words[0] == "share") {
        stage()->shares.clear();
        for (std::size_t n = 3; n + 2 < words.size(); n += 3)
            stage()->shares.emplace_back(words[n], number(words[n + 1]));
    }
}

void Reader::take(const std::string& line) {
    const std::vector<std::string> words = words_of(line);
    if (take_head(line) || words.size() < 1 || take_end(line) || take_stage(words) || stage() == nullptr) return;
    if (words.size() < 4) return;
    if (words[0] == "step") {
        take_point(words);
    } else if (words[0] == "iteration") {
        take_iteration(words);
    } else {
        take_timing(words);
    }
}

}  // namespace

RunRecord read_run_log(const std::filesystem::path& log) {
    std::ifstream in(log);
    if (!in) throw_system_error(log, "reading");
    Reader reader;
    for (std::string line; std::getline(in, line);) {
        if (in.eof()) break;  // not yet written to its end
        reader.take(line);
    }
    return reader.record();
}

}  // namespace mdsim
