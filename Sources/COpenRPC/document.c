#include "document.h"

// C23's #embed, which clang knows in older C as well; the compiler follows changes of the file.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char document[] = {
#embed "../../proto/openrpc.json"
};

const unsigned char *openrpc_document(void) { return document; }

size_t openrpc_document_bytes(void) { return sizeof document; }
