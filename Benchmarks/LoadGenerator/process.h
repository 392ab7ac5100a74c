// What the kernel knows about the server's process.
#pragma once
#include <sys/types.h>

// CPU time so far, seconds: all of it to the nanosecond, and its two kinds to the clock tick.
struct cpu_time {
    double all;
    double user;
    double system;
};

struct context_switches {
    long voluntary;
    long involuntary;
};

struct cpu_time cpu_time_of(pid_t process);
// Of the threads that are alive.
struct context_switches context_switches_of(pid_t process);
// Resident memory, KiB.
long resident_memory_of(pid_t process);
int thread_count_of(pid_t process);
