// EXIF's orientation: reads it with libexif, and turns the picture.

#include "picture.h"

#include <stdlib.h>
#include <string.h>

#include <libexif/exif-data.h>

int exif_orientation(const uint8_t *data, size_t size) {
    static const char prefix[] = "Exif\0"; // six bytes with the terminating zero
    enum { PREFIX = sizeof prefix, LONGEST = 64 << 10 };
    if (size > LONGEST) size = LONGEST; // the first directory is near the beginning
    const uint8_t *whole = data;
    if (size < PREFIX || memcmp(data, prefix, PREFIX) != 0) {
        uint8_t *copy = malloc(size + PREFIX);
        if (copy == NULL) return 1;
        memcpy(copy, prefix, PREFIX);
        memcpy(copy + PREFIX, data, size);
        whole = copy;
        size += PREFIX;
    }
    ExifData *exif = exif_data_new_from_data(whole, (unsigned)size);
    if (exif == NULL) return 1;
    ExifEntry *entry = exif_content_get_entry(exif->ifd[EXIF_IFD_0], EXIF_TAG_ORIENTATION);
    if (entry == NULL || entry->format != EXIF_FORMAT_SHORT || entry->components < 1 || entry->size < 2) return 1;
    int orientation = exif_get_short(entry->data, exif_data_get_byte_order(exif));
    return orientation >= 1 && orientation <= 8 ? orientation : 1;
}

struct square upright(struct square square, int orientation) {
    if (orientation == 1) return square;
    struct square turned = {square.side, malloc((size_t)square.side * square.side * 4)};
    if (turned.pixels == NULL) abort();
    uint32_t last = square.side - 1;
    for (uint32_t y = 0; y <= last; y++) {
        for (uint32_t x = 0; x <= last; x++) {
            // The place of the upright pixel (x, y) in the stored picture.
            uint32_t from_x = x, from_y = y;
            switch (orientation) {
            case 2: from_x = last - x; break;
            case 3: from_x = last - x; from_y = last - y; break;
            case 4: from_y = last - y; break;
            case 5: from_x = y; from_y = x; break;
            case 6: from_x = y; from_y = last - x; break;
            case 7: from_x = last - y; from_y = last - x; break;
            case 8: from_x = last - y; from_y = x; break;
            }
            memcpy(
                turned.pixels + ((size_t)y * square.side + x) * 4,
                square.pixels + ((size_t)from_y * square.side + from_x) * 4, 4);
        }
    }
    return turned;
}
