// Reduces pictures. First, blocks of pixels are averaged, until the picture is less than twice as large as needed. Then a
// windowed sinc (Lanczos, three lobes) does the rest. Colors are weighted by alpha, so a transparent pixel's color does not
// bleed into its neighbors.

#include "picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void *taken(size_t size) {
    void *memory = malloc(size);
    if (memory == NULL) abort();
    return memory;
}

// The middle square, unchanged.
static struct square cropped(const struct picture *picture) {
    uint32_t side = picture->width < picture->height ? picture->width : picture->height;
    size_t left = (picture->width - side) / 2, top = (picture->height - side) / 2;
    struct square square = {side, picture->pixels}; // in place: a row moves to the place of an earlier one
    for (size_t row = 0; row < side; row++) {
        memmove(square.pixels + row * side * 4, picture->pixels + ((top + row) * picture->width + left) * 4, (size_t)side * 4);
    }
    return square;
}

// Averages blocks of `factor` by `factor` pixels. Pixels at the right and bottom that do not fill a block are dropped.
static struct square averaged(struct square square, uint32_t factor, int has_alpha) {
    uint32_t side = square.side / factor;
    uint64_t count = (uint64_t)factor * factor;
    for (uint32_t y = 0; y < side; y++) {
        for (uint32_t x = 0; x < side; x++) {
            uint64_t sums[4] = {0}, plain[4] = {0};
            for (uint32_t row = 0; row < factor; row++) {
                const uint8_t *pixel = square.pixels + (((size_t)y * factor + row) * square.side + (size_t)x * factor) * 4;
                for (uint32_t column = 0; column < factor; column++, pixel += 4) {
                    unsigned weight = has_alpha ? pixel[3] : 1;
                    for (int channel = 0; channel < 3; channel++) sums[channel] += (uint64_t)pixel[channel] * weight;
                    sums[3] += weight;
                    plain[3] += pixel[3];
                }
            }
            // The block lies at or after the place of its average, so no unread pixel is overwritten.
            uint8_t *into = square.pixels + ((size_t)y * side + x) * 4;
            for (int channel = 0; channel < 3; channel++)
                into[channel] = sums[3] == 0 ? 0 : (uint8_t)((sums[channel] + sums[3] / 2) / sums[3]);
            into[3] = (uint8_t)((plain[3] + count / 2) / count);
        }
    }
    return (struct square){side, square.pixels};
}

static float lanczos(float x) {
    enum { LOBES = 3 };
    if (x == 0) return 1;
    if (x <= -LOBES || x >= LOBES) return 0;
    float angle = (float)M_PI * x;
    return LOBES * sinf(angle) * sinf(angle / LOBES) / (angle * angle);
}

// The source pixels of one pixel of the result, with their weights.
struct window {
    uint32_t first, count;
    float *weights;
};

static struct window *windows(uint32_t from, uint32_t to) {
    struct window *windows = taken(to * sizeof *windows);
    float scale = (float)from / (float)to, reach = 3 * scale;
    for (uint32_t index = 0; index < to; index++) {
        float center = ((float)index + 0.5f) * scale;
        int first = (int)floorf(center - reach), last = (int)ceilf(center + reach);
        if (first < 0) first = 0;
        if (last > (int)from) last = (int)from;
        struct window *window = &windows[index];
        *window = (struct window){(uint32_t)first, (uint32_t)(last - first), taken((size_t)(last - first) * sizeof(float))};
        float sum = 0;
        for (uint32_t tap = 0; tap < window->count; tap++) {
            window->weights[tap] = lanczos(((float)(window->first + tap) + 0.5f - center) / scale);
            sum += window->weights[tap];
        }
        for (uint32_t tap = 0; tap < window->count; tap++) window->weights[tap] /= sum;
    }
    return windows;
}

static uint8_t byte_of(float value) { return value <= 0 ? 0 : value >= 255 ? 255 : (uint8_t)(value + 0.5f); }

struct square resized(struct square square, uint32_t side) {
    if (side == square.side) return square;
    struct window *taps = windows(square.side, side);
    // First horizontally, into numbers premultiplied by alpha; then vertically.
    float *across = taken((size_t)square.side * side * 4 * sizeof(float));
    for (uint32_t y = 0; y < square.side; y++) {
        const uint8_t *row = square.pixels + (size_t)y * square.side * 4;
        for (uint32_t x = 0; x < side; x++) {
            float sums[4] = {0};
            for (uint32_t tap = 0; tap < taps[x].count; tap++) {
                const uint8_t *pixel = row + (size_t)(taps[x].first + tap) * 4;
                float alpha = taps[x].weights[tap] * (float)pixel[3] / 255;
                for (int channel = 0; channel < 3; channel++) sums[channel] += alpha * (float)pixel[channel];
                sums[3] += alpha;
            }
            memcpy(across + ((size_t)y * side + x) * 4, sums, sizeof sums);
        }
    }
    struct square result = {side, taken((size_t)side * side * 4)};
    float *line = taken((size_t)side * 4 * sizeof(float));
    for (uint32_t y = 0; y < side; y++) {
        memset(line, 0, (size_t)side * 4 * sizeof(float));
        for (uint32_t tap = 0; tap < taps[y].count; tap++) {
            const float *row = across + (size_t)(taps[y].first + tap) * side * 4;
            float weight = taps[y].weights[tap];
            for (size_t index = 0; index < (size_t)side * 4; index++) line[index] += weight * row[index];
        }
        uint8_t *into = result.pixels + (size_t)y * side * 4;
        for (uint32_t x = 0; x < side; x++, into += 4) {
            float alpha = line[x * 4 + 3];
            for (int channel = 0; channel < 3; channel++) into[channel] = alpha <= 0 ? 0 : byte_of(line[x * 4 + (uint32_t)channel] / alpha);
            into[3] = byte_of(alpha * 255);
        }
    }
    free(line);
    free(across);
    for (uint32_t index = 0; index < side; index++) free(taps[index].weights);
    free(taps);
    return result;
}

struct square square_of(const struct picture *picture) {
    struct square square = cropped(picture);
    uint32_t factor = square.side / LARGEST_SIDE;
    // The fourth channel of CMYK is not alpha.
    return factor > 1 ? averaged(square, factor, picture->layout != LAYOUT_CMYK) : square;
}
