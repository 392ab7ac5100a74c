// The clock, the end of the program when something is wrong, and the socket: what every part of the generator uses.
#pragma once
#include <stddef.h>
#include <stdint.h>

// Nanoseconds of the monotonic clock.
uint64_t now(void);

// Ends the program with a message, formatted as by printf. A wrong answer is never counted: it ends the measurement.
void fail(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

// Connects. Waits a while when the server's backlog is full. -1 when nobody listens.
int dial(const char *path);

// Reads or writes all the bytes, on a blocking socket.
void write_all(int descriptor, const void *bytes, size_t count);
void read_all(int descriptor, void *bytes, size_t count);
