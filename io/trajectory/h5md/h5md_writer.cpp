// SPDX-License-Identifier: Apache-2.0
#include "io/trajectory/h5md/h5md_writer.h"

#include <algorithm>
#include <cerrno>
#include <limits>

#include <fmt/format.h>

#include "core/error.h"
#include "io/hdf5/library_lock.h"
#include "io/hdf5/transaction.h"
#include "io/trajectory/h5md/h5md_link.h"

namespace mdsim {

namespace {

constexpr std::size_t most_collected = std::size_t{32} << 20;  // [bytes], before they are folded in

}  // namespace

// The file itself is made when the first record is folded in: a frame says whether there is a box.
H5mdWriter H5mdWriter::create(const std::filesystem::path& path, H5mdContent content,
                              std::optional<h5md::Extras> extras) {
    if (std::filesystem::exists(path)) {
        errno = EEXIST;
        throw_system_error(path, "creating");
    }
    std::filesystem::remove(path.string() + ".redo");
    unlink_h5md(path);
    H5mdWriter writer(path, std::move(content));
    writer.extras_ = extras;
    return writer;
}

H5mdWriter H5mdWriter::reopen(const std::filesystem::path& path, H5mdContent content, const OutputMark& mark,
                              std::optional<h5md::Extras> extras) {
    h5::recover(path);
    H5mdWriter writer(path, std::move(content));
    writer.extras_ = extras;
    if (mark.length == 0) {
        std::filesystem::remove(path);
        unlink_h5md(path);
        return writer;
    }
    if (!std::filesystem::exists(path)) throw_changed(path, "the file is not there any more");
    writer.cut_back(mark.length);
    if (writer.checksum_.value() != mark.checksum) throw_changed(path, "its frames are not those of the checkpoint");
    return writer;
}

std::uint64_t H5mdWriter::frames_of(const std::filesystem::path& path, const OutputMark& mark) {
    h5::recover(path);
    if (mark.length == 0 || !std::filesystem::exists(path)) return 0;
    const h5::File file = h5::File::open_to_read(path);
    const std::vector<std::int64_t> kinds =
        file.has(h5md::records) ? file.read_integers(h5md::records) : std::vector<std::int64_t>();
    if (kinds.size() < mark.length) return 0;
    return static_cast<std::uint64_t>(
        std::count(kinds.begin(), kinds.begin() + static_cast<std::ptrdiff_t>(mark.length), 0));
}

// Reads what stays for the checksum, and cuts off the rest.
void H5mdWriter::cut_back(std::uint64_t records) {
    std::uint64_t counts[2] = {0, 0};
    bool longer = false, other_provenance = false;
    {
        const h5::File file = h5::File::open_to_read(path_);
        const std::vector<std::int64_t> kinds =
            file.has(h5md::records) ? file.read_integers(h5md::records) : std::vector<std::int64_t>();
        if (kinds.size() < records) {
            throw_changed(
                path_, fmt::format("it has {} frames and rows of energies, the checkpoint {}", kinds.size(), records));
        }
        extras_ = h5md::extras_of(file);
        const std::string position = h5md::group + "/position/value";
        content_.grid = file.has_attribute(position, "precision") ? file.number_attribute(position, "precision") : 0.0;
        for (std::uint64_t n = 0; n < records; ++n) {
            const auto kind = kinds[n] == 0 ? h5md::Kind::frame : h5md::Kind::energies;
            std::uint64_t& index = counts[static_cast<std::size_t>(kind)];
            h5md::stored_record(file, content_, *extras_, kind, index++).add_to(checksum_);
        }
        longer = kinds.size() > records;
        for (const auto& [name, text] : content_.provenance) {
            const std::string set = h5md::provenance + name;
            other_provenance = other_provenance || !file.has(set) || file.read_text(set) != text;
        }
    }
    link_h5md(path_);
    created_ = true;
    records_ = records;
    if (!longer && !other_provenance) return;
    h5::change_file(path_, [&](h5::File& file) {
        for (const auto& [name, text] : content_.provenance) file.rewrite(h5md::provenance + name, text);
        if (!longer) return;
        for (const std::string& set : h5md::frame_sets(content_, *extras_)) file.set_rows(set, counts[0]);
        for (const char* set : {"/step", "/time", "/value"}) {
            if (file.has(h5md::energies + set)) file.set_rows(h5md::energies + set, counts[1]);
        }
        file.set_rows(h5md::records, records);
    });
}

void H5mdWriter::put(h5md::Record record) {
    if (content_.durability == Durability::synced) record.add_to(checksum_);
    ++records_;
    collected_bytes_ += record.bytes();
    collected_.push_back(std::move(record));
    if (collected_bytes_ > most_collected) fold();
}

void H5mdWriter::append(const Frame& frame) {
    h5md::Record record = h5md::record_of(frame, content_);
    if (!extras_) extras_ = {record.periodic, !record.images.empty(), !record.values.empty()};
    // Every frame has what the first one has, and no more.
    record.images.resize(extras_->images ? 3 * frame.x.size() : 0, 0);
    record.values.resize(extras_->observables ? h5md::observable_count : 0, std::numeric_limits<double>::quiet_NaN());
    put(std::move(record));
}

void H5mdWriter::append_energies(const EnergyRow& row) {
    put(h5md::record_of(row));
}

void H5mdWriter::fold() {
    const h5::LibraryLock lock;
    const auto change = [&](h5::File& file) {
        const h5md::Extras extras = extras_.value_or(h5md::Extras{});
        if (!created_) h5md::create_layout(file, content_, extras);
        if (!collected_.empty()) h5md::append_records(file, content_, extras, collected_);
    };
    if (!created_) {
        h5::create_file(path_, change, content_.durability);
    } else {
        h5::change_file(path_, change, content_.durability);
    }
    if (!created_) {
        link_h5md(path_);
        content_.atoms.forget_names();
    }
    created_ = true;
    collected_.clear();
    collected_bytes_ = 0;
}

OutputMark H5mdWriter::sync() {
    if (!collected_.empty()) fold();
    return {path_.filename().string(), records_, checksum_.value()};
}

OutputMark H5mdWriter::finish() {
    if (!created_ && collected_.empty()) fold();
    return sync();
}

}  // namespace mdsim
