// CLinux has the calls of Linux that Swift cannot make itself, and what the processor does better
// than a loop in Swift: checksums and prefetching.
//
// In reading order:
//   epoll.h      below: epoll, eventfd, accept4, the credentials of a peer, threads
//   crc32c.h     the checksum of rows and groups
//   pageguard.h  pages of a memory map, compared with their sums before anybody reads them
//   crash.h      one line about a crash, and the end
//   arenas.h     malloc's regions
//   prefetch.h   a line of memory, brought near
//   sharedwords.h  words of memory that other processes read
//
// Its laws:
//   1. A function returns what the call returns, or -errno where the call returned -1.
//   2. Nothing is allocated behind the caller's back.
//
// It never knows a type or a rule of this project.

/*
 * Linux calls that Swift cannot make itself, or not without trouble: epoll's packed structure with
 * its union, eventfd, accept4, and the credentials of a peer.
 *
 * Each function returns what the call returns, or -errno where the call returned -1.
 */
#ifndef ENTITLD_EPOLL_H
#define ENTITLD_EPOLL_H

#include <stdint.h>
#include <sys/types.h>

/* How many events one wait takes at most. */
#define LINUX_EVENTS_MAX 256

/* The kernel's EPOLL* values, here because Swift does not import <sys/epoll.h>. */
enum {
    LINUX_READABLE = 0x001,
    LINUX_WRITABLE = 0x004,
    LINUX_ERROR = 0x008,
    LINUX_HANGUP = 0x010,
    LINUX_READ_HANGUP = 0x2000,
    LINUX_EDGE = 1u << 31,
};

struct linux_event {
    uint64_t token;
    uint32_t events;
};

struct linux_peer_credentials {
    uint32_t uid;
    uint32_t gid;
    int32_t pid;
};

int linux_epoll_create(void);
int linux_epoll_add(int epoll, int fd, uint32_t events, uint64_t token);
int linux_epoll_modify(int epoll, int fd, uint32_t events, uint64_t token);
int linux_epoll_remove(int epoll, int fd);

/* Waits; EINTR counts as no event. `events` has room for LINUX_EVENTS_MAX. */
int linux_epoll_wait(int epoll, struct linux_event *events, int timeout_ms);

/* The same, to the nanosecond; without that in the kernel (before 5.11) it does not wait. */
int linux_epoll_wait_exactly(int epoll, struct linux_event *events, int64_t timeout_ns);

int linux_eventfd(void);
int linux_eventfd_signal(int fd);
int linux_eventfd_clear(int fd);

/* A timer, which begins anew with each start; its descriptor becomes readable when it ends. */
int linux_timer(void);
int linux_timer_start(int fd, int64_t milliseconds);

/* A connection, nonblocking and close-on-exec. */
int linux_accept(int listener);

/* A Unix stream socket, nonblocking and close-on-exec. */
int linux_unix_socket(void);

int linux_peer(int fd, struct linux_peer_credentials *peer);

/* Both never block, and sending never raises SIGPIPE. */
ssize_t linux_receive(int fd, void *bytes, size_t count);
ssize_t linux_send(int fd, const void *bytes, size_t count);

/* How many names lead to an open file, or -errno; asks for nothing else. Whoever asks for times as
 * well, as fstat does, has Linux 6.13 and newer keep the next ones exactly, and every flush of the
 * file writes its inode too. */
ssize_t linux_link_count(int fd);

void linux_thread_name(const char *name);

/* Has the calling thread give way to others, by so many steps of nice(2). */
void linux_thread_nice(int steps);

/* Gives the calling thread only what others leave: whichever wakes up interrupts it at once
 * (SCHED_IDLE). */
void linux_thread_idle(void);

/* Gives the calling thread turns of so many microseconds. Whoever takes shorter turns gets the next
 * one sooner, also from a thread in the middle of a longer one (EEVDF; Linux 6.12 and newer, older
 * ones take no notice). */
void linux_thread_slice(unsigned microseconds);

/* Has the calling thread's waits end within a microsecond of their time, not within fifty. */
void linux_thread_punctual(void);

#endif
