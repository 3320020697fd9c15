#ifndef ENTITLD_ARENAS_H
#define ENTITLD_ARENAS_H

#include <malloc.h>

/// Has malloc reserve address space for at most `count` regions, which threads then share.
static inline void linux_limit_arenas(int count) { mallopt(M_ARENA_MAX, count); }

/// Has malloc give memory that nobody uses back to the system, page by page.
static inline void linux_give_memory_back(void) { malloc_trim(0); }

#endif
