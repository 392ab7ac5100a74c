// Every picture leaves in sRGB, because WebP without a profile is read so. lcms2 does the arithmetic.

#include "picture.h"

#include <stdlib.h>
#include <time.h>

#include <lcms2.h>

static cmsHPROFILE srgb;

void prepare_colors(void) {
    tzset(); // lcms2 notes the time in a profile that it makes, and the time zone is a file
    srgb = cmsCreate_sRGBProfile();
}

// Inks without a profile: as a screen shows them.
static void mix_inks(struct square square) {
    size_t count = (size_t)square.side * square.side;
    for (size_t index = 0; index < count; index++) {
        uint8_t *pixel = square.pixels + index * 4;
        unsigned light = 255 - pixel[3];
        for (int channel = 0; channel < 3; channel++) pixel[channel] = (uint8_t)((255 - pixel[channel]) * light / 255);
        pixel[3] = 255;
    }
}

void convert_to_srgb(struct square square, const struct picture *picture) {
    int has_inks = picture->layout == LAYOUT_CMYK;
    cmsHPROFILE profile = picture->profile == NULL ? NULL : cmsOpenProfileFromMem(picture->profile, (cmsUInt32Number)picture->profile_size);
    // A profile of other colors than the pixels', as gray pictures carry, is no use: they were made red, green and blue already.
    if (profile != NULL && cmsGetColorSpace(profile) == (has_inks ? cmsSigCmykData : cmsSigRgbData)) {
        cmsHTRANSFORM transform = cmsCreateTransform(
            profile, has_inks ? TYPE_CMYK_8 : TYPE_RGBA_8, srgb, TYPE_RGBA_8, INTENT_PERCEPTUAL, cmsFLAGS_NOCACHE);
        if (transform != NULL) {
            size_t count = (size_t)square.side * square.side;
            cmsDoTransform(transform, square.pixels, square.pixels, (cmsUInt32Number)count);
            // lcms2 leaves alpha as it was; where there were inks it was the black one.
            for (size_t index = 0; has_inks && index < count; index++) square.pixels[index * 4 + 3] = 255;
            return;
        }
    }
    if (has_inks) mix_inks(square);
}
