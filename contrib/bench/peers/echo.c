// An echo server: one epoll loop on a Unix socket that sends back what it reads. What it reaches is
// the limit of the transport: no server that also parses and answers can be faster.
//
//     echo /path/of/socket

#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { EVENTS_MAX = 256, READ_BYTES = 64 << 10 };

static char bytes[READ_BYTES];

static int listen_at(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) return -1;
    strcpy(address.sun_path, path);
    unlink(path);
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (listener < 0) return -1;
    if (bind(listener, (struct sockaddr *)&address, sizeof address) < 0) return -1;
    return listen(listener, 4096) < 0 ? -1 : listener;
}

// Sends all of it; a client that does not read makes the server wait, which a benchmark may do.
static int send_all(int fd, ssize_t count) {
    ssize_t sent = 0;
    while (sent < count) {
        ssize_t step = send(fd, bytes + sent, (size_t)(count - sent), MSG_NOSIGNAL);
        if (step <= 0) return -1;
        sent += step;
    }
    return 0;
}

int main(int count, char **arguments) {
    if (count != 2) return fprintf(stderr, "usage: echo SOCKET\n"), 2;
    int listener = listen_at(arguments[1]);
    if (listener < 0) return perror(arguments[1]), 1;
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = listener};
    epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event);
    struct epoll_event events[EVENTS_MAX];
    for (;;) {
        int ready = epoll_wait(epoll, events, EVENTS_MAX, -1);
        for (int index = 0; index < ready; index++) {
            int fd = events[index].data.fd;
            if (fd == listener) {
                int accepted = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
                if (accepted < 0) continue;
                event = (struct epoll_event){.events = EPOLLIN, .data.fd = accepted};
                epoll_ctl(epoll, EPOLL_CTL_ADD, accepted, &event);
                continue;
            }
            ssize_t received = recv(fd, bytes, sizeof bytes, MSG_DONTWAIT);
            if (received <= 0 || send_all(fd, received) < 0) close(fd);
        }
    }
}
