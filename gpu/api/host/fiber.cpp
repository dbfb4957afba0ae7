// SPDX-License-Identifier: Apache-2.0
#include "gpu/api/host/fiber.h"

#include <cstdint>
#include <cstring>
#include <new>
#include <sys/mman.h>
#include <ucontext.h>

#include "gpu/api/host/sanitizer.h"

#if defined(__x86_64__)
// Saves what a function must preserve (System V ABI, AMD64, 3.2.1) on the stack and goes on with another stack.
// swapcontext does the same with a call of the kernel each time, for the signal mask, and takes some ten times as long.
asm(R"(
    .text
    .p2align 4
    .local mdsim_switch_stack
    .type mdsim_switch_stack, @function
mdsim_switch_stack:
    .cfi_startproc
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
    .cfi_endproc
    .size mdsim_switch_stack, . - mdsim_switch_stack
)");
extern "C" void mdsim_switch_stack(void** from, void* to);
#endif

namespace mdsim::gpu::executor {

namespace {

constexpr std::size_t page = 4096;

#if defined(__x86_64__)
// The entry is "returned to" from the switch: the stack is 16 bytes off 8 there, as after a call.
void* prepare(char* stack, std::size_t bytes, Fiber::Entry entry, void*&) {
    auto* top = reinterpret_cast<std::uint64_t*>(stack + bytes - 64);
    *--top = 0;  // where the entry would return to
    *--top = reinterpret_cast<std::uint64_t>(entry);
    for (int i = 0; i < 6; ++i) *--top = 0;
    return top;
}
void switch_context(void*& from, void*, void* to, void*) {
    mdsim_switch_stack(&from, to);
}
void forget(void*) {}
#else
void* prepare(char* stack, std::size_t bytes, Fiber::Entry entry, void*& context) {
    auto* made = new ucontext_t;
    getcontext(made);
    made->uc_stack.ss_sp = stack + page;
    made->uc_stack.ss_size = bytes - page;
    made->uc_link = nullptr;
    makecontext(made, entry, 0);
    context = made;
    return nullptr;
}
void switch_context(void*&, void* from, void*, void* to) {
    swapcontext(static_cast<ucontext_t*>(from), static_cast<ucontext_t*>(to));
}
void forget(void* context) {
    delete static_cast<ucontext_t*>(context);
}
#endif

}  // namespace

Fiber::Fiber(Entry entry, std::size_t stack_bytes) : stack_bytes_(stack_bytes) {
    void* memory = mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    stack_ = static_cast<char*>(memory);
    mprotect(stack_, page, PROT_NONE);  // a stack that overflows must not go on into another one
    bottom_ = stack_ + page;
    size_ = stack_bytes - page;
    saved_ = prepare(stack_, stack_bytes, entry, context_);
}

Fiber::~Fiber() {
    if (stack_ != nullptr) {
        // A flow that was given up in the middle leaves its marks, which the next user of these addresses must not see.
        unpoison(bottom_, size_);
        munmap(stack_, stack_bytes_);
    }
    forget(context_);
}

void Fiber::switch_to(Fiber& other) {
#if !defined(__x86_64__)
    if (context_ == nullptr) context_ = new ucontext_t;
#endif
    start_switch(&false_stack_, other.bottom_, other.size_);
    switch_context(saved_, context_, other.saved_, other.context_);
    finish_switch(false_stack_, nullptr, nullptr);
}

void Fiber::arrived(Fiber& origin) {
    const void* bottom = nullptr;
    std::size_t size = 0;
    finish_switch(nullptr, &bottom, &size);
    if (origin.bottom_ == nullptr) {
        origin.bottom_ = bottom;
        origin.size_ = size;
    }
}

}  // namespace mdsim::gpu::executor
