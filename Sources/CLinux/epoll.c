#define _GNU_SOURCE
#include "epoll.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

_Static_assert(LINUX_READABLE == EPOLLIN, "EPOLLIN");
_Static_assert(LINUX_WRITABLE == EPOLLOUT, "EPOLLOUT");
_Static_assert(LINUX_ERROR == EPOLLERR, "EPOLLERR");
_Static_assert(LINUX_HANGUP == EPOLLHUP, "EPOLLHUP");
_Static_assert(LINUX_READ_HANGUP == EPOLLRDHUP, "EPOLLRDHUP");
_Static_assert((uint32_t)LINUX_EDGE == (uint32_t)EPOLLET, "EPOLLET");

static int result(int value) { return value < 0 ? -errno : value; }

int linux_epoll_create(void) { return result(epoll_create1(EPOLL_CLOEXEC)); }

static int control(int epoll, int operation, int fd, uint32_t events, uint64_t token) {
    struct epoll_event event = {.events = events, .data.u64 = token};
    return result(epoll_ctl(epoll, operation, fd, &event));
}

int linux_epoll_add(int epoll, int fd, uint32_t events, uint64_t token) {
    return control(epoll, EPOLL_CTL_ADD, fd, events, token);
}

int linux_epoll_modify(int epoll, int fd, uint32_t events, uint64_t token) {
    return control(epoll, EPOLL_CTL_MOD, fd, events, token);
}

int linux_epoll_remove(int epoll, int fd) { return control(epoll, EPOLL_CTL_DEL, fd, 0, 0); }

static int taken(int count, const struct epoll_event *found, struct linux_event *events) {
    if (count < 0) return errno == EINTR ? 0 : -errno;
    for (int index = 0; index < count; index++) {
        events[index].token = found[index].data.u64;
        events[index].events = found[index].events;
    }
    return count;
}

int linux_epoll_wait(int epoll, struct linux_event *events, int timeout_ms) {
    struct epoll_event found[LINUX_EVENTS_MAX];
    return taken(epoll_wait(epoll, found, LINUX_EVENTS_MAX, timeout_ms), found, events);
}

int linux_epoll_wait_exactly(int epoll, struct linux_event *events, int64_t timeout_ns) {
    struct epoll_event found[LINUX_EVENTS_MAX];
    struct timespec timeout = {timeout_ns / 1000000000, timeout_ns % 1000000000};
    int count =
        (int)syscall(SYS_epoll_pwait2, epoll, found, LINUX_EVENTS_MAX, &timeout, NULL, 0);
    if (count < 0 && errno == ENOSYS) count = epoll_wait(epoll, found, LINUX_EVENTS_MAX, 0);
    return taken(count, found, events);
}

int linux_eventfd(void) { return result(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)); }

int linux_eventfd_signal(int fd) {
    uint64_t one = 1;
    return write(fd, &one, sizeof one) < 0 ? -errno : 0;
}

int linux_eventfd_clear(int fd) {
    uint64_t count;
    return read(fd, &count, sizeof count) < 0 ? -errno : 0;
}

int linux_timer(void) {
    return result(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
}

int linux_timer_start(int fd, int64_t milliseconds) {
    struct itimerspec time = {
        .it_value = {milliseconds / 1000, milliseconds % 1000 * 1000000},
    };
    return result(timerfd_settime(fd, 0, &time, NULL));
}

int linux_accept(int listener) {
    return result(accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC));
}

int linux_unix_socket(void) {
    return result(socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
}

int linux_peer(int fd, struct linux_peer_credentials *peer) {
    struct ucred credentials;
    socklen_t length = sizeof credentials;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &length) < 0) return -errno;
    peer->uid = credentials.uid;
    peer->gid = credentials.gid;
    peer->pid = credentials.pid;
    return 0;
}

/*
 * In a process with threads, glibc's recv and send also look for a request to cancel the thread on
 * each call. Nobody cancels threads here, and these two run for every request.
 */
ssize_t linux_receive(int fd, void *bytes, size_t count) {
    long received = syscall(SYS_recvfrom, fd, bytes, count, MSG_DONTWAIT, NULL, NULL);
    return received < 0 ? -errno : received;
}

ssize_t linux_send(int fd, const void *bytes, size_t count) {
    long sent =
        syscall(SYS_sendto, fd, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL, NULL, 0);
    return sent < 0 ? -errno : sent;
}

ssize_t linux_link_count(int fd) {
    struct statx answer;
    if (statx(fd, "", AT_EMPTY_PATH, STATX_NLINK, &answer) != 0) return -errno;
    return (ssize_t)answer.stx_nlink;
}

void linux_thread_name(const char *name) { pthread_setname_np(pthread_self(), name); }

void linux_thread_nice(int steps) {
    /* Linux keeps a niceness for each thread, whatever POSIX says (setpriority(2)). */
    setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), steps);
}

void linux_thread_idle(void) {
    struct sched_param none = {0};
    /* 0 is the calling thread here, too (sched_setscheduler(2)). */
    sched_setscheduler(0, SCHED_IDLE, &none);
}

void linux_thread_punctual(void) { prctl(PR_SET_TIMERSLACK, 1000UL); }

void linux_thread_slice(unsigned microseconds) {
    /* struct sched_attr as of its first version (sched_setattr(2)); glibc has none before 2.41. */
    struct {
        uint32_t size, policy;
        uint64_t flags;
        int32_t nice;
        uint32_t priority;
        uint64_t runtime, deadline, period;
    } attributes;
    memset(&attributes, 0, sizeof attributes);
    if (syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0) < 0) { return; }
    if (attributes.policy != SCHED_OTHER) { return; }
    attributes.runtime = (uint64_t)microseconds * 1000;
    syscall(SYS_sched_setattr, 0, &attributes, 0);
}
