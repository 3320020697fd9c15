/*
 * Linux calls that Swift cannot make itself, or not without trouble: epoll's packed structure with
 * its union, eventfd, accept4, and the credentials of a peer.
 *
 * Each function returns what the call returns, or -errno where the call returned -1.
 */
#ifndef CLINUX_EPOLL_H
#define CLINUX_EPOLL_H

#include <stdint.h>
#include <sys/types.h>

/* How many events one wait takes at most. */
#define CLINUX_EVENTS_MAX 256

/* The kernel's EPOLL* values, here because Swift does not import <sys/epoll.h>. */
enum {
    CLINUX_READABLE = 0x001,
    CLINUX_WRITABLE = 0x004,
    CLINUX_ERROR = 0x008,
    CLINUX_HANGUP = 0x010,
    CLINUX_READ_HANGUP = 0x2000,
    CLINUX_EDGE = 1u << 31,
};

struct clinux_event {
    uint64_t token;
    uint32_t events;
};

struct clinux_peer {
    uint32_t uid;
    uint32_t gid;
    int32_t pid;
};

int clinux_epoll_create(void);
int clinux_epoll_add(int epoll, int fd, uint32_t events, uint64_t token);
int clinux_epoll_modify(int epoll, int fd, uint32_t events, uint64_t token);
int clinux_epoll_remove(int epoll, int fd);

/* Waits; EINTR counts as no event. `events` has room for CLINUX_EVENTS_MAX. */
int clinux_epoll_wait(int epoll, struct clinux_event *events, int timeout_ms);

int clinux_eventfd(void);
int clinux_eventfd_signal(int fd);
int clinux_eventfd_clear(int fd);

/* A connection, nonblocking and close-on-exec. */
int clinux_accept(int listener);

/* A Unix stream socket, nonblocking and close-on-exec. */
int clinux_unix_socket(void);

int clinux_peer(int fd, struct clinux_peer *peer);

/* Both never block, and sending never raises SIGPIPE. */
ssize_t clinux_receive(int fd, void *bytes, size_t count);
ssize_t clinux_send(int fd, const void *bytes, size_t count);

void clinux_thread_name(const char *name);

#endif
