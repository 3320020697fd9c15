// The store's limit: mdb_get of random accounts in a copy of the daemon's views, and nothing else.
// Prints look-ups a second.
//
//     lookup DIRECTORY ACCOUNTS SECONDS     DIRECTORY holds data.mdb

#include <lmdb.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static uint64_t state = 1;

// SplitMix64, as entitlbench draws its accounts.
static uint64_t draw(void) {
    uint64_t mixed = state += 0x9e3779b97f4a7c15ull;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9ull;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebull;
    return mixed ^ mixed >> 31;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void check(int code, const char *what) {
    if (code == MDB_SUCCESS) return;
    fprintf(stderr, "lookup: %s: %s\n", what, mdb_strerror(code));
    exit(1);
}

// user-0000001, digit by digit: printf would cost as much as the look-up.
static size_t name(char *text, uint64_t account) {
    size_t digits = 7;
    for (uint64_t bound = 10000000; account >= bound; bound *= 10) digits++;
    for (size_t place = digits; place-- > 0; account /= 10) text[5 + place] = '0' + account % 10;
    return 5 + digits;
}

int main(int count, char **arguments) {
    if (count != 4) return fprintf(stderr, "usage: lookup DIRECTORY ACCOUNTS SECONDS\n"), 2;
    uint64_t accounts = strtoull(arguments[2], NULL, 10);
    double seconds = atof(arguments[3]);
    MDB_env *environment;
    MDB_txn *transaction;
    MDB_dbi table;
    check(mdb_env_create(&environment), "create");
    check(mdb_env_set_maxdbs(environment, 32), "tables");
    check(mdb_env_open(environment, arguments[1], MDB_RDONLY | MDB_NOLOCK, 0), "open");
    check(mdb_txn_begin(environment, NULL, MDB_RDONLY, &transaction), "begin");
    check(mdb_dbi_open(transaction, "accounts", 0, &table), "accounts");
    char text[32] = "user-";
    uint64_t found = 0, asked = 0;
    unsigned sum = 0;
    double start = now(), end = start;
    // The first second fills the caches.
    for (int measured = 0; measured < 2; measured++) {
        found = asked = 0;
        start = now();
        double until = start + (measured ? seconds : 1);
        while ((end = now()) < until) {
            for (int round = 0; round < 1000; round++) {
                uint64_t account = 1 + (uint64_t)((unsigned __int128)draw() * accounts >> 64);
                MDB_val key = {name(text, account), text}, value;
                asked++;
                if (mdb_get(transaction, table, &key, &value) == MDB_SUCCESS) {
                    found++;
                    sum += ((unsigned char *)value.mv_data)[value.mv_size - 1];
                }
            }
        }
    }
    if (found < asked) fprintf(stderr, "lookup: %lu of %lu found\n", found, asked);
    printf("%.0f\n", (double)asked / (end - start));
    mdb_txn_abort(transaction);
    mdb_env_close(environment);
    return sum == 1 ? 3 : 0;
}
