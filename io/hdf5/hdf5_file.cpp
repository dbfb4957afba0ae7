// SPDX-License-Identifier: Apache-2.0
#include "io/hdf5/hdf5_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "core/error.h"
#include "io/hdf5/page_overlay.h"

namespace mdsim::h5 {

namespace {

Id link_properties() {
    Id properties(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
    H5Pset_create_intermediate_group(properties, 1);
    return properties;
}

Id access_properties() {
    // What HDF5 could not write when it closed a file makes its handler at exit crash.
    static const herr_t no_handler_at_exit = H5dont_atexit();
    static_cast<void>(no_handler_at_exit);
    // Locking is read from the environment when a file is opened (HDF5 1.10); its error stack is ours to report.
    ::setenv("HDF5_USE_FILE_LOCKING", "FALSE", 0);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    Id properties(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_libver_bounds(properties, H5F_LIBVER_EARLIEST, H5F_LIBVER_V110);
    H5Pset_fclose_degree(properties, H5F_CLOSE_STRONG);
    return properties;
}

// The system's reason is what HDF5's own file driver has left in errno, where it came that far.
[[noreturn]] void throw_open(const std::filesystem::path& path, std::string_view doing) {
    const std::string reason = errno == 0 ? std::string() : fmt::format(": {}", std::strerror(errno));
    throw_io_error({.code = "MD603",
                    .place = {path.string()},
                    .what = fmt::format("HDF5 failed {} the file{}", doing, reason),
                    .remedy = "check that it is a whole HDF5 file, the permissions and the room on the disk"});
}

Id fixed_string_type(std::size_t length) {
    Id type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type, std::max<std::size_t>(length, 1));
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

constexpr unsigned fast_deflate = 1;  // higher levels take several times as long for a few parts in a hundred

constexpr hsize_t most_chunk_bytes = 786432;  // below the megabyte that HDF5 keeps unpacked of a dataset

Id string_type() {
    Id type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

}  // namespace

void File::fail(std::string_view doing, const std::string& name) const {
    throw_io_error({.code = "MD604",
                    .place = {path_.string()},
                    .what = fmt::format("HDF5 failed {} {}", doing, name),
                    .remedy = "check the room on the disk and run the same command again; a damaged file has to be "
                              "restored or put aside"});
}

hid_t File::check(hid_t id, std::string_view doing, const std::string& name) const {
    if (id < 0) fail(doing, name);
    return id;
}

File File::open_to_read(const std::filesystem::path& path) {
    const Id access = access_properties();
    errno = 0;
    const hid_t id = H5Fopen(path.c_str(), H5F_ACC_RDONLY, access);
    if (id < 0) throw_open(path, "opening");
    return {path, Id(id, H5Fclose)};
}

File File::open_overlay(const std::filesystem::path& path, PageOverlay& overlay, bool create, hsize_t user_block) {
    const Id access = access_properties();
    use_overlay(access, overlay);
    const Id creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
    H5Pset_userblock(creation, user_block);
    errno = 0;
    const hid_t id =
        create ? H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, access) : H5Fopen(path.c_str(), H5F_ACC_RDWR, access);
    if (id < 0) throw_open(path, create ? "creating" : "opening");
    return {path, Id(id, H5Fclose)};
}

// H5Lexists wants every group on the way to exist.
bool File::has(const std::string& name) const {
    for (std::size_t end = name.find('/', 1);; end = name.find('/', end + 1)) {
        const std::string part = name.substr(0, end);
        if (H5Lexists(id_, part.c_str(), H5P_DEFAULT) <= 0) return false;
        if (end == std::string::npos) return true;
    }
}

void File::write_values(const std::string& name, hid_t type, const void* values, const std::vector<hsize_t>& extent) {
    const Id space(extent.empty() ? H5Screate(H5S_SCALAR)
                                  : H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr),
                   H5Sclose);
    const Id links = link_properties();
    const Id set(check(H5Dcreate2(id_, name.c_str(), type, space, links, H5P_DEFAULT, H5P_DEFAULT), "creating", name),
                 H5Dclose);
    if (H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0) fail("writing", name);
}

void File::write(const std::string& name, std::span<const double> values, const std::vector<hsize_t>& extent) {
    write_values(name, H5T_NATIVE_DOUBLE, values.data(), extent);
}

void File::write(const std::string& name, std::span<const std::int64_t> values, const std::vector<hsize_t>& extent) {
    write_values(name, H5T_NATIVE_INT64, values.data(), extent);
}

void File::write(const std::string& name, const std::string& text) {
    write_values(name, fixed_string_type(text.size()), text.c_str(), {});
}

void File::write(const std::string& name, const std::vector<std::string>& texts) {
    std::size_t width = 1;
    for (const std::string& text : texts) width = std::max(width, text.size());
    std::string bytes(width * texts.size(), '\0');
    for (std::size_t n = 0; n < texts.size(); ++n) texts[n].copy(bytes.data() + n * width, width);
    write_values(name, fixed_string_type(width), bytes.data(), {texts.size()});
}

std::vector<std::string> File::read_texts(const std::string& name) const {
    const Id set(check(H5Dopen2(id_, name.c_str(), H5P_DEFAULT), "opening", name), H5Dclose);
    const Id type(H5Dget_type(set), H5Tclose);
    const Id space(H5Dget_space(set), H5Sclose);
    if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0)
        fail("reading as texts of fixed length", name);
    const std::size_t width = H5Tget_size(type);
    require_room(name, extent(name), width);
    std::vector<std::string> texts(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    std::string bytes(width * texts.size(), '\0');
    if (H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) < 0) fail("reading", name);
    for (std::size_t n = 0; n < texts.size(); ++n) {
        texts[n] = bytes.substr(n * width, width);
        texts[n].resize(std::min(texts[n].size(), texts[n].find('\0')));
    }
    return texts;
}

void File::rewrite(const std::string& name, const std::string& text) {
    if (has(name) && H5Ldelete(id_, name.c_str(), H5P_DEFAULT) < 0) fail("replacing", name);
    write(name, text);
}

std::vector<hsize_t> File::extent(const std::string& name) const {
    const Id set(check(H5Dopen2(id_, name.c_str(), H5P_DEFAULT), "opening", name), H5Dclose);
    const Id space(H5Dget_space(set), H5Sclose);
    const int dimensions = H5Sget_simple_extent_ndims(space);
    if (dimensions < 0) fail("reading the extent of", name);
    std::vector<hsize_t> extent(static_cast<std::size_t>(dimensions));
    H5Sget_simple_extent_dims(space, extent.data(), nullptr);
    return extent;
}

void File::require_room(const std::string& name, const std::vector<hsize_t>& extent, std::size_t element) const {
    hsize_t size = 0;
    if (H5Fget_filesize(id_, &size) < 0) fail("finding the size of", "the file");
    double bytes = static_cast<double>(element);
    for (const hsize_t n : extent) bytes *= static_cast<double>(n);
    // Deflate's best is 1032 to 1 (zlib, "Technical Details").
    if (bytes > 1032.0 * static_cast<double>(size)) fail("believing the extent of", name);
}

template <class T>
std::vector<T> File::read_values(const std::string& name, hid_t type) const {
    require_room(name, extent(name), 1);
    const Id set(check(H5Dopen2(id_, name.c_str(), H5P_DEFAULT), "opening", name), H5Dclose);
    const Id space(H5Dget_space(set), H5Sclose);
    const hssize_t size = H5Sget_simple_extent_npoints(space);
    if (size < 0) fail("reading the extent of", name);
    std::vector<T> values(static_cast<std::size_t>(size));
    if (size > 0 && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0) fail("reading", name);
    return values;
}

std::vector<double> File::read_doubles(const std::string& name) const {
    return read_values<double>(name, H5T_NATIVE_DOUBLE);
}

std::vector<std::int64_t> File::read_integers(const std::string& name) const {
    return read_values<std::int64_t>(name, H5T_NATIVE_INT64);
}

std::string File::read_text(const std::string& name) const {
    const Id set(check(H5Dopen2(id_, name.c_str(), H5P_DEFAULT), "opening", name), H5Dclose);
    const Id type(H5Dget_type(set), H5Tclose);
    const Id space(H5Dget_space(set), H5Sclose);
    if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0 || H5Sget_simple_extent_npoints(space) != 1)
        fail("reading as a text of fixed length", name);
    std::string text(H5Tget_size(type), '\0');
    if (H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()) < 0) fail("reading", name);
    text.resize(std::min(text.size(), text.find('\0')));
    return text;
}

void File::create_growing(const std::string& name, hid_t type, const std::vector<hsize_t>& row_extent,
                          hsize_t chunk_rows, Packing packing) {
    std::vector<hsize_t> now{0}, most{H5S_UNLIMITED}, chunk{chunk_rows};
    hsize_t bytes = H5Tget_size(type);
    for (const hsize_t n : row_extent) {
        now.push_back(n);
        most.push_back(n);
        chunk.push_back(n);
        bytes *= n;
    }
    if (chunk_rows == 1 && bytes > most_chunk_bytes)
        chunk[1] = std::max<hsize_t>(1, most_chunk_bytes / (bytes / row_extent[0]));
    const Id space(H5Screate_simple(static_cast<int>(now.size()), now.data(), most.data()), H5Sclose);
    const Id properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_chunk(properties, static_cast<int>(chunk.size()), chunk.data());
    if (packing == Packing::deflate) {
        H5Pset_shuffle(properties);
        H5Pset_deflate(properties, fast_deflate);
    }
    const Id links = link_properties();
    const Id set(check(H5Dcreate2(id_, name.c_str(), type, space, links, properties, H5P_DEFAULT), "creating", name),
                 H5Dclose);
}

void File::set_rows(const std::string& name, hsize_t rows) {
    std::vector<hsize_t> size = extent(name);
    const Id set(check(H5Dopen2(id_, name.c_str(), H5P_DEFAULT), "opening", name), H5Dclose);
    size[0] = rows;
    if (H5Dset_extent(set, size.data()) < 0) fail("resizing", name);
}

void File::append_rows(const std::string& name, hid_t memory_type, const void* rows, hsize_t rows_added) {
    std::vector<hsize_t> size = extent(name);
    const Id set(check(H5Dopen2(id_, name.c_str(), H5P_DEFAULT), "opening", name), H5Dclose);
    std::vector<hsize_t> start(size.size(), 0), count = size;
    start[0] = size[0];
    size[0] += rows_added;
    count[0] = rows_added;
    if (H5Dset_extent(set, size.data()) < 0) fail("extending", name);
    const Id file_space(H5Dget_space(set), H5Sclose);
    H5Sselect_hyperslab(file_space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
    const Id memory_space(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr), H5Sclose);
    if (H5Dwrite(set, memory_type, memory_space, file_space, H5P_DEFAULT, rows) < 0) fail("writing rows of", name);
}

void File::read_row(const std::string& name, hsize_t index, hid_t memory_type, std::span<char> row) const {
    const std::vector<hsize_t> size = extent(name);
    const Id set(check(H5Dopen2(id_, name.c_str(), H5P_DEFAULT), "opening", name), H5Dclose);
    std::vector<hsize_t> start(size.size(), 0), count = size;
    if (size.empty() || index >= size[0]) fail("finding a row of", name);
    start[0] = index;
    count[0] = 1;
    const Id file_space(H5Dget_space(set), H5Sclose);
    H5Sselect_hyperslab(file_space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
    const Id memory_space(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr), H5Sclose);
    const auto values = static_cast<std::size_t>(H5Sget_simple_extent_npoints(memory_space));
    if (values != row.size() / H5Tget_size(memory_type) ||
        H5Dread(set, memory_type, memory_space, file_space, H5P_DEFAULT, row.data()) < 0)
        fail("reading a row of", name);
}

void File::make_group(const std::string& name) {
    if (has(name)) return;
    const Id links = link_properties();
    const Id group(check(H5Gcreate2(id_, name.c_str(), links, H5P_DEFAULT, H5P_DEFAULT), "creating", name), H5Gclose);
}

void File::set_attribute(const std::string& object, const std::string& name, const std::string& text) {
    const Id type = string_type();
    const Id space(H5Screate(H5S_SCALAR), H5Sclose);
    const Id attribute(
        check(H5Acreate_by_name(id_, object.c_str(), name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
              "creating attribute", name),
        H5Aclose);
    const char* pointer = text.c_str();
    if (H5Awrite(attribute, type, &pointer) < 0) fail("writing attribute", name);
}

void File::set_attribute(const std::string& object, const std::string& name, const std::vector<std::string>& texts) {
    const Id type = string_type();
    const hsize_t size = texts.size();
    const Id space(H5Screate_simple(1, &size, nullptr), H5Sclose);
    const Id attribute(
        check(H5Acreate_by_name(id_, object.c_str(), name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
              "creating attribute", name),
        H5Aclose);
    std::vector<const char*> pointers;
    for (const std::string& text : texts) pointers.push_back(text.c_str());
    if (H5Awrite(attribute, type, pointers.data()) < 0) fail("writing attribute", name);
}

void File::set_attribute(const std::string& object, const std::string& name, std::span<const std::int64_t> values) {
    const hsize_t size = values.size();
    const Id space(size == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &size, nullptr), H5Sclose);
    const Id attribute(check(H5Acreate_by_name(id_, object.c_str(), name.c_str(), H5T_STD_I32LE, space, H5P_DEFAULT,
                                               H5P_DEFAULT, H5P_DEFAULT),
                             "creating attribute", name),
                       H5Aclose);
    if (H5Awrite(attribute, H5T_NATIVE_INT64, values.data()) < 0) fail("writing attribute", name);
}

void File::set_attribute(const std::string& object, const std::string& name, double value) {
    const Id space(H5Screate(H5S_SCALAR), H5Sclose);
    const Id attribute(check(H5Acreate_by_name(id_, object.c_str(), name.c_str(), H5T_IEEE_F64LE, space, H5P_DEFAULT,
                                               H5P_DEFAULT, H5P_DEFAULT),
                             "creating attribute", name),
                       H5Aclose);
    if (H5Awrite(attribute, H5T_NATIVE_DOUBLE, &value) < 0) fail("writing attribute", name);
}

void File::set_reference(const std::string& object, const std::string& name, const std::string& target) {
    const Id space(H5Screate(H5S_SCALAR), H5Sclose);
    const Id attribute(check(H5Acreate_by_name(id_, object.c_str(), name.c_str(), H5T_STD_REF_OBJ, space, H5P_DEFAULT,
                                               H5P_DEFAULT, H5P_DEFAULT),
                             "creating attribute", name),
                       H5Aclose);
    hobj_ref_t reference{};
    if (H5Rcreate(&reference, id_, target.c_str(), H5R_OBJECT, H5I_INVALID_HID) < 0 ||
        H5Awrite(attribute, H5T_STD_REF_OBJ, &reference) < 0)
        fail("writing attribute", name);
}

double File::number_attribute(const std::string& object, const std::string& name) const {
    const Id attribute(
        check(H5Aopen_by_name(id_, object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), "reading attribute", name),
        H5Aclose);
    const Id space(H5Aget_space(attribute), H5Sclose);
    double value = 0.0;
    if (H5Sget_simple_extent_npoints(space) != 1 || H5Aread(attribute, H5T_NATIVE_DOUBLE, &value) < 0)
        fail("reading attribute", name);
    return value;
}

std::string File::text_attribute(const std::string& object, const std::string& name) const {
    const Id attribute(
        check(H5Aopen_by_name(id_, object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), "reading attribute", name),
        H5Aclose);
    const Id stored(H5Aget_type(attribute), H5Tclose);
    const Id space(H5Aget_space(attribute), H5Sclose);
    if (H5Tget_class(stored) != H5T_STRING || H5Sget_simple_extent_npoints(space) != 1)
        fail("reading as one text the attribute", name);
    if (H5Tis_variable_str(stored) <= 0) {
        std::string text(H5Tget_size(stored), '\0');
        if (H5Aread(attribute, stored, text.data()) < 0) fail("reading attribute", name);
        text.resize(std::min(text.size(), text.find('\0')));
        return text;
    }
    const Id type(H5Tcopy(stored), H5Tclose);  // in the file's character set: HDF5 does not convert between them
    char* pointer = nullptr;
    if (H5Aread(attribute, type, &pointer) < 0) fail("reading attribute", name);
    std::string text = pointer != nullptr ? pointer : "";
    H5free_memory(pointer);
    return text;
}

bool File::has_attribute(const std::string& object, const std::string& name) const {
    return has(object) && H5Aexists_by_name(id_, object.c_str(), name.c_str(), H5P_DEFAULT) > 0;
}

bool File::is_dataset(const std::string& name) const {
    if (!has(name)) return false;
    const Id object(H5Oopen(id_, name.c_str(), H5P_DEFAULT), H5Oclose);
    return object >= 0 && H5Iget_type(object) == H5I_DATASET;
}

std::vector<std::string> File::members(const std::string& group) const {
    const Id id(check(H5Gopen2(id_, group.c_str(), H5P_DEFAULT), "opening", group), H5Gclose);
    std::vector<std::string> names;
    H5G_info_t info;
    if (H5Gget_info(id, &info) < 0) fail("listing", group);
    for (hsize_t n = 0; n < info.nlinks; ++n) {
        char name[256] = {};
        if (H5Lget_name_by_idx(id, ".", H5_INDEX_NAME, H5_ITER_INC, n, name, sizeof name, H5P_DEFAULT) < 0)
            fail("listing", group);
        names.emplace_back(name);
    }
    return names;
}

void File::hard_link(const std::string& existing, const std::string& name) {
    const Id links = link_properties();
    if (H5Lcreate_hard(id_, existing.c_str(), id_, name.c_str(), links, H5P_DEFAULT) < 0) fail("linking", name);
}

void File::flush() {
    if (H5Fflush(id_, H5F_SCOPE_GLOBAL) < 0) fail("flushing", "the file");
}

}  // namespace mdsim::h5
