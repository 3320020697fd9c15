#ifndef ENTITLD_ARENAS_H
#define ENTITLD_ARENAS_H

#include <malloc.h>

/// Has malloc reserve address space for at most `count` regions, which threads then share.
static inline void linux_limit_arenas(int count) { mallopt(M_ARENA_MAX, count); }

#endif
