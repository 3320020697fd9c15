#define _GNU_SOURCE
#include "crash.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

/* Where the linker put the program: an instruction less the start is what addr2line wants. */
extern const char __executable_start;
extern const char etext;

/* The program's name for the line; set before any handler is installed. */
static char program_name[32];

static const struct {
    int number;
    const char *name;
} crash_signals[] = {
    {SIGILL, "SIGILL"}, {SIGTRAP, "SIGTRAP"}, {SIGABRT, "SIGABRT"},
    {SIGBUS, "SIGBUS"}, {SIGFPE, "SIGFPE"},   {SIGSEGV, "SIGSEGV"},
};
enum { CRASH_SIGNALS = sizeof crash_signals / sizeof crash_signals[0] };

/* How long the line may wait for whoever reads it. */
enum { CRASH_REPORT_MILLISECONDS = 1000 };

/* One line, put together without any function that a signal handler may not call. */
struct line {
    char text[256];
    size_t count;
};

static void add(struct line *line, const char *text) {
    while (*text != 0 && line->count < sizeof line->text - 1) {
        line->text[line->count++] = *text++;
    }
}

static void add_number(struct line *line, uint64_t number, unsigned base) {
    char digits[24];
    size_t start = sizeof digits - 1;
    digits[start] = 0;
    do {
        digits[--start] = "0123456789abcdef"[number % base];
        number /= base;
    } while (number != 0);
    if (base == 16) {
        add(line, "0x");
    }
    add(line, digits + start);
}

/* The instruction at which the thread was; 0 on a processor that is not known here. */
static uintptr_t instruction(const void *context) {
    const ucontext_t *state = context;
#if defined(__x86_64__)
    return (uintptr_t)state->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return (uintptr_t)state->uc_mcontext.pc;
#else
    (void)state;
    return 0;
#endif
}

static void add_cause(struct line *line, const siginfo_t *info) {
    /* si_code is positive where the kernel saw a fault, and not where a process sent the signal. */
    if (info->si_code <= 0) {
        add(line, info->si_pid == getpid() ? ", raised by itself" : ", sent by process ");
        if (info->si_pid != getpid()) {
            add_number(line, (uint64_t)info->si_pid, 10);
        }
        return;
    }
    add(line, " at address ");
    add_number(line, (uintptr_t)info->si_addr, 16);
}

static void add_place(struct line *line, const void *context) {
    uintptr_t place = instruction(context);
    uintptr_t start = (uintptr_t)&__executable_start;
    if (place >= start && place < (uintptr_t)&etext) {
        add(line, ", instruction ");
        add(line, program_name);
        add(line, "+");
        place -= start;
    } else {
        add(line, ", instruction ");
    }
    add_number(line, place, 16);
}

static void add_thread(struct line *line, pid_t thread) {
    char name[16] = {0};
    prctl(PR_GET_NAME, name);
    add(line, ", thread ");
    add(line, name);
    add(line, " (");
    add_number(line, (uint64_t)thread, 10);
    add(line, ")\n");
}

static void report(int number, siginfo_t *info, void *context) {
    pid_t thread = (pid_t)syscall(SYS_gettid);
    struct line line = {.count = 0};
    add(&line, program_name);
    add(&line, " crashed: ");
    for (int index = 0; index < CRASH_SIGNALS; index++) {
        if (crash_signals[index].number == number) {
            add(&line, crash_signals[index].name);
        }
    }
    add_cause(&line, info);
    add_place(&line, context);
    add_thread(&line, thread);
    /* Not for ever: a pipe that nobody reads must not keep the process from ending. */
    struct pollfd ready = {.fd = STDERR_FILENO, .events = POLLOUT};
    if (poll(&ready, 1, CRASH_REPORT_MILLISECONDS) > 0) {
        ssize_t written = write(STDERR_FILENO, line.text, line.count);
        (void)written;
    }
    /* A fault would happen again after the return; a signal that was sent would not. This ends both,
     * with this signal as the reason, also where a later handler has called this one. */
    signal(number, SIG_DFL);
    syscall(SYS_tgkill, getpid(), thread, number);
}

void linux_report_crashes(const char *program) {
    const char *wish = getenv("SWIFT_BACKTRACE");
    if (wish != NULL && strstr(wish, "enable=yes") != NULL) {
        return;
    }
    strncpy(program_name, program, sizeof program_name - 1);
    struct sigaction action = {.sa_sigaction = report};
    /* SA_NODEFER: a fault within the handler ends the process, and so does the signal it sends. */
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESETHAND | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    for (int index = 0; index < CRASH_SIGNALS; index++) {
        /* Fails only for a number that is no signal. */
        sigaction(crash_signals[index].number, &action, NULL);
    }
}

void linux_hold_standard_descriptors(void) {
    int descriptor;
    do {
        descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC);
    } while (descriptor >= STDIN_FILENO && descriptor <= STDERR_FILENO);
    if (descriptor >= 0) {
        close(descriptor);
    }
}
