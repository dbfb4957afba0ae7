// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace mdsim {

/// A NetCDF file of the classic formats (versions 1, 2 and 5), read only: dimensions, attributes of text and numbers,
/// and variables. Throws Error (MD303) where it is none or is cut off.
/// Format: "The NetCDF Classic Format Specification", docs.unidata.ucar.edu/netcdf-c, appendix B.
class NetcdfFile {
  public:
    enum class Part { all, header };
    /// Part::header: without the values, for files that are read frame by frame.
    explicit NetcdfFile(const std::filesystem::path& file, Part part = Part::all);

    struct Variable {
        std::vector<std::int64_t> shape;        ///< 0 for the record dimension
        int type = 0;                           ///< NC_BYTE = 1, CHAR, SHORT, INT, FLOAT, DOUBLE = 6, ...
        std::uint64_t begin = 0;                ///< of the values, from the start of the file
        std::map<std::string, double> numbers;  ///< attributes that are one number
        std::map<std::string, std::string> texts;
        bool by_record() const { return !shape.empty() && shape[0] == 0; }
        /// Of one record, without what fills it up; of all values where there are no records.
        std::uint64_t bytes() const;
    };

    /// Length of a dimension, -1 where there is none of that name.
    std::int64_t dimension(const std::string& name) const;
    /// A text attribute of the file, "" where there is none.
    std::string text(const std::string& attribute) const;
    /// Bytes from one record to the next.
    std::uint64_t record_bytes() const;
    /// From the start of the file to the first record.
    std::uint64_t records_begin() const;
    bool has(const std::string& variable) const { return variables_.contains(variable); }
    const Variable& variable(const std::string& name) const { return variables_.at(name); }
    /// All values of a variable without a record dimension, of any type of number.
    std::vector<double> values(const std::string& variable) const;

  private:
    void read_header();
    void read_dimensions();
    void read_attributes(std::map<std::string, std::string>& texts, std::map<std::string, double>& numbers);
    void read_variables();
    std::uint64_t number(int bytes);
    std::uint64_t count() { return number(version_ == 5 ? 8 : 4); }
    std::string name();
    double value(int type, std::uint64_t at) const;
    void need(std::uint64_t at, std::uint64_t bytes) const;
    [[noreturn]] void refuse(std::string what) const;

    std::string file_;
    std::string bytes_;
    std::uint64_t at_ = 0;
    int version_ = 0;
    std::vector<std::pair<std::string, std::int64_t>> dimensions_;
    std::map<std::string, std::string> texts_;
    std::map<std::string, Variable> variables_;
};

}  // namespace mdsim
