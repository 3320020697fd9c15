// The system's liblmdb (Debian: liblmdb-dev); its header is its manual.
#include <lmdb.h>
// statfs(2), which says where a map would lie; Swift's Glibc module does not have it.
#include <sys/vfs.h>
