#ifndef ENTITLD_PREFETCH_H
#define ENTITLD_PREFETCH_H

/* Asks the processor to bring a line of memory near; never faults, whatever the address. */
static inline void linux_prefetch(const void *address) { __builtin_prefetch(address, 0, 3); }

#endif
