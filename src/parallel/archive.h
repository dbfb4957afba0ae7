// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "core/error.h"

namespace mdsim {

/// Appends values to bytes that another process of this program reads: numbers and plain structures as they lie in
/// memory, text and lists behind their length. A structure with lists in it is archived by a function
/// `template <class Archive> void archive(Archive&, S&)` that hands over one member after the other, for both ways.
class ArchiveWriter {
  public:
    template <class T>
    void operator()(T& value) {
        if constexpr (std::is_trivially_copyable_v<T>) {
            append(&value, sizeof value);
        } else {
            archive(*this, value);
        }
    }
    void operator()(std::string& text) { append_list(text); }
    template <class T>
    void operator()(std::vector<T>& list) {
        if constexpr (std::is_trivially_copyable_v<T>) {
            append_list(list);
        } else {
            std::uint64_t size = list.size();
            (*this)(size);
            for (T& value : list) (*this)(value);
        }
    }
    std::vector<std::byte>& bytes() { return bytes_; }

  private:
    std::vector<std::byte> bytes_;

    void append(const void* data, std::size_t size) {
        const auto* from = static_cast<const std::byte*>(data);
        bytes_.insert(bytes_.end(), from, from + size);
    }
    template <class List>
    void append_list(List& list) {
        std::uint64_t size = list.size();
        append(&size, sizeof size);
        append(list.data(), list.size() * sizeof *list.data());
    }
};

/// Reads what an ArchiveWriter wrote, in the same order.
class ArchiveReader {
  public:
    explicit ArchiveReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

    template <class T>
    void operator()(T& value) {
        if constexpr (std::is_trivially_copyable_v<T>) {
            take(&value, sizeof value);
        } else {
            archive(*this, value);
        }
    }
    void operator()(std::string& text) { take_list(text); }
    template <class T>
    void operator()(std::vector<T>& list) {
        if constexpr (std::is_trivially_copyable_v<T>) {
            take_list(list);
        } else {
            std::uint64_t size = 0;
            (*this)(size);
            list.resize(size);
            for (T& value : list) (*this)(value);
        }
    }

  private:
    std::span<const std::byte> bytes_;

    void take(void* data, std::size_t size) {
        MDSIM_EXPECT(size <= bytes_.size());
        std::copy_n(bytes_.data(), size, static_cast<std::byte*>(data));
        bytes_ = bytes_.subspan(size);
    }
    template <class List>
    void take_list(List& list) {
        std::uint64_t size = 0;
        take(&size, sizeof size);
        list.resize(size);
        take(list.data(), list.size() * sizeof *list.data());
    }
};

}  // namespace mdsim
