// One call of the reference server: envelope and message are decoded and encoded with protobuf-c.
#pragma once
#include <stddef.h>
#include <stdint.h>

enum { HEADER_BYTES = 10, TYPE_REQUEST = 1, TYPE_RESPONSE = 2 };

// One contiguous buffer for answers that wait to be written.
struct output {
    uint8_t *bytes;
    size_t count, sent, capacity;
};

// Answers the request frame at `frame`, whose body has `body_bytes`. -1: it is not a valid request.
int answer(struct output *output, const uint8_t *frame, size_t body_bytes);
