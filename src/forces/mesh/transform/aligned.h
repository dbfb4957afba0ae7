// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace mdsim::mesh {

/// One cache line, and the widest vector register.
inline constexpr std::size_t alignment = 64;

/// Gives memory that starts on a cache line, so that a Fourier plan always meets the alignment it was made for.
template <class T>
struct AlignedAllocator {
    using value_type = T;
    AlignedAllocator() = default;
    template <class U>
    AlignedAllocator(const AlignedAllocator<U>&) {}
    T* allocate(std::size_t n) { return static_cast<T*>(::operator new (n * sizeof(T), std::align_val_t{alignment})); }
    void deallocate(T* p, std::size_t) { ::operator delete (p, std::align_val_t{alignment}); }
    friend bool operator==(const AlignedAllocator&, const AlignedAllocator&) { return true; }
};

template <class T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

constexpr int round_up(int n, int multiple) {
    return (n + multiple - 1) / multiple * multiple;
}

}  // namespace mdsim::mesh
