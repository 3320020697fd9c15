// CLMDB lets Swift see the system's liblmdb (Debian: liblmdb-dev); its header is its manual.
//
// In reading order:
//   lmdb.h   the manual; read its caveats first
//
// Its laws:
//   1. Only LMDB imports this.
//
// It never holds code of its own.

#include <lmdb.h>
// statfs(2), which says where a map would lie; Swift's Glibc module does not have it.
#include <sys/vfs.h>
