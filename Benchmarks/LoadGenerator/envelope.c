#include "envelope.h"
#include "program.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// MARK: writing

static uint8_t *put_varint(uint8_t *at, uint64_t value) {
    for (; value >= 0x80; value >>= 7) *at++ = (uint8_t)value | 0x80;
    *at++ = (uint8_t)value;
    return at;
}

// A length-delimited field: strings, bytes and messages.
static uint8_t *put_field(uint8_t *at, unsigned number, const void *bytes, size_t count) {
    at = put_varint(at, number << 3 | 2);
    at = put_varint(at, count);
    memcpy(at, bytes, count);
    return at + count;
}

static void put_header(uint8_t *frame, size_t body_bytes) {
    for (int i = 0; i < 4; i++) frame[i] = (uint8_t)(body_bytes >> (24 - 8 * i));
    write_id(frame, 0);
    frame[8] = TYPE_REQUEST;
    frame[9] = 0;
}

void write_id(uint8_t *frame, uint32_t id) {
    for (int i = 0; i < 4; i++) frame[4 + i] = (uint8_t)(id >> (24 - 8 * i));
}

static void *allocate(size_t count) {
    void *memory = malloc(count ? count : 1);
    if (!memory) fail("out of memory");
    return memory;
}

static struct bytes message_from_hex(const char *text) {
    struct bytes message = {allocate(strlen(text) / 2), strlen(text) / 2};
    for (size_t i = 0; i < message.count; i++) {
        unsigned byte;
        if (sscanf(text + 2 * i, "%2x", &byte) != 1) fail("--message is not hexadecimal");
        message.start[i] = (uint8_t)byte;
    }
    return message;
}

// Bytes that differ from their neighbours, so that a misplaced piece is noticed.
static struct bytes echo_message(size_t count) {
    uint8_t *data = allocate(count);
    for (size_t i = 0; i < count; i++) data[i] = (uint8_t)('a' + (i * 7 + i / 251) % 26);
    struct bytes message = {allocate(count + 16), 0};
    // protobuf leaves an empty field out.
    if (count) message.count = (size_t)(put_field(message.start, 1, data, count) - message.start);
    free(data);
    return message;
}

static struct bytes request_frame(const struct options *options, struct bytes message) {
    size_t most = HEADER_BYTES + strlen(options->service) + strlen(options->method) + message.count + 64;
    for (size_t i = 0; i < options->metadata_count; i++) most += strlen(options->metadata[i]) + 32;
    struct bytes frame = {allocate(most), 0};
    uint8_t *at = frame.start + HEADER_BYTES;
    at = put_field(at, 1, options->service, strlen(options->service));
    at = put_field(at, 2, options->method, strlen(options->method));
    if (message.count) at = put_field(at, 3, message.start, message.count);
    for (size_t i = 0; i < options->metadata_count; i++) {
        const char *text = options->metadata[i], *colon = strchr(text, ':');
        uint8_t *pair = allocate(strlen(text) + 32), *end = put_field(pair, 1, text, (size_t)(colon - text));
        end = put_field(end, 2, colon + 1, strlen(colon + 1));
        at = put_field(at, 5, pair, (size_t)(end - pair));
        free(pair);
    }
    frame.count = (size_t)(at - frame.start);
    put_header(frame.start, frame.count - HEADER_BYTES);
    return frame;
}

static struct requests requests_in_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) fail("%s cannot be read", path);
    struct requests requests = {0};
    size_t capacity = 0;
    for (uint8_t length[4]; fread(length, 1, 4, file) == 4;) {
        size_t count = (size_t)length[0] << 24 | (size_t)length[1] << 16 | (size_t)length[2] << 8 | length[3];
        if (requests.count == capacity) {
            capacity = capacity ? capacity * 2 : 1024;
            requests.frames = realloc(requests.frames, capacity * sizeof *requests.frames);
            if (!requests.frames) fail("out of memory");
        }
        struct bytes frame = {allocate(count + HEADER_BYTES), count + HEADER_BYTES};
        put_header(frame.start, count);
        if (fread(frame.start + HEADER_BYTES, 1, count, file) != count) fail("%s ends in the middle of a request", path);
        requests.frames[requests.count++] = frame;
    }
    fclose(file);
    if (!requests.count) fail("%s holds no request", path);
    return requests;
}

struct requests make_requests(const struct options *options) {
    if (options->requests_path) return requests_in_file(options->requests_path);
    struct requests requests = {.frames = allocate(sizeof(struct bytes)), .count = 1};
    struct bytes message = options->message_hex ? message_from_hex(options->message_hex) : echo_message(options->echo_bytes);
    requests.frames[0] = request_frame(options, message);
    if (!options->message_hex) {
        requests.echo = message.start;
        requests.echo_bytes = message.count;
    }
    return requests;
}

// MARK: reading

struct header read_header(const uint8_t *frame) {
    return (struct header){
        .body_bytes = (size_t)frame[0] << 24 | (size_t)frame[1] << 16 | (size_t)frame[2] << 8 | frame[3],
        .id = (uint32_t)frame[4] << 24 | (uint32_t)frame[5] << 16 | (uint32_t)frame[6] << 8 | frame[7],
        .type = frame[8],
    };
}

struct cursor {
    const uint8_t *at, *end;
};

static uint64_t take_varint(struct cursor *cursor) {
    uint64_t value = 0;
    for (int shift = 0; cursor->at < cursor->end && shift < 64; shift += 7) {
        uint8_t byte = *cursor->at++;
        value |= (uint64_t)(byte & 0x7F) << shift;
        if (byte < 0x80) return value;
    }
    fail("an answer is not a protobuf message");
}

// Reads the next field: the value of a varint, or the bytes of a length-delimited field.
static int take_field(struct cursor *cursor, unsigned *number, uint64_t *value, struct cursor *bytes) {
    if (cursor->at == cursor->end) return 0;
    uint64_t key = take_varint(cursor);
    *number = (unsigned)(key >> 3);
    *value = take_varint(cursor);
    *bytes = (struct cursor){0};
    if ((key & 7) == 0) return 1;
    if ((key & 7) != 2 || *value > (uint64_t)(cursor->end - cursor->at)) fail("an answer is not a ttrpc response");
    *bytes = (struct cursor){cursor->at, cursor->at + *value};
    cursor->at += *value;
    return 1;
}

static void check_status(struct cursor status) {
    unsigned number;
    uint64_t value, code = 0;
    struct cursor bytes, message = {0};
    while (take_field(&status, &number, &value, &bytes)) {
        if (number == 1) code = value;
        if (number == 2) message = bytes;
    }
    if (code) fail("a call ended with status %d: %.*s", (int)code, (int)(message.end - message.at), (const char *)message.at);
}

void check_response(const struct requests *requests, const uint8_t *body, size_t count) {
    struct cursor cursor = {body, body + count}, bytes, payload = {body, body};
    unsigned number;
    uint64_t value;
    while (take_field(&cursor, &number, &value, &bytes)) {
        if (number == 1) check_status(bytes);
        if (number == 2) payload = bytes;
    }
    if (!requests->echo) return;
    if ((size_t)(payload.end - payload.at) != requests->echo_bytes || memcmp(payload.at, requests->echo, requests->echo_bytes))
        fail("the echo differs from the call: %zu bytes for %zu", (size_t)(payload.end - payload.at), requests->echo_bytes);
}

struct bytes call_once(int descriptor, const struct requests *requests, uint32_t id) {
    struct bytes frame = requests->frames[0];
    write_id(frame.start, id);
    write_all(descriptor, frame.start, frame.count);
    uint8_t header_bytes[HEADER_BYTES];
    read_all(descriptor, header_bytes, HEADER_BYTES);
    struct header header = read_header(header_bytes);
    if (header.id != id || header.type != TYPE_RESPONSE) fail("asked %u, answered %u (type %u)", id, header.id, header.type);
    struct bytes body = {allocate(header.body_bytes), header.body_bytes};
    read_all(descriptor, body.start, body.count);
    check_response(requests, body.start, body.count);
    return body;
}
