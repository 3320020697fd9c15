#ifndef ENTITLD_SHAREDWORDS_H
#define ENTITLD_SHAREDWORDS_H

#include <stdint.h>

/// Writes a word that other processes read: whoever sees it sees what was written before it.
static inline void linux_write_word(uint64_t *word, uint64_t value) {
  __atomic_store_n(word, value, __ATOMIC_SEQ_CST);
}

/// Reads such a word.
static inline uint64_t linux_read_word(const uint64_t *word) {
  return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

#endif
