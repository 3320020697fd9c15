// Counts what a process allocates: preloaded, it counts each call of malloc, calloc, realloc,
// posix_memalign and aligned_alloc in a file that others map or read while the process runs. Not
// those of the thread of one name, which has nothing to do with what is measured.
//
//     ALLOCATIONS_FILE=/path/of/8/bytes ALLOCATIONS_BUT=scrub LD_PRELOAD=./allocations.so program

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static const char *but;
static _Atomic unsigned long unmapped;
static _Atomic unsigned long *_Atomic counter = &unmapped;

__attribute__((constructor)) static void map_counter(void) {
    but = getenv("ALLOCATIONS_BUT");
    const char *path = getenv("ALLOCATIONS_FILE");
    int fd = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;
    if (fd < 0 || ftruncate(fd, sizeof(unsigned long)) < 0) return;
    void *map = mmap(NULL, sizeof(unsigned long), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (map != MAP_FAILED) counter = map;
}

static void count(void) {
    char name[16];
    if (but && prctl(PR_GET_NAME, name) == 0 && strcmp(name, but) == 0) return;
    atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
}

void *malloc(size_t size) {
    count();
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count();
    return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
    count();
    return __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count();
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
    count();
    *result = __libc_memalign(alignment, size);
    return *result ? 0 : ENOMEM;
}
