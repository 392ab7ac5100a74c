// pulseboard-image: one uploaded picture in, three square variants out.
//
// The server starts it for each picture, with the picture at descriptor 0 and a pipe at descriptor 1. Attackers look for
// errors in picture decoders, so this process can only read, compute and write (sandbox.c), and ends after one picture.
//
// The answer is one byte, an `enum outcome`. After OUTCOME_DECODED the variants follow, smallest first: the side in pixels and
// the size in bytes, each as four bytes (little-endian), then the WebP itself. An exit status other than 0, or a signal, means
// that the picture broke or exhausted the decoder.
//
// The command line also uses this program, to show pictures in terminals: with the argument `--pixels` the answer is OUTCOME_DECODED, the side in
// pixels, and the middle square's pixels, four bytes each (red, green, blue, alpha).

#define _GNU_SOURCE
#include "picture.h"
#include "sandbox.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

static uint8_t input[MAX_INPUT + 1];

// Reads descriptor 0, at most one byte more than is permitted. Ends the process if it cannot be read.
static size_t read_input(void) {
    size_t size = 0;
    while (size < sizeof input) {
        ssize_t count = read(0, input + size, sizeof input - size);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) _exit(EX_IOERR);
        if (count == 0) break;
        size += (size_t)count;
    }
    return size;
}

static void write_all(const void *bytes, size_t size) {
    const uint8_t *at = bytes;
    while (size > 0) {
        ssize_t count = write(1, at, size);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) _exit(1);
        at += count;
        size -= (size_t)count;
    }
}

static void write_number(uint32_t number) {
    uint8_t bytes[4] = {number & 0xff, number >> 8 & 0xff, number >> 16 & 0xff, number >> 24};
    write_all(bytes, sizeof bytes);
}

static enum outcome decode(size_t size, struct picture *picture) {
    if (size > MAX_INPUT) return OUTCOME_TOO_LARGE;
    if (size >= 3 && memcmp(input, "\xff\xd8\xff", 3) == 0) return decode_jpeg(input, size, picture);
    if (size >= 8 && memcmp(input, "\x89PNG\r\n\x1a\n", 8) == 0) return decode_png(input, size, picture);
    if (size >= 12 && memcmp(input, "RIFF", 4) == 0 && memcmp(input + 8, "WEBP", 4) == 0) return decode_webp(input, size, picture);
    return OUTCOME_FORMAT_UNSUPPORTED;
}

// The variants: their sides in pixels and their maximum sizes in bytes, as in `ImageSize` of the server.
static const struct {
    uint32_t side;
    size_t limit;
} variants[] = {{96, 16 << 10}, {400, 128 << 10}, {LARGEST_SIDE, 512 << 10}};

enum { VARIANT_COUNT = sizeof variants / sizeof *variants };

// With the argument "check" the picture is only decoded, and the answer is only the outcome.
int main(int count, char **arguments) {
    int makes_variants = !(count == 2 && strcmp(arguments[1], "check") == 0);
    int wants_pixels = count == 2 && strcmp(arguments[1], "--pixels") == 0;
    prepare_colors();
    // Not 1: nothing is known of the picture.
    if (close_sandbox() != 0) return EX_SOFTWARE;

    struct picture picture = {.orientation = 1};
    enum outcome outcome = decode(read_input(), &picture);
    uint8_t *encoded[VARIANT_COUNT];
    size_t sizes[VARIANT_COUNT];
    uint32_t sides[VARIANT_COUNT];
    if (outcome == OUTCOME_DECODED && makes_variants) {
        struct square square = square_of(&picture);
        convert_to_srgb(square, &picture);
        square = upright(square, picture.orientation);
        if (wants_pixels) {
            if (square.side > LARGEST_SIDE) square = resized(square, LARGEST_SIDE);
            uint8_t decoded = OUTCOME_DECODED;
            write_all(&decoded, 1);
            write_number(square.side);
            write_all(square.pixels, (size_t)square.side * square.side * 4);
            _exit(0);
        }
        for (int index = VARIANT_COUNT - 1; index >= 0; index--) {
            if (square.side > variants[index].side) square = resized(square, variants[index].side);
            sides[index] = square.side;
            encoded[index] = encode_webp(square, variants[index].limit, &sizes[index]);
            if (encoded[index] == NULL) outcome = OUTCOME_INVALID;
        }
    }

    uint8_t first = (uint8_t)outcome;
    write_all(&first, 1);
    for (int index = 0; outcome == OUTCOME_DECODED && makes_variants && index < VARIANT_COUNT; index++) {
        write_number(sides[index]);
        write_number((uint32_t)sizes[index]);
        write_all(encoded[index], sizes[index]);
    }
    // Not `return`: functions that libraries have registered for the end may make forbidden system calls.
    _exit(0);
}
