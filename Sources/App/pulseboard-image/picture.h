// What the parts of this program share: a decoded picture, and the reason if there is none.
#ifndef PULSEBOARD_IMAGE_PICTURE_H
#define PULSEBOARD_IMAGE_PICTURE_H

#include <stddef.h>
#include <stdint.h>

// The first byte of the answer. `ImageProgram` in Swift reads the same numbers.
enum outcome {
    OUTCOME_DECODED = 0,
    OUTCOME_FORMAT_UNSUPPORTED = 1, // not JPEG, PNG or WebP
    OUTCOME_DIMENSIONS = 2,         // more than MAX_PIXELS
    OUTCOME_INVALID = 3,            // damaged, cut off, or too expensive to decode
    OUTCOME_TOO_LARGE = 4,          // more than MAX_INPUT bytes
};

enum {
    MAX_INPUT = 8 << 20,        // bytes of an uploaded picture
    MAX_PIXELS = 32 * 1000000,  // width times height
    MAX_PROFILE = 4 << 20,      // bytes of an ICC profile; a larger one is ignored
    MAX_SCANS = 100,            // of a progressive JPEG; real ones have about ten, and with four inks up to 18
    MAX_SCANNED = 20 * MAX_PIXELS, // scans times width times height: each scan goes through the whole picture
    LARGEST_SIDE = 1024,        // pixels of the largest variant
};

enum pixel_layout {
    LAYOUT_RGBA,          // four bytes a pixel, alpha not premultiplied
    LAYOUT_CMYK,          // four bytes a pixel, 0 is no ink
};

// A decoded picture, not turned upright yet and in its own colors. Memory is never freed, because the process ends after
// one picture.
struct picture {
    uint32_t width, height;
    enum pixel_layout layout;
    uint8_t *pixels;          // width * height * 4
    const uint8_t *profile;   // ICC profile, or NULL: sRGB
    size_t profile_size;
    int orientation;          // EXIF's 1 to 8
};

// Each function reads `input` and fills `picture`.
enum outcome decode_jpeg(const uint8_t *input, size_t size, struct picture *picture);
enum outcome decode_png(const uint8_t *input, size_t size, struct picture *picture);
enum outcome decode_webp(const uint8_t *input, size_t size, struct picture *picture);

// EXIF's orientation, 1 if there is none. `data` begins with "Exif\0\0" or with the TIFF header itself.
int exif_orientation(const uint8_t *data, size_t size);

// A square RGBA picture.
struct square {
    uint32_t side;
    uint8_t *pixels; // side * side * 4
};

// The middle square of the picture, less than twice `LARGEST_SIDE` wide. It reuses the picture's memory.
struct square square_of(const struct picture *picture);
// The square reduced to `side`, which is at most its present side.
struct square resized(struct square square, uint32_t side);
// Turns the square upright by EXIF's orientation.
struct square upright(struct square square, int orientation);

// Prepares what must be prepared before the sandbox closes.
void prepare_colors(void);
// Converts the square's colors to sRGB, and CMYK to red, green, blue and alpha.
void convert_to_srgb(struct square square, const struct picture *picture);

// The square as WebP of at most `limit` bytes, without metadata; NULL if it cannot be made that small.
uint8_t *encode_webp(struct square square, size_t limit, size_t *size);

#endif
