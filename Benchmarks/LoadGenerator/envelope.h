// ttrpc on the wire: a header of 10 bytes, then a body.
//
// Header: length of the body (4 bytes), stream id (4 bytes; odd, growing), type (1 request, 2 response), flags; big-endian.
// Request: service = 1, method = 2, payload = 3, metadata = 5 { key = 1, value = 2 }.
// Response: status = 1 { code = 1, message = 2 }, payload = 2.
#pragma once
#include "options.h"
#include <stddef.h>
#include <stdint.h>

enum { HEADER_BYTES = 10, TYPE_REQUEST = 1, TYPE_RESPONSE = 2 };

struct bytes {
    uint8_t *start;
    size_t count;
};

struct header {
    size_t body_bytes;
    uint32_t id;
    uint8_t type;
};

// The requests of a run: whole frames, complete except for the id.
struct requests {
    struct bytes *frames; // one that serves every call, or one for each call
    size_t count;
    // The message that the answer must repeat; NULL: none.
    const uint8_t *echo;
    size_t echo_bytes;
};

struct requests make_requests(const struct options *options);

void write_id(uint8_t *frame, uint32_t id);
struct header read_header(const uint8_t *frame);

// Ends the program unless the response's status is OK and, for an echo, its payload is what was sent.
void check_response(const struct requests *requests, const uint8_t *body, size_t count);

// Makes one call on a blocking socket and checks it. Returns the body of the answer; the caller frees it.
struct bytes call_once(int descriptor, const struct requests *requests, uint32_t id);
