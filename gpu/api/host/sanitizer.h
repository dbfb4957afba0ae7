// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

// What the address sanitizer has to be told about stacks and shared memory; nothing where it is off.
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace mdsim::gpu::executor {

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool address_sanitizer = true;
inline void poison(const void* begin, std::size_t bytes) {
    __asan_poison_memory_region(begin, bytes);
}
inline void unpoison(const void* begin, std::size_t bytes) {
    __asan_unpoison_memory_region(begin, bytes);
}
inline void start_switch(void** save, const void* bottom, std::size_t size) {
    __sanitizer_start_switch_fiber(save, bottom, size);
}
inline void finish_switch(void* saved, const void** bottom, std::size_t* size) {
    __sanitizer_finish_switch_fiber(saved, bottom, size);
}
#else
inline constexpr bool address_sanitizer = false;
inline void poison(const void*, std::size_t) {}
inline void unpoison(const void*, std::size_t) {}
inline void start_switch(void**, const void*, std::size_t) {}
inline void finish_switch(void*, const void**, std::size_t*) {}
#endif

}  // namespace mdsim::gpu::executor
