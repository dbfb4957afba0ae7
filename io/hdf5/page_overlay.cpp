// SPDX-License-Identifier: Apache-2.0
#include "io/hdf5/page_overlay.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "io/output/append_file.h"

namespace mdsim::h5 {

PageOverlay::PageOverlay(const std::filesystem::path& path) : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (descriptor_ < 0 && errno != ENOENT) throw_system_error(path, "opening");
    struct stat status {};
    if (descriptor_ >= 0 && ::fstat(descriptor_, &status) == 0) file_size_ = static_cast<std::uint64_t>(status.st_size);
    size_ = file_size_;
}

PageOverlay::~PageOverlay() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

// Bytes past the end of the file read as zero, as HDF5 expects.
void PageOverlay::read_from_file(std::uint64_t offset, std::span<char> out) const {
    std::fill(out.begin(), out.end(), '\0');
    std::size_t done = 0;
    while (descriptor_ >= 0 && done < out.size() && offset + done < file_size_) {
        const ssize_t n = ::pread(descriptor_, out.data() + done, out.size() - done, static_cast<off_t>(offset + done));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        done += static_cast<std::size_t>(n);
    }
}

void PageOverlay::read(std::uint64_t offset, std::span<char> out) const {
    while (!out.empty()) {
        const std::uint64_t page = offset / page_size, within = offset % page_size;
        const std::size_t n = std::min<std::uint64_t>(out.size(), page_size - within);
        if (const auto found = pages_.find(page); found != pages_.end()) {
            std::memcpy(out.data(), found->second->data() + within, n);
        } else {
            read_from_file(offset, out.first(n));
        }
        offset += n;
        out = out.subspan(n);
    }
}

void PageOverlay::write(std::uint64_t offset, std::span<const char> bytes) {
    size_ = std::max<std::uint64_t>(size_, offset + bytes.size());
    while (!bytes.empty()) {
        const std::uint64_t page = offset / page_size, within = offset % page_size;
        const std::size_t n = std::min<std::uint64_t>(bytes.size(), page_size - within);
        auto& target = pages_[page];
        if (!target) {
            target = std::make_unique_for_overwrite<Page>();
            if (n < page_size) read_from_file(page * page_size, *target);
        }
        std::memcpy(target->data() + within, bytes.data(), n);
        offset += n;
        bytes = bytes.subspan(n);
    }
}

// ---- the overlay as a virtual file driver of HDF5 (HDF5 1.10, "Virtual File Layer") ----

namespace {

struct OverlayFile {
    H5FD_t base;  // must come first: HDF5 sees only this
    PageOverlay* overlay;
    haddr_t end_of_allocation;
};

OverlayFile& self(H5FD_t* file) {
    return *reinterpret_cast<OverlayFile*>(file);
}
const OverlayFile& self(const H5FD_t* file) {
    return *reinterpret_cast<const OverlayFile*>(file);
}

H5FD_t* open_overlay(const char*, unsigned, hid_t access, haddr_t) {
    const auto* info = static_cast<PageOverlay* const*>(H5Pget_driver_info(access));
    if (info == nullptr) return nullptr;
    auto* file = new OverlayFile{};
    file->overlay = *info;
    return &file->base;
}

herr_t close_overlay(H5FD_t* file) {
    delete &self(file);
    return 0;
}

herr_t query_overlay(const H5FD_t*, unsigned long* flags) {
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_AGGREGATE_SMALLDATA;
    return 0;
}

haddr_t end_of_allocation(const H5FD_t* file, H5FD_mem_t) {
    return self(file).end_of_allocation;
}

herr_t set_end_of_allocation(H5FD_t* file, H5FD_mem_t, haddr_t address) {
    self(file).end_of_allocation = address;
    return 0;
}

haddr_t end_of_file(const H5FD_t* file, H5FD_mem_t) {
    return self(file).overlay->size();
}

herr_t read_overlay(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, size_t size, void* buffer) {
    self(file).overlay->read(address, {static_cast<char*>(buffer), size});
    return 0;
}

// Called from C: an exception must not pass through it.
herr_t write_overlay(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, size_t size, const void* buffer) {
    try {
        self(file).overlay->write(address, {static_cast<const char*>(buffer), size});
    } catch (const std::exception&) {
        return -1;
    }
    return 0;
}

herr_t truncate_overlay(H5FD_t* file, hid_t, hbool_t) {
    self(file).overlay->set_size(self(file).end_of_allocation);
    return 0;
}

H5FD_class_t make_driver() {
    H5FD_class_t driver{};
    driver.name = "mdsim page overlay";
    driver.maxaddr = HADDR_MAX / 2;
    driver.fc_degree = H5F_CLOSE_STRONG;
    driver.fapl_size = sizeof(void*);
    driver.open = open_overlay;
    driver.close = close_overlay;
    driver.query = query_overlay;
    driver.get_eoa = end_of_allocation;
    driver.set_eoa = set_end_of_allocation;
    driver.get_eof = end_of_file;
    driver.read = read_overlay;
    driver.write = write_overlay;
    driver.truncate = truncate_overlay;
    std::fill(std::begin(driver.fl_map), std::end(driver.fl_map), H5FD_MEM_SUPER);
    return driver;
}

}  // namespace

void use_overlay(hid_t access, PageOverlay& overlay) {
    static const H5FD_class_t driver = make_driver();
    static const hid_t id = H5FDregister(&driver);
    PageOverlay* pointer = &overlay;
    MDSIM_ENSURE(id >= 0 && H5Pset_driver(access, id, &pointer) >= 0);
}

}  // namespace mdsim::h5
