// Loaded before a server's libraries when callgrind counts its instructions.
//
// Valgrind 3.19 (Debian 12) writes to the mask that a program hands to sigsuspend(2). libdispatch's is a constant in memory that
// cannot be written to, so any program that calls dispatch_main (every Swift program with an asynchronous main) ends there.
// Here the mask is a copy.
#define _GNU_SOURCE
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

int sigsuspend(const sigset_t *mask) {
    sigset_t copy = *mask;
    // The kernel's own set of signals is 8 bytes long, the C library's 128.
    return (int)syscall(SYS_rt_sigsuspend, &copy, 8);
}
