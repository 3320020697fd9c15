// CLMDB lets Swift see the system's liblmdb (Debian: liblmdb-dev); its header is its manual.
//
// In reading order:
//   shim.h   below: it includes lmdb.h, whose caveats are to be read first
//
// Its laws:
//   1. Only LMDB imports this.
//
// It never holds code of its own.

#include <lmdb.h>
// statfs(2), which says where a map would lie; Swift's Glibc module does not have it.
#include <sys/vfs.h>
