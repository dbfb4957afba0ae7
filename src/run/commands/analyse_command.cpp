// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "core/error.h"
#include "io/input/keys/quantity.h"
#include "parallel/threads.h"
#include "run/analysis/table_file.h"
#include "run/commands/commands.h"

namespace mdsim {

namespace {

bool is_quantity(const std::string& word) {
    const auto all = all_quantities();
    return std::any_of(all.begin(), all.end(), [&](const Quantity& q) { return q.name == word; });
}

std::string names_of_quantities() {
    std::string text;
    for (const Quantity& q : all_quantities()) {
        if (!text.empty()) text += ", ";
        text += q.name;
    }
    return text;
}

/// What the command line asks for.
struct Asked {
    std::vector<std::string> quantities;
    std::vector<std::filesystem::path> files;
};

// A word is a quantity unless there is a file by its name.
Asked asked_of(const std::vector<std::string>& words) {
    Asked asked;
    for (const std::string& word : words) {
        std::error_code none;
        if (is_quantity(word) && !std::filesystem::exists(word, none)) {
            asked.quantities.push_back(word);
        } else {
            asked.files.emplace_back(word);
        }
    }
    if (!asked.files.empty()) return asked;
    throw_input_error(
        {.code = "MD100",
         .what = "analyse needs a run or files",
         .remedy = "mdsim analyse RUN rmsd, or mdsim analyse TOPOLOGY TRAJECTORY rmsd; the quantities are " +
                   names_of_quantities()});
}

std::optional<double> time_of(const std::string& text, const char* option) {
    if (text.empty()) return std::nullopt;
    inp::QuantityFault fault;
    if (const auto time = inp::parse_quantity(text, inp::Dimension::time, "ps", fault)) return time;
    throw_input_error(
        {.code = "MD116",
         .what = fmt::format("{}: {}", option, fault.what),
         .remedy = fault.suggestion.empty() ? std::string() : fmt::format("{} \"{}\"", option, fault.suggestion)});
}

/// One quantity on its way to its table.
struct Work {
    std::string name;
    std::string about;
    std::unique_ptr<analyse::Measure> measure;
    TableFile table;
};

std::filesystem::path table_path(const AnalyseOptions& options, const Asked& asked, const std::string& run,
                                 const std::string& quantity) {
    const std::string output = options.output.string();
    if (asked.quantities.size() == 1) return options.output;  // empty: standard output
    return (output.empty() ? run : output) + "." + quantity + ".csv";
}

// Without names all that these frames allow.
std::vector<Work> begin(const AnalyseOptions& options, const Asked& asked, const AnalysedFiles& files,
                        const analyse::Snapshot& first) {
    std::vector<std::string> names = asked.quantities;
    const bool all = names.empty();
    for (const Quantity& q : all_quantities()) {
        if (all) names.emplace_back(q.name);
    }
    std::vector<Work> work;
    for (const std::string& name : names) {
        try {
            MadeMeasure made = make_measure(name, options.quantity, files.topology, first);
            TableFile table(table_path(options, asked, files.name, name), made.measure->columns());
            work.push_back({name, std::move(made.about), std::move(made.measure), std::move(table)});
        } catch (const Error& error) {
            if (!all || error.problems().front().code != "MD120") throw;
            warn({fmt::format("{} is left out: {}", name, error.problems().front().what)});
        }
    }
    return work;
}

}  // namespace

ExitCode analyse_command(const AnalyseOptions& options) {
    set_thread_count(options.threads);
    const Asked asked = asked_of(options.words);
    const AnalysedFiles files = find_analysed(asked.files, options.topology);
    TrajectorySource source(files, {time_of(options.from, "--from"), time_of(options.to, "--to"), options.every});
    const analyse::Snapshot* frame = source.next();
    if (frame == nullptr) {
        throw_input_error({.code = "MD120",
                           .place = {files.trajectories.front().string()},
                           .what = "there is no frame in the time that is asked for",
                           .remedy = "look at the times with `mdsim info`, and leave out --from and --to"});
    }
    std::vector<Work> work = begin(options, asked, files, *frame);
    std::vector<analyse::Row> rows;
    const double first_time = frame->time;
    double last_time = first_time;
    for (; frame != nullptr; frame = source.next()) {
        last_time = frame->time;
        for (Work& w : work) {
            rows.clear();
            w.measure->add(*frame, rows);
            w.table.add(rows);
        }
    }
    for (Work& w : work) {
        rows.clear();
        w.measure->finish(rows);
        w.table.add(rows);
        w.table.finish();
        fmt::print(stderr, "{} {}; {} frames from {} to {} ps\n", w.name, w.about, source.taken(), first_time,
                   last_time);
    }
    return ExitCode::finished;
}

}  // namespace mdsim
