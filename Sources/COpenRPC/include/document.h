#ifndef ENTITLD_OPENRPC_H
#define ENTITLD_OPENRPC_H

#include <stddef.h>

/// proto/openrpc.json, byte for byte, as it was when this was compiled.
const unsigned char *openrpc_document(void);

/// How many bytes it has.
size_t openrpc_document_bytes(void);

#endif
