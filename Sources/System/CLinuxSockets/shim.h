/* Linux calls that Swift's Glibc module does not have, because glibc declares them only for _GNU_SOURCE. */
#pragma once
#include <errno.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

/* Options of Unix sockets that older headers lack: whether descriptors are passed (Linux 6.16), and the peer's pidfd (6.5). */
#ifndef SO_PASSRIGHTS
#define SO_PASSRIGHTS 83
#endif
#ifndef SO_PASSPIDFD
#define SO_PASSPIDFD 76
#endif

/* struct ucred of unix(7), with another name. */
struct pulse_ucred {
    int32_t pid;
    uint32_t uid;
    uint32_t gid;
};

extern int accept4(int, struct sockaddr *, socklen_t *, int);
extern int ppoll(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *);
extern int syncfs(int);
extern long syscall(long, ...);

/* Waits for events, at most some nanoseconds: epoll_pwait2(2), called by number, because glibc has it only since 2.35. Kernels before 5.11 do not
 * have it; there two other calls are used. */
static inline int pulse_epoll_wait(int epoll, struct epoll_event *events, int maximum, long nanoseconds) {
    struct timespec wait = {0, nanoseconds};
#ifdef SYS_epoll_pwait2
    int count = (int)syscall(SYS_epoll_pwait2, epoll, events, maximum, &wait, (void *)0, (size_t)0);
    /* Old container runtimes refuse calls that they do not know with EPERM. */
    if (count >= 0 || (errno != ENOSYS && errno != EPERM)) return count;
#endif
    struct pollfd readable = {epoll, POLLIN, 0};
    int ready = ppoll(&readable, 1, &wait, (void *)0);
    return ready > 0 ? epoll_wait(epoll, events, maximum, 0) : ready;
}

/* Reads from a socket, and writes to it without a signal if its peer is gone: recvfrom(2) and sendto(2), called by number. glibc's functions are
 * cancellation points, which need atomic instructions, and no thread here is ever cancelled. */
static inline ssize_t pulse_receive(int socket, void *buffer, size_t size) {
    return syscall(SYS_recvfrom, socket, buffer, size, 0, (void *)0, (void *)0);
}

/* As pulse_receive, from a Unix socket to which descriptors may be passed, without waiting. It looks before it reads, and reads only what it has
 * seen, so it drops no descriptor. If one comes with the bytes, nothing is read and errno is EBADMSG. */
static inline ssize_t pulse_receive_without_descriptors(int socket, void *buffer, size_t size) {
    struct iovec part = {buffer, size};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    ssize_t count = syscall(SYS_recvmsg, socket, &message, MSG_PEEK | MSG_DONTWAIT);
    if (count <= 0) return count;
    if (!(message.msg_flags & MSG_CTRUNC)) return pulse_receive(socket, buffer, (size_t)count);
    errno = EBADMSG;
    return -1;
}

/* Whether a Unix socket, of which nobody reads meanwhile, may hold unread descriptors. It looks at all bytes and reads none, so it drops no descriptor. */
static inline int pulse_may_hold_descriptors(int socket) {
    int count, offset = 0;
    if (ioctl(socket, FIONREAD, &count) != 0) return 1;
    if (count == 0) return 0;
    if (setsockopt(socket, SOL_SOCKET, SO_PEEK_OFF, &offset, sizeof offset) != 0) return 1;
    char bytes[16384];
    while (count > 0) {
        struct iovec part = {bytes, sizeof bytes};
        struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
        ssize_t seen = syscall(SYS_recvmsg, socket, &message, MSG_PEEK | MSG_DONTWAIT);
        if (seen <= 0 || message.msg_flags & MSG_CTRUNC) return 1;
        count -= (int)seen;
    }
    return 0;
}

static inline ssize_t pulse_send(int socket, const void *bytes, size_t size) {
    return syscall(SYS_sendto, socket, bytes, size, MSG_NOSIGNAL, (void *)0, 0);
}

/* The number of processors that this process may use: sched_getaffinity(2), called by number, because Swift cannot use glibc's macros. 0 = not known. */
static inline int pulse_processor_count(void) {
    unsigned long mask[128];
    long size = syscall(SYS_sched_getaffinity, 0, sizeof mask, mask);
    int count = 0;
    for (long word = 0; word < size / (long)sizeof mask[0]; word++) count += __builtin_popcountl(mask[word]);
    return count;
}

/* pidfd_open(2), called by number, because glibc has it only since 2.36. Closed on exec. */
static inline int pulse_pidfd_open(int pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }
