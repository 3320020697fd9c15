// COpenRPC has proto/openrpc.json in the program, so that a daemon can tell what it can be asked.
//
// In reading order:
//   openrpc_document   below: the bytes of the document
//
// Its laws:
//   1. The bytes are those of the file, as it was when this was compiled.
//
// It never reads a file while the daemon runs.

#ifndef ENTITLD_OPENRPC_H
#define ENTITLD_OPENRPC_H

#include <stddef.h>

/// proto/openrpc.json, byte for byte, as it was when this was compiled.
const unsigned char *openrpc_document(void);

/// How many bytes it has.
size_t openrpc_document_bytes(void);

#endif
