// JPEG with libjpeg-turbo: baseline and progressive, gray, color and CMYK.

#include "picture.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <jerror.h>

struct failure {
    struct jpeg_error_mgr manager;
    jmp_buf way_out;
};

static void fail(j_common_ptr info) { longjmp(((struct failure *)info->err)->way_out, 1); }

static void keep_quiet(j_common_ptr info) { (void)info; }

// A warning that the picture is cut off, or that a part of it is, is an error. Other warnings, such as stray bytes between segments, are ignored, as in
// every decoder.
static void weigh_message(j_common_ptr info, int level) {
    if (level < 0 && (info->err->msg_code == JWRN_JPEG_EOF || info->err->msg_code == JWRN_HIT_MARKER)) fail(info);
}

// Each scan of a progressive picture processes the whole picture, so the cost grows with the number of scans and with the size.
static void count_scans(j_common_ptr info) {
    if (!info->is_decompressor) return;
    const struct jpeg_decompress_struct *picture = (j_decompress_ptr)info;
    uint64_t scans = (uint64_t)picture->input_scan_number;
    if (scans > MAX_SCANS || scans * picture->image_width * picture->image_height > MAX_SCANNED) fail(info);
}

// The number of eighths of its size in which the picture is decoded: the smallest that keeps the middle square large enough.
static unsigned eighths(const struct jpeg_decompress_struct *info) {
    uint64_t side = info->image_width < info->image_height ? info->image_width : info->image_height;
    unsigned eighths = 8;
    while (eighths > 1 && side * (eighths / 2) / 8 >= LARGEST_SIDE) eighths /= 2;
    return eighths;
}

static void read_markers(const struct jpeg_decompress_struct *info, struct picture *picture) {
    for (jpeg_saved_marker_ptr marker = info->marker_list; marker != NULL; marker = marker->next) {
        if (marker->marker == JPEG_APP0 + 1 && marker->data_length > 6 && memcmp(marker->data, "Exif\0\0", 6) == 0) {
            picture->orientation = exif_orientation(marker->data, marker->data_length);
            return;
        }
    }
}

enum outcome decode_jpeg(const uint8_t *input, size_t size, struct picture *picture) {
    static struct jpeg_decompress_struct info;
    static struct jpeg_progress_mgr progress;
    static struct failure failure;

    info.err = jpeg_std_error(&failure.manager);
    failure.manager.error_exit = fail;
    failure.manager.output_message = keep_quiet;
    failure.manager.emit_message = weigh_message;
    if (setjmp(failure.way_out) != 0)
        return failure.manager.msg_code == JERR_IMAGE_TOO_BIG ? OUTCOME_DIMENSIONS : OUTCOME_INVALID;

    jpeg_create_decompress(&info);
    progress.progress_monitor = count_scans;
    info.progress = &progress;
    jpeg_save_markers(&info, JPEG_APP0 + 1, 0xffff);
    jpeg_save_markers(&info, JPEG_APP0 + 2, 0xffff);
    jpeg_mem_src(&info, input, size);
    jpeg_read_header(&info, TRUE);
    if ((uint64_t)info.image_width * info.image_height > MAX_PIXELS) return OUTCOME_DIMENSIONS;

    int has_inks = info.jpeg_color_space == JCS_CMYK || info.jpeg_color_space == JCS_YCCK;
    info.out_color_space = has_inks ? JCS_CMYK : JCS_EXT_RGBA;
    info.scale_num = eighths(&info);
    info.scale_denom = 8;
    jpeg_start_decompress(&info);

    picture->width = info.output_width;
    picture->height = info.output_height;
    picture->layout = has_inks ? LAYOUT_CMYK : LAYOUT_RGBA;
    picture->pixels = malloc((size_t)info.output_width * info.output_height * 4);
    if (picture->pixels == NULL) return OUTCOME_INVALID;
    while (info.output_scanline < info.output_height) {
        JSAMPROW row = picture->pixels + (size_t)info.output_scanline * info.output_width * 4;
        jpeg_read_scanlines(&info, &row, 1);
    }
    // Photoshop, and therefore other programs, writes CMYK inverted, with an Adobe marker.
    if (has_inks && info.saw_Adobe_marker) {
        size_t count = (size_t)picture->width * picture->height * 4;
        for (size_t index = 0; index < count; index++) picture->pixels[index] = 255 - picture->pixels[index];
    }

    read_markers(&info, picture);
    JOCTET *profile = NULL;
    unsigned profile_size = 0;
    if (jpeg_read_icc_profile(&info, &profile, &profile_size) && profile_size <= MAX_PROFILE) {
        picture->profile = profile;
        picture->profile_size = profile_size;
    }
    // The end marker is not read, because nothing after the last row is needed.
    return OUTCOME_DECODED;
}
