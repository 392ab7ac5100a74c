// One connection with calls under way: frames out, answers in. It does not wait; the loop in load.c does.
#pragma once
#include "envelope.h"
#include <stddef.h>
#include <stdint.h>

// A call under way. `id` 0: the place is free.
struct call {
    uint64_t sent; // nanoseconds
    uint32_t id;
};

struct connection {
    int descriptor;
    int waits_to_write; // whether epoll watches for room to write

    uint32_t next_id;
    struct call *calls; // by id; the size is a power of two
    uint32_t calls_mask;

    // Frames that wait to be sent. Small ones are copied behind each other, so that one write takes them all; large ones
    // are sent from where they are, and only their ids are kept.
    uint8_t *output;
    size_t output_count, output_sent, output_capacity;
    struct bytes large_frame;
    uint32_t *large_ids;
    size_t large_first, large_end, large_sent;

    // The answer that is being received.
    uint8_t header[HEADER_BYTES];
    size_t header_count;
    struct header incoming;
    size_t body_count;
    uint8_t *body; // kept only when the expected answer is not known
    size_t body_capacity;
};

// What the answers are compared with, and who is notified of them.
struct answers {
    const struct requests *requests;
    struct bytes expected; // the whole body of each answer; `start` NULL: they differ, and each is read
    void (*answered)(void *context, uint64_t sent);
    void *context;
};

void open_connection(struct connection *connection, const char *path, int in_flight);

// Queues one call; `time` is when it counts as sent.
void queue_call(struct connection *connection, struct bytes frame, uint64_t time);

// Writes what the socket takes. Returns whether something is left.
int write_queued(struct connection *connection);

// Checks received bytes. Returns the number of answers that they complete.
size_t take_received(struct connection *connection, const struct answers *answers, const uint8_t *bytes, size_t count);
