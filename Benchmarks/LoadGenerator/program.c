#include "program.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

void fail(const char *format, ...) {
    va_list values;
    va_start(values, format);
    fputs("load-generator: ", stderr);
    vfprintf(stderr, format, values);
    fputc('\n', stderr);
    exit(1);
}

int dial(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) fail("the socket's path is too long");
    strcpy(address.sun_path, path);
    int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) fail("socket: %s", strerror(errno));
    // The same for every server: with the kernel's default a message of 256 KiB takes several turns of both sides.
    int size = 1 << 20;
    setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
    for (int attempt = 0; attempt < 2000; attempt++) {
        if (connect(descriptor, (struct sockaddr *)&address, sizeof address) == 0) return descriptor;
        if (errno != EAGAIN) break;
        usleep(500);
    }
    close(descriptor);
    return -1;
}

void write_all(int descriptor, const void *bytes, size_t count) {
    for (const uint8_t *next = bytes; count > 0;) {
        ssize_t written = write(descriptor, next, count);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) fail("write: %s", strerror(errno));
        next += written;
        count -= (size_t)written;
    }
}

void read_all(int descriptor, void *bytes, size_t count) {
    for (uint8_t *next = bytes; count > 0;) {
        ssize_t got = read(descriptor, next, count);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) fail("read: %s", strerror(errno));
        if (got == 0) fail("the server closed the connection");
        next += got;
        count -= (size_t)got;
    }
}
