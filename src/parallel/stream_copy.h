// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace mdsim {

/// Copies what will not be looked at again soon. Where it is large it passes the caches by: these need not fetch the
/// target before it is overwritten, and keep what the loop works with. (A copy of 10 MB takes 0.75 of memcpy's time so,
/// one of 0.5 MB, which the caches hold, 1.3 times as long; measured on an AMD EPYC.)
inline void stream_copy(void* to, const void* from, std::size_t bytes) {
#ifdef __SSE2__
    constexpr std::size_t large = std::size_t{1} << 20, line = 64, word = sizeof(__m128i);
    if (bytes >= large) {
        auto* target = static_cast<char*>(to);
        const auto* source = static_cast<const char*>(from);
        const std::size_t head = (line - reinterpret_cast<std::uintptr_t>(target) % line) % line;
        std::memcpy(target, source, head);
        std::size_t at = head;
        for (; at + line <= bytes; at += line) {
            for (std::size_t n = 0; n < line; n += word)
                _mm_stream_si128(reinterpret_cast<__m128i*>(target + at + n),
                                 _mm_loadu_si128(reinterpret_cast<const __m128i*>(source + at + n)));
        }
        std::memcpy(target + at, source + at, bytes - at);
        _mm_sfence();
        return;
    }
#endif
    if (bytes > 0) std::memcpy(to, from, bytes);
}

}  // namespace mdsim
