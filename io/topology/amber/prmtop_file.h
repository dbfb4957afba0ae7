// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "io/topology/amber/format.h"

namespace mdsim::amber {

/// One %FLAG of a prmtop: where its values are, not yet converted.
struct Section {
    int flag_line = 0;
    int first_line = 0;     ///< of the values
    std::string_view data;  ///< lines of values
    std::vector<Field> fields;
    bool last = false;  ///< the file ends with it
};

/// A prmtop taken apart into its sections. Values are converted on request, by the section's own %FORMAT, and their
/// number is checked; every complaint (MD200, MD201) names section, line and column.
class PrmtopFile {
  public:
    explicit PrmtopFile(const std::filesystem::path& file);
    // Sections point into the text.
    PrmtopFile(const PrmtopFile&) = delete;
    PrmtopFile& operator=(const PrmtopFile&) = delete;

    bool has(const std::string& section) const { return sections_.contains(section); }
    /// Throws where a section that is here holds fewer than `count` values, or is cut off in one: for sections of which
    /// only that matters.
    void require_values(const std::string& section, std::int64_t count) const;
    /// Throws where the section is missing, and says where the file ends.
    void require(const std::string& section) const { find(section); }
    const std::map<std::string, Section>& sections() const { return sections_; }

    /// Exactly `count` values.
    std::vector<int> integers(const std::string& section, std::int64_t count) const;
    std::vector<double> reals(const std::string& section, std::int64_t count) const;
    /// Exactly `count` texts, blanks at their ends removed.
    std::vector<std::string> words(const std::string& section, std::int64_t count) const;
    /// All values of a section.
    std::vector<int> integers(const std::string& section) const;
    /// The first line of a section, "" where the file has none.
    std::string line(const std::string& section) const;
    /// Number of values that a section holds; 0 where it is absent.
    std::int64_t count(const std::string& section) const;

    /// Where value number `index` (from 0) of a section is.
    Place place(const std::string& section, std::int64_t index) const;
    /// Where the section begins, or the file alone.
    Place place(const std::string& section) const;
    [[noreturn]] void refuse(const Place& where, std::string what, std::string why = {}, std::string remedy = {}) const;

  private:
    void split();
    void check_start() const;
    Section& open_section(std::string_view flag, int line);
    void read_format(Section& section, std::string_view line, int number) const;
    const Section& find(const std::string& section) const;
    template <class T>
    std::vector<T> numbers(const std::string& name, std::int64_t count) const;
    template <class F>
    std::int64_t for_each_field(const Section& section, bool blank_counts, F&& f) const;
    void require_count(const std::string& name, std::int64_t found, std::int64_t count, int line) const;
    [[noreturn]] void refuse_extra(const std::string& name, std::int64_t count, const Place& where,
                                   std::string_view text) const;
    [[noreturn]] void refuse_field(const std::string& name, const Place& where, std::string_view field,
                                   std::size_t wrong) const;

    std::string file_;
    std::string text_;
    std::map<std::string, Section> sections_;
};

}  // namespace mdsim::amber
