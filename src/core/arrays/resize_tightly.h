// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace mdsim {

/// Room for n elements where there is less: a thirty-second more than that, in place of the twice as much that a vector
/// takes when it grows by itself. For arrays whose extents go up and down a little all the time.
template <class T, class Allocator>
void reserve_tightly(std::vector<T, Allocator>& values, std::size_t n) {
    if (values.capacity() < n) values.reserve(n + n / 32);
}

template <class T, class Allocator>
void resize_tightly(std::vector<T, Allocator>& values, std::size_t n) {
    reserve_tightly(values, n);
    values.resize(n);
}

/// Becomes a copy of first ... last - 1.
template <class T, class Allocator, class Iterator>
void assign_tightly(std::vector<T, Allocator>& values, Iterator first, Iterator last) {
    reserve_tightly(values, static_cast<std::size_t>(last - first));
    values.assign(first, last);
}

/// Gives back what room there is beyond an eighth of what it holds, but for a sixteenth.
template <class T, class Allocator>
void trim(std::vector<T, Allocator>& values) {
    const std::size_t n = values.size();
    if (values.capacity() <= n + n / 8) return;
    std::vector<T, Allocator> tight;
    tight.reserve(n + n / 16);
    tight.assign(values.begin(), values.end());
    values.swap(tight);
}

}  // namespace mdsim
