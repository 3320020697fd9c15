#include "crc32c.h"

#include <pthread.h>
#include <string.h>

// The reflected polynomial of RFC 3720.
#define CASTAGNOLI 0x82f63b78u

static uint32_t table[256];
static pthread_once_t table_once = PTHREAD_ONCE_INIT;

static void fill_table(void) {
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t value = byte;
        for (int bit = 0; bit < 8; bit++) {
            value = (value >> 1) ^ ((value & 1) ? CASTAGNOLI : 0);
        }
        table[byte] = value;
    }
}

uint32_t linux_crc32c_portable(uint32_t seed, const void *bytes, size_t count) {
    pthread_once(&table_once, fill_table);
    const unsigned char *next = bytes;
    uint32_t crc = ~seed;
    for (size_t index = 0; index < count; index++) {
        crc = table[(crc ^ next[index]) & 0xff] ^ (crc >> 8);
    }
    return ~crc;
}

#if defined(__x86_64__)

__attribute__((target("sse4.2")))
static uint32_t crc32c_sse42(uint32_t seed, const void *bytes, size_t count) {
    const unsigned char *next = bytes;
    uint64_t crc = (uint32_t)~seed;
    while (count >= 8) {
        uint64_t word;
        memcpy(&word, next, 8);
        crc = __builtin_ia32_crc32di(crc, word);
        next += 8;
        count -= 8;
    }
    uint32_t rest = (uint32_t)crc;
    while (count > 0) {
        rest = __builtin_ia32_crc32qi(rest, *next);
        next += 1;
        count -= 1;
    }
    return ~rest;
}

uint32_t linux_crc32c(uint32_t seed, const void *bytes, size_t count) {
    // A load and a test of a variable that the C runtime filled at start; no cpuid here.
    if (__builtin_cpu_supports("sse4.2")) {
        return crc32c_sse42(seed, bytes, count);
    }
    return linux_crc32c_portable(seed, bytes, count);
}

#else

uint32_t linux_crc32c(uint32_t seed, const void *bytes, size_t count) {
    return linux_crc32c_portable(seed, bytes, count);
}

#endif
