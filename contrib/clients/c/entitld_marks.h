/* Whether an answer of the daemon entitld that this process has kept still holds, without a call.
 *
 * The daemon with rpc.sharedAnswers writes a file beside its socket, <rpc.socket>.marks, of how new the
 * newest change of each group of users is. This reads it: C11 with gcc or clang, no dependency.
 * docs/shared-answers.md has the layout and the rule:
 *
 *   1. Before asking, read the generation.
 *   2. Ask canRender, with a cost of 1; the answer has a seq and a nextChangeAt.
 *   3. It holds as long as entitld_marks_hold says so of the user's group, that seq and that generation,
 *      nextChangeAt has not come, by the wall clock and by one that is never set back, and the answer is
 *      not older than 10 s, counted from before it was asked for.
 *
 * Any number of threads may read one struct at a time. None may while it is opened or closed. */
#ifndef ENTITLD_MARKS_H
#define ENTITLD_MARKS_H

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  ENTITLD_MARKS_COUNT = 1, /* where a word is in the file */
  ENTITLD_MARKS_GENERATION = 2,
  ENTITLD_MARKS_CATALOG = 3,
  ENTITLD_MARKS_GROUPS = 8,
  ENTITLD_MARKS_GROUPS_MAX = 1 << 24 /* the daemon has 262,144 */
};

/* A file of marks in this process's memory. */
struct entitld_marks {
  const uint64_t *words;
  uint64_t groups;
  uint64_t device;
  uint64_t inode;
};

/* A word as it is now: what was written before it is seen by whoever has read it. */
static inline uint64_t entitld_marks_word(const struct entitld_marks *m, uint64_t index) {
  return __atomic_load_n(m->words + index, __ATOMIC_ACQUIRE);
}

/* What entitld_marks_close has to unmap. */
static inline size_t entitld_marks_bytes(uint64_t groups) {
  return (size_t)(8 * (ENTITLD_MARKS_GROUPS + groups));
}

/* Maps the file at path to read it. 0, or -errno: -ENOENT where the daemon has not started yet or does not
 * share (ask, and try again in a second), -EINVAL where the file is none of the daemon's. */
static inline int entitld_marks_open(struct entitld_marks *m, const char *path) {
  uint64_t header[ENTITLD_MARKS_GROUPS];
  struct stat status;
  void *mapping;
  int failure = 0;
  int flags = O_RDONLY | O_NONBLOCK; /* a pipe at the path must not hold the caller up */
#ifdef O_CLOEXEC /* strict C11 does not show it */
  flags |= O_CLOEXEC;
#endif
  memset(m, 0, sizeof *m);
  int file = open(path, flags);
  if (file < 0) return -errno;
  if (fstat(file, &status) != 0) {
    failure = -errno;
  } else if (!S_ISREG(status.st_mode) || read(file, header, sizeof header) != (ssize_t)sizeof header) {
    failure = -EINVAL;
  } else {
    /* What lies beyond the end of a file must not be read: it would end the process. */
    uint64_t groups = header[ENTITLD_MARKS_COUNT];
    if (memcmp(header, "ENTMARK1", 8) != 0 || groups == 0 || groups > ENTITLD_MARKS_GROUPS_MAX ||
        (uint64_t)status.st_size != entitld_marks_bytes(groups)) {
      failure = -EINVAL;
    } else {
      mapping = mmap(NULL, entitld_marks_bytes(groups), PROT_READ, MAP_SHARED, file, 0);
      if (mapping == MAP_FAILED) {
        failure = -errno;
      } else {
        m->words = (const uint64_t *)mapping;
        m->groups = groups;
        m->device = (uint64_t)status.st_dev;
        m->inode = (uint64_t)status.st_ino;
      }
    }
  }
  close(file); /* the mapping stays */
  return failure;
}

/* Unmaps the file, after the last reader. Does nothing where none is open. */
static inline void entitld_marks_close(struct entitld_marks *m) {
  if (m->words != NULL) munmap((void *)m->words, entitld_marks_bytes(m->groups));
  memset(m, 0, sizeof *m);
}

/* Whether the file at path still is the one that is open: 1 or 0. Ask once in a second or so. Where it is
 * 0, somebody has removed the file: forget what was kept by it, close, and open anew. */
static inline int entitld_marks_is_at(const struct entitld_marks *m, const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && (uint64_t)status.st_dev == m->device && (uint64_t)status.st_ino == m->inode;
}

/* The generation: another number in each life of the daemon. Read it before an answer is asked for, and
 * keep it with the answer. */
static inline uint64_t entitld_marks_generation(const struct entitld_marks *m) {
  return entitld_marks_word(m, ENTITLD_MARKS_GENERATION);
}

/* The group of a user, by the bytes of the id as it is sent: FNV-1a, h, as (h ^ h >> 32) modulo the number
 * of groups. It stays the same while the file is open; keep it with the answer. */
static inline uint64_t entitld_marks_group(const struct entitld_marks *m, const void *user, size_t length) {
  const unsigned char *bytes = (const unsigned char *)user;
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (size_t index = 0; index < length; index++) hash = (hash ^ bytes[index]) * UINT64_C(0x100000001b3);
  return (hash ^ hash >> 32) % m->groups;
}

/* The marks' part of the rule, 1 or 0: nobody of the group has changed after seq, the catalog has changed
 * before it, and the daemon lives the life that it lived when the answer was asked for. They are read in
 * this order, since a daemon that starts writes its generation before it clears the marks. The times are
 * for the caller to check. A group comes from entitld_marks_group of this file. */
static inline int entitld_marks_hold(const struct entitld_marks *m, uint64_t group, uint64_t seq,
                                     uint64_t generation) {
  return entitld_marks_word(m, ENTITLD_MARKS_GROUPS + group) <= seq &&
         entitld_marks_word(m, ENTITLD_MARKS_CATALOG) < seq && entitld_marks_generation(m) == generation;
}

#ifdef __cplusplus
}
#endif

#endif
