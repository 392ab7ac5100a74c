/* The Linux calls that Swift's Glibc module leaves out, because glibc declares them for _GNU_SOURCE only. */
#pragma once
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <time.h>

/* struct ucred of unix(7), under a name of our own. */
struct pulse_ucred {
    int32_t pid;
    uint32_t uid;
    uint32_t gid;
};

extern int accept4(int, struct sockaddr *, socklen_t *, int);
extern int ppoll(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *);
