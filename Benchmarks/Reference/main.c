// The reference of the benchmark: what this machine allows a server that decodes and encodes with protobuf-c.
//
//   reference-server SOCKET
//
// One thread, one epoll set, the buffers that PulseBoard's runtime has: a shared read buffer of 256 KiB, storage of a
// connection's own only for a frame that is not there yet as a whole, one read for a connection in a turn, one write for all
// answers to what was read, a send buffer of 1 MiB. It has no deadlines, no limits, no cancellation, no interceptors and no
// streams: those are what a server of a product adds, and the distance to this one is what they cost.
#define _GNU_SOURCE
#include "echo.h"
#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { READ_BYTES = 256 * 1024, LARGEST_BODY = 4 << 20, EVENTS = 256, KEPT_OUTPUT = 1 << 20 };

struct connection {
    int descriptor;
    int waits_to_write;
    // The beginning of an incomplete frame; NULL: none.
    uint8_t *partial;
    size_t partial_count, partial_capacity;
    struct output output;
};

static int epoll_set;
static uint8_t read_buffer[READ_BYTES];

static void watch(struct connection *connection, int operation) {
    struct epoll_event event = {.events = connection->waits_to_write ? EPOLLOUT : EPOLLIN, .data.ptr = connection};
    epoll_ctl(epoll_set, operation, connection->descriptor, &event);
}

static void close_connection(struct connection *connection) {
    close(connection->descriptor);
    free(connection->partial);
    free(connection->output.bytes);
    free(connection);
}

// Writes what the socket takes, and stops reading from a peer that does not read. -1: the connection is broken.
static int flush(struct connection *connection) {
    struct output *output = &connection->output;
    while (output->sent < output->count) {
        ssize_t written = write(connection->descriptor, output->bytes + output->sent, output->count - output->sent);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0 && errno != EAGAIN) return -1;
        if (written < 0) break;
        output->sent += (size_t)written;
    }
    int is_blocked = output->sent < output->count;
    if (!is_blocked) {
        output->count = output->sent = 0;
        if (output->capacity > KEPT_OUTPUT) {
            free(output->bytes);
            *output = (struct output){0};
        }
    }
    if (is_blocked != connection->waits_to_write) {
        connection->waits_to_write = is_blocked;
        watch(connection, EPOLL_CTL_MOD);
    }
    return 0;
}

// Answers the whole frames in `bytes`. Returns their length; `needed` becomes the size of the incomplete frame.
static ssize_t answer_frames(struct connection *connection, const uint8_t *bytes, size_t count, size_t *needed) {
    size_t done = 0;
    *needed = HEADER_BYTES;
    while (count - done >= HEADER_BYTES) {
        const uint8_t *frame = bytes + done;
        size_t body = (size_t)frame[0] << 24 | (size_t)frame[1] << 16 | (size_t)frame[2] << 8 | frame[3];
        if (body > LARGEST_BODY) return -1;
        *needed = HEADER_BYTES + body;
        if (count - done < *needed) break;
        if (answer(&connection->output, frame, body)) return -1;
        done += *needed;
        *needed = HEADER_BYTES;
    }
    return (ssize_t)done;
}

// Keeps the bytes after the last whole frame, with room for `needed` bytes. -1: no memory.
static int keep_rest(struct connection *connection, const uint8_t *rest, size_t count, size_t needed) {
    if (!count) {
        free(connection->partial);
        connection->partial = NULL;
        connection->partial_count = connection->partial_capacity = 0;
        return 0;
    }
    uint8_t *partial = connection->partial;
    if (!partial || needed > connection->partial_capacity) {
        partial = malloc(needed);
        if (!partial) return -1;
        connection->partial_capacity = needed;
        memcpy(partial, rest, count);
        free(connection->partial);
        connection->partial = partial;
    } else if (partial != rest) {
        memmove(partial, rest, count);
    }
    connection->partial_count = count;
    return 0;
}

// Reads once and answers. -1: the connection has ended.
static int serve(struct connection *connection) {
    int is_partial = connection->partial != NULL;
    uint8_t *buffer = is_partial ? connection->partial : read_buffer;
    size_t held = connection->partial_count;
    size_t room = is_partial ? connection->partial_capacity - held : READ_BYTES;
    ssize_t count = read(connection->descriptor, buffer + held, room);
    if (count == 0) return -1;
    if (count < 0) return errno == EAGAIN || errno == EINTR ? 0 : -1;
    size_t needed, total = held + (size_t)count;
    ssize_t done = answer_frames(connection, buffer, total, &needed);
    if (done < 0 || keep_rest(connection, buffer + done, total - (size_t)done, needed)) return -1;
    return flush(connection);
}

static void accept_all(int listener) {
    for (int descriptor; (descriptor = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0;) {
        int size = 1 << 20;
        setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
        struct connection *connection = calloc(1, sizeof *connection);
        if (!connection) abort();
        connection->descriptor = descriptor;
        watch(connection, EPOLL_CTL_ADD);
    }
}

static int listen_at(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) {
        fprintf(stderr, "reference-server: the path is too long\n");
        exit(64);
    }
    strcpy(address.sun_path, path);
    unlink(path);
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 4096)) {
        perror("reference-server");
        exit(69);
    }
    return listener;
}

int main(int count, char **arguments) {
    if (count != 2) {
        fprintf(stderr, "reference-server SOCKET\n");
        return 64;
    }
    signal(SIGPIPE, SIG_IGN);
    // Without these, glibc returns the memory of every large message to the kernel and requests it again for the next one.
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
    int listener = listen_at(arguments[1]);
    epoll_set = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event listening = {.events = EPOLLIN, .data.ptr = NULL};
    epoll_ctl(epoll_set, EPOLL_CTL_ADD, listener, &listening);
    for (struct epoll_event events[EVENTS];;) {
        int ready = epoll_wait(epoll_set, events, EVENTS, -1);
        for (int i = 0; i < ready; i++) {
            struct connection *connection = events[i].data.ptr;
            if (!connection) accept_all(listener);
            else if ((events[i].events & EPOLLOUT ? flush(connection) : serve(connection)) < 0) close_connection(connection);
        }
    }
}
