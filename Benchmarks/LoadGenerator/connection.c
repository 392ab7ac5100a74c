#include "connection.h"
#include "program.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

// From this size on, copying a frame costs more than adding an element to a `writev`.
enum { LARGE = 16 * 1024, FRAMES_A_WRITE = 8 };
// A call without an answer for this long is lost. Nanoseconds.
static const uint64_t longest_wait = 10000000000u;

static void *allocate(size_t count, size_t size) {
    void *memory = calloc(count, size);
    if (!memory) fail("out of memory");
    return memory;
}

void open_connection(struct connection *connection, const char *path, int in_flight) {
    *connection = (struct connection){.descriptor = dial(path), .next_id = 1};
    if (connection->descriptor < 0) fail("nobody listens at %s", path);
    uint32_t places = 1024;
    while (places < (uint32_t)in_flight * 16) places *= 2;
    connection->calls = allocate(places, sizeof *connection->calls);
    connection->calls_mask = places - 1;
    connection->large_ids = allocate(places, sizeof *connection->large_ids);
}

// MARK: sending

static void queue_copy(struct connection *connection, struct bytes frame, uint32_t id) {
    if (connection->output_count + frame.count > connection->output_capacity) {
        size_t waiting = connection->output_count - connection->output_sent;
        memmove(connection->output, connection->output + connection->output_sent, waiting);
        connection->output_count = waiting;
        connection->output_sent = 0;
        if (waiting + frame.count > connection->output_capacity) {
            connection->output_capacity = (waiting + frame.count) * 2;
            connection->output = realloc(connection->output, connection->output_capacity);
            if (!connection->output) fail("out of memory");
        }
    }
    uint8_t *copy = connection->output + connection->output_count;
    memcpy(copy, frame.start, frame.count);
    write_id(copy, id);
    connection->output_count += frame.count;
}

void queue_call(struct connection *connection, struct bytes frame, uint64_t time) {
    // Ids only grow. An id is skipped while an older call still has its place.
    struct call *call;
    uint32_t id;
    do {
        id = connection->next_id;
        connection->next_id += 2;
        call = &connection->calls[(id >> 1) & connection->calls_mask];
        if (call->id && time - call->sent > longest_wait) fail("call %u has had no answer for 10 seconds", call->id);
    } while (call->id);
    *call = (struct call){time, id};
    if (frame.count < LARGE) {
        queue_copy(connection, frame, id);
    } else {
        connection->large_frame = frame;
        connection->large_ids[connection->large_end++ & connection->calls_mask] = id;
    }
}

static ssize_t write_large(struct connection *connection) {
    struct bytes frame = connection->large_frame;
    struct iovec pieces[2 * FRAMES_A_WRITE];
    uint8_t headers[FRAMES_A_WRITE][HEADER_BYTES];
    int count = 0;
    size_t skip = connection->large_sent;
    for (size_t i = 0; i < FRAMES_A_WRITE && connection->large_first + i < connection->large_end; i++) {
        memcpy(headers[i], frame.start, HEADER_BYTES);
        write_id(headers[i], connection->large_ids[(connection->large_first + i) & connection->calls_mask]);
        if (skip < HEADER_BYTES) {
            pieces[count++] = (struct iovec){headers[i] + skip, HEADER_BYTES - skip};
            skip = HEADER_BYTES;
        }
        pieces[count++] = (struct iovec){frame.start + skip, frame.count - skip};
        skip = 0;
    }
    ssize_t written = writev(connection->descriptor, pieces, count);
    if (written > 0) {
        size_t sent = connection->large_sent + (size_t)written;
        connection->large_first += sent / frame.count;
        connection->large_sent = sent % frame.count;
    }
    return written;
}

int write_queued(struct connection *connection) {
    for (;;) {
        ssize_t written;
        if (connection->output_sent < connection->output_count) {
            written = write(
                connection->descriptor, connection->output + connection->output_sent,
                connection->output_count - connection->output_sent);
            if (written > 0) connection->output_sent += (size_t)written;
        } else if (connection->large_first < connection->large_end) {
            written = write_large(connection);
        } else {
            connection->output_count = connection->output_sent = 0;
            return 0;
        }
        if (written < 0 && errno == EAGAIN) return 1;
        if (written < 0 && errno != EINTR) fail("write: %s", strerror(errno));
    }
}

// MARK: receiving

static void begin_answer(struct connection *connection, const struct answers *answers) {
    connection->incoming = read_header(connection->header);
    connection->body_count = 0;
    struct header incoming = connection->incoming;
    struct call *call = &connection->calls[(incoming.id >> 1) & connection->calls_mask];
    if (incoming.type != TYPE_RESPONSE || !incoming.id || call->id != incoming.id)
        fail("an answer to a call that is not under way: id %u, type %u", incoming.id, incoming.type);
    if (answers->expected.start) {
        if (incoming.body_bytes != answers->expected.count)
            fail("answer %u has %zu bytes, not %zu", incoming.id, incoming.body_bytes, answers->expected.count);
    } else if (incoming.body_bytes > connection->body_capacity) {
        connection->body_capacity = incoming.body_bytes;
        connection->body = realloc(connection->body, incoming.body_bytes);
        if (!connection->body) fail("out of memory");
    }
}

static void end_answer(struct connection *connection, const struct answers *answers) {
    if (!answers->expected.start) check_response(answers->requests, connection->body, connection->body_count);
    struct call *call = &connection->calls[(connection->incoming.id >> 1) & connection->calls_mask];
    call->id = 0;
    connection->header_count = 0;
    answers->answered(answers->context, call->sent);
}

size_t take_received(struct connection *connection, const struct answers *answers, const uint8_t *bytes, size_t count) {
    size_t complete = 0;
    while (count) {
        if (connection->header_count < HEADER_BYTES) {
            size_t part = HEADER_BYTES - connection->header_count;
            if (part > count) part = count;
            memcpy(connection->header + connection->header_count, bytes, part);
            connection->header_count += part;
            bytes += part;
            count -= part;
            if (connection->header_count < HEADER_BYTES) break;
            begin_answer(connection, answers);
        }
        size_t part = connection->incoming.body_bytes - connection->body_count;
        if (part > count) part = count;
        if (!answers->expected.start) memcpy(connection->body + connection->body_count, bytes, part);
        else if (memcmp(bytes, answers->expected.start + connection->body_count, part))
            fail("answer %u differs from the first one", connection->incoming.id);
        connection->body_count += part;
        bytes += part;
        count -= part;
        if (connection->body_count == connection->incoming.body_bytes) {
            end_answer(connection, answers);
            complete++;
        }
    }
    return complete;
}
