/*
 * Checks the pages of a memory map before anybody reads them, whoever reads: see pageguard.c.
 */
#ifndef ENTITLD_PAGEGUARD_H
#define ENTITLD_PAGEGUARD_H

#include <stddef.h>
#include <stdint.h>

/* How many maps can be guarded at a time. */
#define LINUX_GUARDS_MAX 128

/// The sum of page `number`, of `count` bytes (a multiple of 32); never 0.
///
/// CRC32C over the CRC32Cs of the page's four quarters: the processor takes the four side by side.
/// The number is part of it, so that a page that was written to another place has a wrong sum.
uint32_t linux_page_sum(uint64_t number, const void *page, size_t count);

/// The same result without the processor's instruction.
uint32_t linux_page_sum_portable(uint64_t number, const void *page, size_t count);

/// Guards `map`: a page of its first `guarded_bytes` can be read only after it was compared with
/// its sum; a page without one (0) is not compared. Beyond them nothing is compared.
///
/// Where a page is not what its sum says, or cannot be read at all, the process ends with exit
/// code 65 and a sentence that names the file and the page.
///
/// `descriptor`, `sums` and `map` must stay until `linux_guard_end`. `guarded_bytes` may be 0.
/// Returns the guard, or -1 with errno.
int linux_guard_begin(
    const void *map,
    size_t map_bytes,
    size_t guarded_bytes,
    size_t page_bytes,
    int descriptor,
    const uint32_t *sums,
    const char *path
);

/// Ends a guard; the map may go after.
void linux_guard_end(int guard);

/// How many pieces of the map were compared since `linux_guard_begin`, and how many there are.
size_t linux_guard_pieces_checked(int guard);
size_t linux_guard_pieces(int guard);

/// Stores and loads a sum that the guard may look at meanwhile.
void linux_sum_store(uint32_t *sum, uint32_t value);
uint32_t linux_sum_load(const uint32_t *sum);

/// Writes the sentence about page `number` of the file at `path` to standard error and ends the
/// process with exit code 65.
void linux_stop_for_page(const char *path, uint64_t number, const char *what)
    __attribute__((noreturn));

#endif
