// SPDX-License-Identifier: Apache-2.0
// To be preloaded: the process ends, as by kill -9, right before call number DIE_AT (from 1) of those that change files.
// How many there were is written to the file CALLS at the end.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_long calls;

static void count(void) {
    const char* last = getenv("DIE_AT");
    if (atomic_fetch_add(&calls, 1) + 1 == (last ? atol(last) : 0)) kill(getpid(), SIGKILL);
}

#define CHANGES(result, name, parameters, arguments)               \
    result name parameters {                                       \
        static result (*real) parameters;                          \
        if (!real) real = (result(*) parameters)dlsym(RTLD_NEXT, #name); \
        count();                                                   \
        return real arguments;                                     \
    }

CHANGES(ssize_t, write, (int file, const void* bytes, size_t size), (file, bytes, size))
CHANGES(ssize_t, pwrite, (int file, const void* bytes, size_t size, off_t at), (file, bytes, size, at))
CHANGES(int, rename, (const char* from, const char* to), (from, to))
CHANGES(int, remove, (const char* path), (path))
CHANGES(int, unlink, (const char* path), (path))
CHANGES(int, ftruncate, (int file, off_t size), (file, size))
CHANGES(int, fsync, (int file), (file))

__attribute__((destructor)) static void tell(void) {
    const char* path = getenv("CALLS");
    FILE* file = path ? fopen(path, "w") : NULL;
    if (!file) return;
    fprintf(file, "%ld\n", atomic_load(&calls));
    fclose(file);
}
