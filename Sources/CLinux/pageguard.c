/*
 * A file that is mapped can be read without anybody asking for it, so nobody can check what was
 * read. Here the map is closed at first (PROT_NONE). Whoever touches a closed piece of it, LMDB or
 * ourselves, gets SIGSEGV; the handler reads the piece with pread, compares each page with its sum,
 * opens the piece, and the read goes on as if nothing had been. A piece is closed once and opened
 * once, so a read of an open piece costs nothing.
 *
 * What the handler calls is safe in a handler (signal-safety(7)), or a plain system call: pread,
 * mprotect, sched_yield, fstat, clock_gettime, write, _exit.
 */
#define _GNU_SOURCE
#include "pageguard.h"
#include "crc32c.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* A piece is read at once; larger ones in several steps. */
#define BUFFER_BYTES ((size_t)256 << 10)
/* So many can be compared at the same time; further threads wait. */
#define BUFFERS 8
/* The kernel allows 65,530 maps to a process, and every second piece could be open. */
#define PIECES_MAX 16384
/* A fault at the same open place, so many times in a row, is nobody's race. */
#define REPEATS_MAX 64
/* A crash must be over quickly, however large the file is. */
#define LOOK_MILLISECONDS_MAX 500

struct guard {
    uintptr_t map;
    size_t map_bytes;
    size_t guarded_bytes;
    size_t page_bytes;
    size_t piece_bytes;
    int descriptor;
    const uint32_t *sums;
    /* Which pieces are open. */
    uint8_t *open;
    size_t checked;
    char path[4096];
    /* Read by the handler: 0 means that the guard is not in use. */
    int in_use;
};

static struct guard guards[LINUX_GUARDS_MAX];
static pthread_mutex_t guards_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t installed = PTHREAD_ONCE_INIT;
static struct sigaction segv_before, bus_before, abort_before;

static uint8_t buffers[BUFFERS][BUFFER_BYTES] __attribute__((aligned(64)));
static int buffers_taken[BUFFERS];

/* Sums */

static uint32_t folded(const uint32_t lanes[4], uint64_t number) {
    uint32_t sum = linux_crc32c(0, &number, sizeof number);
    sum = linux_crc32c(sum, lanes, 4 * sizeof lanes[0]);
    return sum == 0 ? 1 : sum;
}

uint32_t linux_page_sum_portable(uint64_t number, const void *page, size_t count) {
    const unsigned char *bytes = page;
    size_t quarter = count / 4;
    uint32_t lanes[4];
    for (int lane = 0; lane < 4; lane++) {
        lanes[lane] = linux_crc32c_portable(0, bytes + lane * quarter, quarter);
    }
    return folded(lanes, number);
}

#if defined(__x86_64__)

__attribute__((target("sse4.2")))
static uint32_t page_sum_sse42(uint64_t number, const void *page, size_t count) {
    const unsigned char *bytes = page;
    size_t quarter = count / 4;
    uint64_t a = 0xffffffff, b = a, c = a, d = a;
    for (size_t offset = 0; offset < quarter; offset += 8) {
        uint64_t words[4];
        memcpy(&words[0], bytes + offset, 8);
        memcpy(&words[1], bytes + quarter + offset, 8);
        memcpy(&words[2], bytes + 2 * quarter + offset, 8);
        memcpy(&words[3], bytes + 3 * quarter + offset, 8);
        a = __builtin_ia32_crc32di(a, words[0]);
        b = __builtin_ia32_crc32di(b, words[1]);
        c = __builtin_ia32_crc32di(c, words[2]);
        d = __builtin_ia32_crc32di(d, words[3]);
    }
    uint32_t lanes[4] = { ~(uint32_t)a, ~(uint32_t)b, ~(uint32_t)c, ~(uint32_t)d };
    return folded(lanes, number);
}

uint32_t linux_page_sum(uint64_t number, const void *page, size_t count) {
    if (__builtin_cpu_supports("sse4.2")) { return page_sum_sse42(number, page, count); }
    return linux_page_sum_portable(number, page, count);
}

#else

uint32_t linux_page_sum(uint64_t number, const void *page, size_t count) {
    return linux_page_sum_portable(number, page, count);
}

#endif

void linux_sum_store(uint32_t *sum, uint32_t value) {
    __atomic_store_n(sum, value, __ATOMIC_RELEASE);
}

uint32_t linux_sum_load(const uint32_t *sum) { return __atomic_load_n(sum, __ATOMIC_ACQUIRE); }

/* The end */

static void say(const char *text) { (void)!write(STDERR_FILENO, text, strlen(text)); }

void linux_stop_for_page(const char *path, uint64_t number, const char *what) {
    char digits[21];
    char *digit = digits + sizeof digits - 1;
    *digit = 0;
    do {
        *--digit = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    say("entitld: ");
    say(path);
    say(" is damaged (page ");
    say(digit);
    say(" ");
    say(what);
    say("); restore a backup or rebuild it\n");
    _exit(65);
}

/* Opening a piece */

/* Reads `count` bytes at `offset`; what is behind the end of the file is zeros. */
static bool read_all(const struct guard *guard, uint8_t *into, size_t count, size_t offset) {
    size_t done = 0;
    while (done < count) {
        ssize_t read = pread(guard->descriptor, into + done, count - done, (off_t)(offset + done));
        if (read < 0 && errno == EINTR) { continue; }
        if (read < 0) { return false; }
        if (read == 0) {
            memset(into + done, 0, count - done);
            return true;
        }
        done += (size_t)read;
    }
    return true;
}

static uint8_t *take_buffer(void) {
    while (true) {
        for (int index = 0; index < BUFFERS; index++) {
            if (__atomic_exchange_n(&buffers_taken[index], 1, __ATOMIC_ACQUIRE) == 0) {
                return buffers[index];
            }
        }
        sched_yield();
    }
}

static void give_back(const uint8_t *buffer) {
    size_t index = (size_t)(buffer - buffers[0]) / BUFFER_BYTES;
    __atomic_store_n(&buffers_taken[index], 0, __ATOMIC_RELEASE);
}

/* Compares the pages in `count` bytes at `offset` with their sums; ends the process where one
 * differs. A page that is given up and written again meanwhile has another sum, or none, by then:
 * it is looked at again. */
static void compare(const struct guard *guard, uint8_t *buffer, size_t count, size_t offset) {
    bool is_again = true;
    while (is_again) {
        is_again = false;
        bool is_read = read_all(guard, buffer, count, offset);
        for (size_t place = 0; place < count; place += guard->page_bytes) {
            uint64_t number = (offset + place) / guard->page_bytes;
            const uint32_t *sum = &guard->sums[number];
            uint32_t expected = linux_sum_load(sum);
            if (expected == 0) { continue; }
            if (!is_read) { linux_stop_for_page(guard->path, number, "cannot be read"); }
            if (linux_page_sum(number, buffer + place, guard->page_bytes) == expected) { continue; }
            if (linux_sum_load(sum) != expected) {
                is_again = true;
                break;
            }
            // Written since it was read here, between the two: its sum is then the new one.
            read_all(guard, buffer + place, guard->page_bytes, offset + place);
            if (linux_page_sum(number, buffer + place, guard->page_bytes) == expected) { continue; }
            if (linux_sum_load(sum) != expected) {
                is_again = true;
                break;
            }
            linux_stop_for_page(guard->path, number, "is not what was written");
        }
    }
}

/* Opens the piece that has `address`; answers whether a read may be tried again. */
static bool open_piece(struct guard *guard, uintptr_t address) {
    static __thread uintptr_t address_before;
    static __thread int repeats;
    size_t offset = address - guard->map;
    if (offset >= guard->guarded_bytes) { return false; }
    size_t piece = offset / guard->piece_bytes;
    if (__atomic_load_n(&guard->open[piece], __ATOMIC_ACQUIRE) != 0) {
        // Another thread was quicker; or this is no read, and never will be allowed.
        repeats = address == address_before ? repeats + 1 : 0;
        address_before = address;
        return repeats < REPEATS_MAX;
    }
    size_t start = piece * guard->piece_bytes;
    size_t end = start + guard->piece_bytes;
    if (end > guard->guarded_bytes) { end = guard->guarded_bytes; }
    uint8_t *buffer = take_buffer();
    for (size_t place = start; place < end; place += BUFFER_BYTES) {
        size_t count = end - place < BUFFER_BYTES ? end - place : BUFFER_BYTES;
        compare(guard, buffer, count, place);
    }
    give_back(buffer);
    if (mprotect((void *)(guard->map + start), end - start, PROT_READ) != 0) {
        linux_stop_for_page(guard->path, start / guard->page_bytes, "cannot be mapped");
    }
    if (__atomic_exchange_n(&guard->open[piece], 1, __ATOMIC_RELEASE) == 0) {
        __atomic_fetch_add(&guard->checked, 1, __ATOMIC_RELAXED);
    }
    return true;
}

static struct guard *guard_of(uintptr_t address) {
    for (int index = 0; index < LINUX_GUARDS_MAX; index++) {
        struct guard *guard = &guards[index];
        if (__atomic_load_n(&guard->in_use, __ATOMIC_ACQUIRE) != 0 && address >= guard->map
            && address - guard->map < guard->map_bytes) {
            return guard;
        }
    }
    return NULL;
}

static int64_t milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Before a crash: LMDB copies what rotten pages say, and then reads or writes where it must not, in
 * memory that is nobody's, or finds the heap in pieces. Compares all pages; where one is not what
 * was written, that is why, and the process ends with 65. */
static void look_for_rot(void) {
    int64_t end = milliseconds() + LOOK_MILLISECONDS_MAX;
    for (int index = 0; index < LINUX_GUARDS_MAX; index++) {
        const struct guard *guard = &guards[index];
        if (__atomic_load_n(&guard->in_use, __ATOMIC_ACQUIRE) == 0) { continue; }
        struct stat status;
        if (fstat(guard->descriptor, &status) != 0) { continue; }
        size_t bytes = (size_t)status.st_size;
        if (bytes > guard->map_bytes) { bytes = guard->map_bytes; }
        bytes -= bytes % guard->page_bytes;
        uint8_t *buffer = take_buffer();
        for (size_t place = 0; place < bytes && milliseconds() < end; place += BUFFER_BYTES) {
            size_t count = bytes - place < BUFFER_BYTES ? bytes - place : BUFFER_BYTES;
            compare(guard, buffer, count, place);
        }
        give_back(buffer);
    }
}

static const struct sigaction *before(int signal) {
    if (signal == SIGABRT) { return &abort_before; }
    return signal == SIGBUS ? &bus_before : &segv_before;
}

static void on_fault(int signal, siginfo_t *info, void *context) {
    (void)context;
    int error = errno;
    // Sent by somebody, it names no address.
    bool is_fault = info->si_code > 0 && signal != SIGABRT;
    bool is_own = is_fault || (signal == SIGABRT && info->si_pid == getpid());
    struct guard *guard = is_fault ? guard_of((uintptr_t)info->si_addr) : NULL;
    if (guard != NULL) {
        uintptr_t address = (uintptr_t)info->si_addr;
        if (signal == SIGBUS) {
            uint64_t number = (address - guard->map) / guard->page_bytes;
            linux_stop_for_page(guard->path, number, "is behind the end of the file or unreadable");
        }
        if (open_piece(guard, address)) {
            errno = error;
            return;
        }
    }
    // Not ours: the instruction is tried again, and whoever was there before is called.
    if (is_own) { look_for_rot(); }
    sigaction(signal, before(signal), NULL);
    if (info->si_code <= 0) { raise(signal); }
    errno = error;
}

static void install(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, &segv_before);
    sigaction(SIGBUS, &action, &bus_before);
    sigaction(SIGABRT, &action, &abort_before);
}

/* Guards */

int linux_guard_begin(
    const void *map,
    size_t map_bytes,
    size_t guarded_bytes,
    size_t page_bytes,
    int descriptor,
    const uint32_t *sums,
    const char *path
) {
    pthread_once(&installed, install);
    struct guard *guard = NULL;
    pthread_mutex_lock(&guards_lock);
    for (int index = 0; index < LINUX_GUARDS_MAX && guard == NULL; index++) {
        if (guards[index].map == 0) { guard = &guards[index]; }
    }
    if (guard != NULL) { guard->map = (uintptr_t)map; }
    pthread_mutex_unlock(&guards_lock);
    if (guard == NULL) {
        errno = EMFILE;
        return -1;
    }
    size_t piece = BUFFER_BYTES;
    while (guarded_bytes / piece >= PIECES_MAX) { piece *= 2; }
    size_t pieces = (guarded_bytes + piece - 1) / piece;
    guard->map_bytes = map_bytes;
    guard->guarded_bytes = pieces * piece < map_bytes ? pieces * piece : map_bytes;
    guard->page_bytes = page_bytes;
    guard->piece_bytes = piece;
    guard->descriptor = descriptor;
    guard->sums = sums;
    guard->open = NULL;
    guard->checked = 0;
    strncpy(guard->path, path, sizeof guard->path - 1);
    guard->path[sizeof guard->path - 1] = 0;
    if (pieces > 0) {
        void *open = mmap(NULL, pieces, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (open == MAP_FAILED) {
            __atomic_store_n(&guard->map, 0, __ATOMIC_RELEASE);
            return -1;
        }
        guard->open = open;
    }
    __atomic_store_n(&guard->in_use, 1, __ATOMIC_RELEASE);
    if (pieces > 0 && mprotect((void *)(uintptr_t)map, guard->guarded_bytes, PROT_NONE) != 0) {
        int error = errno;
        linux_guard_end((int)(guard - guards));
        errno = error;
        return -1;
    }
    return (int)(guard - guards);
}

void linux_guard_end(int index) {
    struct guard *guard = &guards[index];
    __atomic_store_n(&guard->in_use, 0, __ATOMIC_RELEASE);
    if (guard->open != NULL) { munmap(guard->open, linux_guard_pieces(index)); }
    guard->open = NULL;
    pthread_mutex_lock(&guards_lock);
    guard->map = 0;
    pthread_mutex_unlock(&guards_lock);
}

size_t linux_guard_pieces_checked(int index) {
    return __atomic_load_n(&guards[index].checked, __ATOMIC_RELAXED);
}

size_t linux_guard_pieces(int index) {
    const struct guard *guard = &guards[index];
    return (guard->guarded_bytes + guard->piece_bytes - 1) / guard->piece_bytes;
}
