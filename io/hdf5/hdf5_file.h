// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <hdf5.h>

namespace mdsim::h5 {

class PageOverlay;

/// Owns one HDF5 identifier and closes it with the function of its kind.
class Id {
  public:
    using Close = herr_t (*)(hid_t);
    Id(hid_t id, Close close) : id_(id), close_(close) {}
    Id(Id&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
    Id& operator=(Id&&) = delete;
    Id(const Id&) = delete;
    Id& operator=(const Id&) = delete;
    ~Id() {
        if (id_ >= 0) close_(id_);
    }
    operator hid_t() const { return id_; }  // NOLINT: an Id is used wherever HDF5 wants its hid_t

  private:
    hid_t id_;
    Close close_;
};

/// An open HDF5 file. Every failure is an Error with exit code 74 that names the file. File locking is off: a reader
/// that looks at the file must never stop a simulation (and locks do not work on many cluster file systems).
class File {
  public:
    static File open_to_read(const std::filesystem::path& path);
    /// All writes go to the overlay; `path` is for messages only. A new file leaves its first `user_block` [bytes]
    /// (0, or a power of two from 512) to others.
    static File open_overlay(const std::filesystem::path& path, PageOverlay& overlay, bool create,
                             hsize_t user_block = 0);

    hid_t id() const { return id_; }
    const std::filesystem::path& path() const { return path_; }
    bool has(const std::string& name) const;
    bool has_attribute(const std::string& object, const std::string& name) const;
    bool is_dataset(const std::string& name) const;
    /// Names of what is in a group, in the order of the alphabet.
    std::vector<std::string> members(const std::string& group) const;

    /// Whole datasets, written once. Groups on the way are made.
    void write(const std::string& name, std::span<const double> values, const std::vector<hsize_t>& extent);
    void write(const std::string& name, std::span<const std::int64_t> values, const std::vector<hsize_t>& extent);
    /// Texts of fixed length, as long as the longest of them.
    void write(const std::string& name, const std::vector<std::string>& texts);
    /// As a string of fixed length: those of variable length are read by following addresses.
    void write(const std::string& name, const std::string& text);
    /// The same in place of what is there.
    void rewrite(const std::string& name, const std::string& text);
    std::vector<double> read_doubles(const std::string& name) const;
    std::vector<std::int64_t> read_integers(const std::string& name) const;
    std::string read_text(const std::string& name) const;
    std::vector<std::string> read_texts(const std::string& name) const;
    std::vector<hsize_t> extent(const std::string& name) const;
    /// Throws where a dataset says that it holds more than its file can, however well it is packed: it is damaged, and
    /// must not ask for memory. element: size of a number [bytes].
    void require_room(const std::string& name, const std::vector<hsize_t>& extent, std::size_t element) const;

    /// A dataset whose first extent grows, empty; `type` is its type in the file. A row of more than 0.75 MB that would
    /// be a chunk is cut into several along its first extent.
    enum class Packing { none, deflate };
    void create_growing(const std::string& name, hid_t type, const std::vector<hsize_t>& row_extent, hsize_t chunk_rows,
                        Packing packing = Packing::none);
    /// Appends rows (all extents but the first).
    void append_rows(const std::string& name, hid_t memory_type, const void* rows, hsize_t count);
    /// Reads one row into `row`, which has to be of its size exactly.
    void read_row(const std::string& name, hsize_t index, hid_t memory_type, std::span<char> row) const;
    /// Cuts a growing dataset back to `rows` rows.
    void set_rows(const std::string& name, hsize_t rows);

    void make_group(const std::string& name);
    void set_attribute(const std::string& object, const std::string& name, const std::string& text);
    void set_attribute(const std::string& object, const std::string& name, std::span<const std::int64_t> values);
    /// Variable-length strings, as readers want units and boundaries.
    void set_attribute(const std::string& object, const std::string& name, const std::vector<std::string>& texts);
    void set_attribute(const std::string& object, const std::string& name, double value);
    /// A reference to another object of the file.
    void set_reference(const std::string& object, const std::string& name, const std::string& target);
    void hard_link(const std::string& existing, const std::string& name);
    double number_attribute(const std::string& object, const std::string& name) const;
    /// Of fixed or variable length.
    std::string text_attribute(const std::string& object, const std::string& name) const;

    /// Throws MD604: what HDF5 failed to do with what.
    [[noreturn]] void refuse(std::string_view doing, const std::string& name) const { fail(doing, name); }
    /// Flushes everything to the system; call before the file is synced to disk.
    void flush();

  private:
    [[noreturn]] void fail(std::string_view doing, const std::string& name) const;
    File(std::filesystem::path path, Id id) : path_(std::move(path)), id_(std::move(id)) {}

    hid_t check(hid_t id, std::string_view doing, const std::string& name) const;
    void write_values(const std::string& name, hid_t type, const void* values, const std::vector<hsize_t>& extent);
    template <class T>
    std::vector<T> read_values(const std::string& name, hid_t type) const;

    std::filesystem::path path_;
    Id id_;
};

}  // namespace mdsim::h5
