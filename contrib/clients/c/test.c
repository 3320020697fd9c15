/* Checks entitld_marks.h with a file made by hand: cc -std=c11 -Wall -Wextra -Werror -O2 test.c && ./a.out */
#define _POSIX_C_SOURCE 200809L
#include "entitld_marks.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { GROUPS = 1 << 18, CALLS = 10000000, USERS = 1000 };

static int failures;

#define CHECK(condition)                                                \
  do {                                                                  \
    if (!(condition)) {                                                 \
      fprintf(stderr, "line %d: %s\n", __LINE__, #condition);           \
      failures++;                                                       \
    }                                                                   \
  } while (0)

/* What cannot go on. */
static void demand(int holds, const char *what) {
  if (holds) return;
  perror(what);
  exit(1);
}

/* Writes a new file of so many bytes, with the header that is given. */
static void write_file(const char *path, const char *magic, uint64_t count, off_t size) {
  uint64_t header[8] = {0, count, 77, 0, 0, 0, 0, 0};
  memcpy(header, magic, 8);
  unlink(path);
  int file = open(path, O_RDWR | O_CREAT | O_EXCL, 0600);
  demand(file >= 0, path);
  size_t length = size < (off_t)sizeof header ? (size_t)size : sizeof header;
  demand(write(file, header, length) == (ssize_t)length, "write");
  demand(ftruncate(file, size) == 0, "ftruncate");
  close(file);
}

/* The daemon's side of the file. */
static uint64_t *write_mapping(const char *path) {
  int file = open(path, O_RDWR);
  demand(file >= 0, path);
  void *mapping = mmap(NULL, 64 + 8 * GROUPS, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  demand(mapping != MAP_FAILED, "mmap");
  close(file);
  return mapping;
}

static void set(uint64_t *word, uint64_t value) { __atomic_store_n(word, value, __ATOMIC_SEQ_CST); }

static void check_what_is_refused(const char *path) {
  struct entitld_marks m;
  CHECK(entitld_marks_open(&m, path) == -ENOENT);
  entitld_marks_close(&m);
  write_file(path, "ENTMARK1", 1, 0);
  CHECK(entitld_marks_open(&m, path) == -EINVAL);
  write_file(path, "ENTMARK1", 1, 63);
  CHECK(entitld_marks_open(&m, path) == -EINVAL);
  write_file(path, "ENTMARK1", 0, 64);
  CHECK(entitld_marks_open(&m, path) == -EINVAL);
  write_file(path, "ENTMARK1", 2, 72);
  CHECK(entitld_marks_open(&m, path) == -EINVAL);
  write_file(path, "ENTMARK1", 1, 80);
  CHECK(entitld_marks_open(&m, path) == -EINVAL);
  write_file(path, "ENTMARK1", UINT64_C(1) << 61, 64);
  CHECK(entitld_marks_open(&m, path) == -EINVAL);
  write_file(path, "ENTMARK2", 1, 72);
  CHECK(entitld_marks_open(&m, path) == -EINVAL);
  CHECK(m.words == NULL);
  unlink(path);
  demand(mkfifo(path, 0600) == 0, "mkfifo");
  CHECK(entitld_marks_open(&m, path) == -EINVAL);
}

static void check_groups(const struct entitld_marks *m) {
  /* FNV-1a of these: cbf29ce484222325, af63dc4c8601ec8c, 85944171f73967e8. */
  CHECK(entitld_marks_group(m, "", 0) == (UINT64_C(0xcbf29ce484222325) ^ 0xcbf29ce4) % GROUPS);
  CHECK(entitld_marks_group(m, "a", 1) == (UINT64_C(0xaf63dc4c8601ec8c) ^ 0xaf63dc4c) % GROUPS);
  CHECK(entitld_marks_group(m, "foobar", 6) == (UINT64_C(0x85944171f73967e8) ^ 0x85944171) % GROUPS);
  CHECK(entitld_marks_group(m, "\xc3\xa4", 2) != entitld_marks_group(m, "\xc3\xa5", 2));
}

static void check_rule(const struct entitld_marks *m, uint64_t *words) {
  uint64_t alice = entitld_marks_group(m, "alice", 5), bob = entitld_marks_group(m, "bob", 3);
  uint64_t generation = entitld_marks_generation(m);
  CHECK(generation == 77 && alice != bob);
  CHECK(entitld_marks_hold(m, alice, 10, generation));
  CHECK(!entitld_marks_hold(m, alice, 0, generation)); /* the catalog is not before it */
  set(words + 8 + alice, 10);
  CHECK(entitld_marks_hold(m, alice, 10, generation));
  set(words + 8 + alice, 11);
  CHECK(!entitld_marks_hold(m, alice, 10, generation));
  CHECK(entitld_marks_hold(m, alice, 11, generation));
  CHECK(entitld_marks_hold(m, bob, 10, generation));
  set(words + 3, 9);
  CHECK(entitld_marks_hold(m, bob, 10, generation));
  set(words + 3, 10);
  CHECK(!entitld_marks_hold(m, bob, 10, generation));
  CHECK(entitld_marks_hold(m, bob, 11, generation));
  set(words + 2, 78);
  CHECK(!entitld_marks_hold(m, bob, 11, generation));
  CHECK(entitld_marks_hold(m, bob, 11, entitld_marks_generation(m)));
  set(words + 8 + GROUPS - 1, UINT64_MAX);
  CHECK(!entitld_marks_hold(m, GROUPS - 1, 11, 78));
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void measure(const struct entitld_marks *m) {
  uint64_t groups[USERS];
  char user[32];
  for (int number = 0; number < USERS; number++) {
    int length = snprintf(user, sizeof user, "user %d", number);
    groups[number] = entitld_marks_group(m, user, (size_t)length);
  }
  int held = 0;
  double start = now();
  for (int call = 0, number = 0; call < CALLS; call++) {
    held += entitld_marks_hold(m, groups[number], 100, 78);
    if (++number == USERS) number = 0;
  }
  double took = now() - start;
  CHECK(held == CALLS);
  printf("one hold takes %.2f ns\n", took / CALLS);
}

int main(void) {
  char folder[] = "/tmp/entitld-marks-XXXXXX", path[64];
  struct entitld_marks m;
  demand(mkdtemp(folder) != NULL, "mkdtemp");
  snprintf(path, sizeof path, "%s/s.marks", folder);
  check_what_is_refused(path);
  write_file(path, "ENTMARK1", GROUPS, 64 + 8 * GROUPS);
  CHECK(entitld_marks_open(&m, path) == 0);
  uint64_t *words = write_mapping(path);
  check_groups(&m);
  check_rule(&m, words);
  measure(&m);
  CHECK(entitld_marks_is_at(&m, path));
  write_file(path, "ENTMARK1", GROUPS, 64 + 8 * GROUPS);
  CHECK(!entitld_marks_is_at(&m, path));
  unlink(path);
  CHECK(!entitld_marks_is_at(&m, path));
  CHECK(entitld_marks_generation(&m) == 78); /* what is mapped stays */
  entitld_marks_close(&m);
  entitld_marks_close(&m);
  munmap(words, 64 + 8 * GROUPS);
  rmdir(folder);
  if (failures > 0) fprintf(stderr, "%d failed\n", failures);
  return failures > 0;
}
