/* The Linux calls that Swift's Glibc module leaves out, because glibc declares them for _GNU_SOURCE only. */
#pragma once
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

/* struct ucred of unix(7), under a name of our own. */
struct pulse_ucred {
    int32_t pid;
    uint32_t uid;
    uint32_t gid;
};

extern int accept4(int, struct sockaddr *, socklen_t *, int);
extern int ppoll(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *);
extern long syscall(long, ...);

/* pidfd_open(2); by number, because glibc has it since 2.36 only. Closed on exec. */
static inline int pulse_pidfd_open(int pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }
