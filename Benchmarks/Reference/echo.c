#include "echo.h"
#include "bench.pb-c.h"
#include "envelope.pb-c.h"
#include <stdlib.h>
#include <string.h>

static uint8_t *reserve(struct output *output, size_t count) {
    if (output->count + count > output->capacity) {
        output->capacity = (output->count + count) * 3 / 2 + 4096;
        output->bytes = realloc(output->bytes, output->capacity);
        if (!output->bytes) abort();
    }
    return output->bytes + output->count;
}

static void put_frame(struct output *output, const uint8_t *request, const Envelope__Response *response) {
    size_t count = envelope__response__get_packed_size(response);
    uint8_t *frame = reserve(output, HEADER_BYTES + count);
    for (int i = 0; i < 4; i++) frame[i] = (uint8_t)(count >> (24 - 8 * i));
    memcpy(frame + 4, request + 4, 4); // the stream's id
    frame[8] = TYPE_RESPONSE;
    frame[9] = 0;
    envelope__response__pack(response, frame + HEADER_BYTES);
    output->count += HEADER_BYTES + count;
}

// What a handler does: from the request's bytes to the response's.
static int echo(struct output *output, const uint8_t *frame, const Envelope__Request *request) {
    Bench__Payload *message = bench__payload__unpack(NULL, request->payload.len, request->payload.data);
    if (!message) return -1;
    Bench__Payload reply = BENCH__PAYLOAD__INIT;
    reply.data = message->data;
    Envelope__Response response = ENVELOPE__RESPONSE__INIT;
    response.payload.len = bench__payload__get_packed_size(&reply);
    response.payload.data = malloc(response.payload.len + 1);
    if (!response.payload.data) abort();
    bench__payload__pack(&reply, response.payload.data);
    put_frame(output, frame, &response);
    free(response.payload.data);
    bench__payload__free_unpacked(message, NULL);
    return 0;
}

static void refuse(struct output *output, const uint8_t *frame) {
    Envelope__Status status = ENVELOPE__STATUS__INIT;
    status.code = 12; // UNIMPLEMENTED
    status.message = "only bench.Bench/Echo is served";
    Envelope__Response response = ENVELOPE__RESPONSE__INIT;
    response.status = &status;
    put_frame(output, frame, &response);
}

int answer(struct output *output, const uint8_t *frame, size_t body_bytes) {
    if (frame[8] != TYPE_REQUEST) return -1;
    Envelope__Request *request = envelope__request__unpack(NULL, body_bytes, frame + HEADER_BYTES);
    if (!request) return -1;
    int result = 0;
    if (strcmp(request->service, "bench.Bench") || strcmp(request->method, "Echo")) refuse(output, frame);
    else result = echo(output, frame, request);
    envelope__request__free_unpacked(request, NULL);
    return result;
}
