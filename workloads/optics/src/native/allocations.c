/* Counts what this process asks of its allocator: Rust, C++ and every library that is loaded.
 *
 * A program's own malloc takes the place of the C library's for every shared object of the process,
 * also of those that are loaded later. The C library's is then reached under its other names, which
 * glibc exports: nothing has to be looked up before the first block, and every block, whoever took
 * it, is of the allocator that `free` gives it back to. What the C library allocates for callers,
 * as in `reallocarray` and `strdup`, it asks of this malloc. `valloc` and `pvalloc`, which are
 * obsolete, are left alone: what they hold is not counted, and is taken off when it is freed.
 *
 * Counters only ever grow or move by what one call did, so relaxed order is enough, and there is no
 * lock that a fork could leave held. They are read while nobody else allocates.
 */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* block, size_t size);
void* __libc_memalign(size_t alignment, size_t size);
void __libc_free(void* block);

/* What has been counted since the process began. */
struct longrun_allocated {
    uint64_t allocations; /* blocks; a reallocation counts as one */
    uint64_t bytes;       /* that were asked for */
    int64_t live_bytes;   /* that can be used in the blocks that are held */
};

void longrun_read_allocated(struct longrun_allocated* counts);
int longrun_counts_libraries(void);

static struct longrun_allocated counted;

static void hold(int64_t bytes) {
    __atomic_add_fetch(&counted.live_bytes, bytes, __ATOMIC_RELAXED);
}

static int64_t held(void* block) {
    return block == NULL ? 0 : (int64_t)malloc_usable_size(block);
}

/* Counts a block, unless there was none to be had. */
static void* taken(void* block, uint64_t size) {
    if (block == NULL)
        return NULL;
    __atomic_add_fetch(&counted.allocations, 1, __ATOMIC_RELAXED);
    __atomic_add_fetch(&counted.bytes, size, __ATOMIC_RELAXED);
    hold(held(block));
    return block;
}

void* malloc(size_t size) {
    return taken(__libc_malloc(size), size);
}

void* calloc(size_t count, size_t size) {
    /* A product that overflows has no block. */
    return taken(__libc_calloc(count, size), count * size);
}

void* realloc(void* block, size_t size) {
    const int64_t before = held(block);
    void* moved = __libc_realloc(block, size);
    /* A failure leaves the block as it was; size 0 frees it. */
    if (moved != NULL || size == 0)
        hold(-before);
    return taken(moved, size);
}

void* memalign(size_t alignment, size_t size) {
    return taken(__libc_memalign(alignment, size), size);
}

void* aligned_alloc(size_t alignment, size_t size) {
    return taken(__libc_memalign(alignment, size), size);
}

int posix_memalign(void** block, size_t alignment, size_t size) {
    const int power_of_two = alignment != 0 && (alignment & (alignment - 1)) == 0;
    if (!power_of_two || alignment % sizeof(void*) != 0)
        return EINVAL;
    void* found = taken(__libc_memalign(alignment, size), size);
    if (found == NULL)
        return ENOMEM;
    *block = found;
    return 0;
}

void free(void* block) {
    hold(-held(block));
    __libc_free(block);
}

void longrun_read_allocated(struct longrun_allocated* counts) {
    counts->allocations = __atomic_load_n(&counted.allocations, __ATOMIC_RELAXED);
    counts->bytes = __atomic_load_n(&counted.bytes, __ATOMIC_RELAXED);
    counts->live_bytes = __atomic_load_n(&counted.live_bytes, __ATOMIC_RELAXED);
}

/* Whether libraries that are loaded find this malloc. Had a linker kept its name to this program,
 * the counters would say of every library that it allocates nothing. */
int longrun_counts_libraries(void) {
    return dlsym(RTLD_DEFAULT, "malloc") == (void*)malloc;
}
