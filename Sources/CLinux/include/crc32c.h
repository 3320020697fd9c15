#ifndef ENTITLD_CRC32C_H
#define ENTITLD_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/// CRC32C (Castagnoli, RFC 3720 appendix B.4) of `count` bytes.
///
/// `seed` is 0 for the first piece and the previous result for each further piece, so that the
/// checksum of a whole can be taken over its parts.
uint32_t linux_crc32c(uint32_t seed, const void *bytes, size_t count);

/// The same result without the processor's instruction; for tests, and for processors without it.
uint32_t linux_crc32c_portable(uint32_t seed, const void *bytes, size_t count);

#endif
