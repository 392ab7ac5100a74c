// PNG with libspng: every color type and depth, interlaced or not.

#include "picture.h"

#include <stdlib.h>

#include <spng.h>

enum outcome decode_png(const uint8_t *input, size_t size, struct picture *picture) {
    spng_ctx *context = spng_ctx_new(0);
    if (context == NULL) return OUTCOME_INVALID;
    // A chunk is at most as long as a file; all kept chunks together inflate to at most twice that.
    spng_set_chunk_limits(context, MAX_INPUT, 2 * MAX_INPUT);
    if (spng_set_png_buffer(context, input, size) != 0) return OUTCOME_INVALID;

    struct spng_ihdr header;
    int found = spng_get_ihdr(context, &header);
    // A row has more bytes than libspng counts.
    if (found == SPNG_EOVERFLOW) return OUTCOME_DIMENSIONS;
    if (found != 0) return OUTCOME_INVALID;
    if ((uint64_t)header.width * header.height > MAX_PIXELS) return OUTCOME_DIMENSIONS;

    size_t length = 0;
    if (spng_decoded_image_size(context, SPNG_FMT_RGBA8, &length) != 0) return OUTCOME_INVALID;
    if (length != (size_t)header.width * header.height * 4) return OUTCOME_INVALID;
    picture->width = header.width;
    picture->height = header.height;
    picture->layout = LAYOUT_RGBA;
    picture->pixels = malloc(length);
    if (picture->pixels == NULL) return OUTCOME_INVALID;
    if (spng_decode_image(context, picture->pixels, length, SPNG_FMT_RGBA8, SPNG_DECODE_TRNS) != 0) return OUTCOME_INVALID;
    // The checksum of the last part of the picture is checked only when what follows is read.
    if (spng_decode_chunks(context) != 0) return OUTCOME_INVALID;

    struct spng_iccp profile;
    if (spng_get_iccp(context, &profile) == 0 && profile.profile_len <= MAX_PROFILE) {
        picture->profile = (const uint8_t *)profile.profile;
        picture->profile_size = profile.profile_len;
    }
    struct spng_exif exif;
    if (spng_get_exif(context, &exif) == 0) picture->orientation = exif_orientation((const uint8_t *)exif.data, exif.length);
    return OUTCOME_DECODED;
}
