// SPDX-License-Identifier: Apache-2.0
#include "io/topology/charmm/parameter_reader.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "io/structure/cell.h"
#include "io/text/text_file.h"
#include "io/topology/charmm/parameter_sections.h"
#include "io/topology/charmm/statements.h"

namespace mdsim::charmm {

namespace {

namespace fs = std::filesystem;

constexpr int deepest = 16;  // streams that name streams

/// What statements mean: commands, lines of a parameter or of a topology file, or nothing since that has ended.
enum class Mode { commands, parameters, topology, ended };

bool begins(const std::string& word, std::string_view with) {
    return word.starts_with(with);
}

bool begins_with_one_of(const std::string& word, std::initializer_list<std::string_view> all) {
    return std::any_of(all.begin(), all.end(), [&](std::string_view with) { return word.starts_with(with); });
}

std::string unquoted(const std::string& word) {
    const bool quoted = word.size() > 1 && word.front() == '"' && word.back() == '"';
    return quoted ? word.substr(1, word.size() - 2) : word;
}

/// The word after another, or null.
const std::string* word_after(const Statement& statement, std::string_view before) {
    for (std::size_t n = 0; n + 1 < statement.words.size(); ++n) {
        if (statement.upper[n] == before) return &statement.words[n + 1];
    }
    return nullptr;
}

class Reader {
  public:
    Parameters read(const std::vector<fs::path>& files) {
        for (const fs::path& file : files) read_file(file, Place{});
        sections_.add_notes();
        set_box();
        return std::move(out_);
    }

  private:
    /// One file while it is read.
    struct Open {
        fs::path path;
        Statements statements;
        Mode mode = Mode::commands;
        Mode after_end = Mode::commands;
        std::string opened;  // by the last `open`
    };

    void read_file(const fs::path& path, const Place& named_at) {
        if (++depth_ > deepest)
            Statements::refuse(named_at, "streams name each other without end", {}, "remove one of the names");
        if (named_at.line > 0 && !fs::is_regular_file(path)) {
            Statements::refuse(named_at, fmt::format("there is no file {}", path.string()),
                               "names in a stream count from the stream's own folder", "correct the name");
        }
        Open open{path, Statements(path), Mode::commands, Mode::commands, {}};
        Statement statement;
        bool first = true, more = open.statements.next(statement);
        if (!more) Statements::refuse({path.string(), 0, 0}, "the file holds nothing but comments");
        for (; more; more = open.statements.next(statement)) {
            if (first) start(open, statement);
            first = false;
            if (!read_statement(open, statement)) break;
        }
        if (open.mode == Mode::parameters) sections_.end_part();
        --depth_;
    }

    // Files without a command that says what they are: parameters begin with a section, topologies with a version.
    void start(Open& open, const Statement& statement) {
        const std::string end = upper(open.path.extension().string());
        const std::string& word = statement.upper[0];
        const bool number = word.find_first_not_of("0123456789") == std::string::npos;
        const bool section =
            begins_with_one_of(word, {"ATOM", "BOND", "ANGL", "THET", "DIHE", "IMPR", "CMAP", "NONB", "NBON", "NBFI"});
        if (begins(word, "READ")) return;
        open.after_end = Mode::ended;
        if (end == ".RTF" || number || word == "MASS") {
            open.mode = Mode::topology;
        } else if (end == ".PRM" || end == ".PAR" || section) {
            open.mode = Mode::parameters;
            sections_.begin_part();
        } else {
            open.after_end = Mode::commands;
        }
    }

    // False where the rest of the file does not count.
    bool read_statement(Open& open, const Statement& statement) {
        const std::string& word = statement.upper[0];
        const bool command = begins(word, "READ") && statement.words.size() > 1;
        if (open.mode == Mode::ended && !command && word != "RETURN") return true;
        if (open.mode == Mode::commands || open.mode == Mode::ended || command) return read_command(open, statement);
        if (word == "END" || word == "RETURN") {
            if (open.mode == Mode::parameters) sections_.end_part();
            open.mode = open.after_end;
            return word != "RETURN";
        }
        if (open.mode == Mode::parameters) {
            sections_.read(statement);
        } else {
            read_topology_line(statement);
        }
        return true;
    }

    // Templates of residues have done their part when a PSF is made.
    void read_topology_line(const Statement& statement) {
        const std::string& word = statement.upper[0];
        if (word == "MASS") sections_.read_mass(statement, true);
        if (begins(word, "RESI")) ++out_.residues;
        if (begins(word, "PRES")) ++out_.patches;
    }

    bool read_command(Open& open, const Statement& statement) {
        const std::string& word = statement.upper[0];
        if (begins(word, "READ")) return read_read(open, statement), true;
        if (word == "RETURN" || word == "STOP") return false;
        if (begins(word, "OPEN")) return read_open(open, statement), true;
        if (begins(word, "STRE")) return read_stream(open, statement), true;
        if (word == "SET") return read_set(statement), true;
        if (word == "IF") return read_condition(statement), true;
        if (begins_with_one_of(word, {"WRNL", "BOML", "BOMB", "PRNL", "IOFO", "CLOS", "ECHO", "END", "LOWER", "UPPER"}))
            return true;
        if (statement.words.size() == 1 && fs::path(statement.words[0]).has_extension())
            return read_file(open.path.parent_path() / statement.words[0], statement.places[0]), true;
        Statements::refuse_feature(
            statement.places[0], fmt::format("the command \"{}\" of a CHARMM script", statement.words[0]),
            "of scripts mdsim reads what brings parameters: read rtf, read para, open, stream, set",
            "give the parameter files themselves in system.parameters");
    }

    // read rtf|para card [append] [flex] [unit N | name FILE]
    void read_read(Open& open, const Statement& statement) {
        if (open.mode == Mode::parameters) sections_.end_part();
        const std::string kind = statement.words.size() > 1 ? statement.upper[1] : "";
        if (!begins(kind, "RTF") && !begins(kind, "PARA")) {
            Statements::refuse_feature(statement.places[0], fmt::format("the command \"read {}\"", kind),
                                       "here mdsim reads topologies of residues (rtf) and parameters (para) only",
                                       "give other files where their keys are, such as system.coordinates");
        }
        const std::string* name = word_after(statement, "NAME");
        const bool elsewhere = name != nullptr || word_after(statement, "UNIT") != nullptr;
        if (elsewhere) {
            open.mode = Mode::commands;
            const std::string file = name != nullptr ? unquoted(*name) : open.opened;
            if (file.empty())
                Statements::refuse(statement.places[0], "no file was opened for this unit", {},
                                   "add an open before it");
            return read_file(open.path.parent_path() / file, statement.places[0]);
        }
        open.mode = begins(kind, "RTF") ? Mode::topology : Mode::parameters;
        open.statements.skip_title();
        if (open.mode == Mode::parameters) sections_.begin_part();
    }

    static void read_open(Open& open, const Statement& statement) {
        const std::string* name = word_after(statement, "NAME");
        if (name == nullptr) Statements::refuse(statement.places[0], "this open names no file");
        open.opened = unquoted(*name);
    }

    void read_stream(const Open& open, const Statement& statement) {
        if (statement.words.size() < 2) Statements::refuse(statement.places[0], "this stream names no file");
        read_file(open.path.parent_path() / unquoted(statement.words[1]), statement.places[1]);
    }

    // set NAME [=] VALUE
    void read_set(const Statement& statement) {
        if (statement.words.size() < 2) return;
        const std::size_t at = statement.words.size() > 2 && statement.words[2] == "=" ? 3 : 2;
        if (at >= statement.words.size()) return;
        static constexpr std::array names{"A", "B", "C", "ALPHA", "BETA", "GAMMA"};
        const auto name = std::find(names.begin(), names.end(), statement.upper[1]);
        if (name == names.end()) return;
        const auto index = static_cast<std::size_t>(name - names.begin());
        std::string value = statement.upper[at];
        if (value.starts_with('@')) {  // the value of another one
            const auto other = std::find(names.begin(), names.end(), value.substr(1));
            if (other == names.end()) return;
            cell_[index] = cell_[static_cast<std::size_t>(other - names.begin())];
        } else if (parse_number(value, cell_[index]) != std::string_view::npos) {
            return;  // something else of this name
        }
        cell_place_ = statement.places[1];
    }

    // Conditions ask about versions and settings of CHARMM, which is not here: only what does not matter may depend on
    // them.
    static void read_condition(const Statement& statement) {
        const auto matters = std::find_if(statement.upper.begin() + 1, statement.upper.end(), [](const auto& word) {
            return begins_with_one_of(word, {"READ", "STRE", "OPEN", "GOTO", "RETU"});
        });
        if (matters == statement.upper.end()) return;
        const auto at = static_cast<std::size_t>(matters - statement.upper.begin());
        Statements::refuse_feature(statement.places[at], fmt::format("\"{}\" under a condition", statement.words[at]),
                                   "whether the condition holds depends on the state of CHARMM",
                                   "give the parameter files themselves in system.parameters");
    }

    void set_box() {
        if (cell_place_.line == 0 || !(cell_[0] > 0.0 && cell_[1] > 0.0 && cell_[2] > 0.0)) return;
        if (cell_[3] != 90.0 || cell_[4] != 90.0 || cell_[5] != 90.0) {
            Statements::refuse_feature(
                cell_place_, fmt::format("a cell with angles of {}, {} and {} degrees", cell_[3], cell_[4], cell_[5]),
                "CHARMM lays such a cell in space by a symmetric matrix, so that coordinates would have to be rotated",
                "take the file out of system.parameters, and give system.box in the frame of the coordinates");
        }
        out_.box = cell_from_angstrom({cell_[0], cell_[1], cell_[2]}, {90.0, 90.0, 90.0}, cell_place_);
    }

    Parameters out_;
    ParameterSections sections_{out_};
    int depth_ = 0;
    std::array<double, 6> cell_{0.0, 0.0, 0.0, 90.0, 90.0, 90.0};
    Place cell_place_;
};

}  // namespace

Parameters read_parameters(const std::vector<fs::path>& files) {
    return Reader().read(files);
}

}  // namespace mdsim::charmm
