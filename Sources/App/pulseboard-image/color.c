// Converts every picture to sRGB, because WebP without a profile is read as sRGB. lcms2 does the arithmetic.

#include "picture.h"

#include <stdlib.h>
#include <time.h>

#include <lcms2.h>

static cmsHPROFILE srgb;

void prepare_colors(void) {
    tzset(); // lcms2 writes the time into a profile that it makes, and the time zone is in a file
    srgb = cmsCreate_sRGBProfile();
}

// CMYK without a profile: as a screen shows it.
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
    // A profile for another color space than the pixels', such as in gray pictures, is ignored: gray was converted to RGB already.
    if (profile != NULL && cmsGetColorSpace(profile) == (has_inks ? cmsSigCmykData : cmsSigRgbData)) {
        cmsHTRANSFORM transform = cmsCreateTransform(
            profile, has_inks ? TYPE_CMYK_8 : TYPE_RGBA_8, srgb, TYPE_RGBA_8, INTENT_PERCEPTUAL, cmsFLAGS_NOCACHE);
        if (transform != NULL) {
            size_t count = (size_t)square.side * square.side;
            cmsDoTransform(transform, square.pixels, square.pixels, (cmsUInt32Number)count);
            // lcms2 does not change the fourth channel, which in CMYK is black and not alpha.
            for (size_t index = 0; has_inks && index < count; index++) square.pixels[index * 4 + 3] = 255;
            return;
        }
    }
    if (has_inks) mix_inks(square);
}
