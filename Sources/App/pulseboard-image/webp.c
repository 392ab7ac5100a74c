// WebP with libwebp. Reads lossy and lossless pictures and the first frame of an animation, and writes the variants.

#include "picture.h"

#include <stdlib.h>

#include <webp/decode.h>
#include <webp/demux.h>
#include <webp/encode.h>

static void read_chunks(const WebPDemuxer *demuxer, struct picture *picture) {
    static WebPChunkIterator chunk; // static, because the profile points into the input
    if (WebPDemuxGetChunk(demuxer, "EXIF", 1, &chunk))
        picture->orientation = exif_orientation(chunk.chunk.bytes, chunk.chunk.size);
    if (WebPDemuxGetChunk(demuxer, "ICCP", 1, &chunk) && chunk.chunk.size <= MAX_PROFILE) {
        picture->profile = chunk.chunk.bytes;
        picture->profile_size = chunk.chunk.size;
    }
}

enum outcome decode_webp(const uint8_t *input, size_t size, struct picture *picture) {
    WebPData data = {input, size};
    WebPDemuxer *demuxer = WebPDemux(&data);
    if (demuxer == NULL) return OUTCOME_INVALID;
    uint32_t width = WebPDemuxGetI(demuxer, WEBP_FF_CANVAS_WIDTH);
    uint32_t height = WebPDemuxGetI(demuxer, WEBP_FF_CANVAS_HEIGHT);
    if ((uint64_t)width * height > MAX_PIXELS) return OUTCOME_DIMENSIONS;

    WebPIterator frame;
    if (!WebPDemuxGetFrame(demuxer, 1, &frame) || !frame.complete) return OUTCOME_INVALID;
    // libwebp checks that a frame lies within the canvas. It is checked again before writing at its offset.
    if (frame.x_offset < 0 || frame.y_offset < 0 || frame.width <= 0 || frame.height <= 0) return OUTCOME_INVALID;
    if ((uint64_t)frame.x_offset + (uint64_t)frame.width > width || (uint64_t)frame.y_offset + (uint64_t)frame.height > height)
        return OUTCOME_INVALID;
    int frame_width = 0, frame_height = 0;
    if (!WebPGetInfo(frame.fragment.bytes, frame.fragment.size, &frame_width, &frame_height)) return OUTCOME_INVALID;
    if (frame_width != frame.width || frame_height != frame.height) return OUTCOME_INVALID;

    // Pixels outside of the first frame are transparent.
    picture->pixels = calloc((size_t)width * height, 4);
    if (picture->pixels == NULL) return OUTCOME_INVALID;
    picture->width = width;
    picture->height = height;
    picture->layout = LAYOUT_RGBA;
    size_t stride = (size_t)width * 4;
    uint8_t *at = picture->pixels + (size_t)frame.y_offset * stride + (size_t)frame.x_offset * 4;
    size_t room = (size_t)width * height * 4 - (size_t)(at - picture->pixels);
    if (WebPDecodeRGBAInto(frame.fragment.bytes, frame.fragment.size, at, room, (int)stride) == NULL) return OUTCOME_INVALID;
    read_chunks(demuxer, picture);
    return OUTCOME_DECODED;
}

// One try. Returns NULL if it cannot be encoded.
static uint8_t *encode_with(const WebPConfig *config, struct square square, size_t *size) {
    WebPPicture picture;
    WebPMemoryWriter writer;
    if (!WebPPictureInit(&picture)) return NULL;
    WebPMemoryWriterInit(&writer);
    picture.width = picture.height = (int)square.side;
    picture.writer = WebPMemoryWrite;
    picture.custom_ptr = &writer;
    int encoded = WebPPictureImportRGBA(&picture, square.pixels, (int)square.side * 4) && WebPEncode(config, &picture);
    WebPPictureFree(&picture);
    if (!encoded) {
        WebPMemoryWriterClear(&writer);
        return NULL;
    }
    *size = writer.size;
    return writer.mem;
}

uint8_t *encode_webp(struct square square, size_t limit, size_t *size) {
    // Transparency is kept exactly for as long as it fits.
    static const struct {
        float colors;
        int transparency;
    } qualities[] = {{82, 100}, {70, 100}, {55, 80}, {40, 60}, {25, 40}, {10, 20}, {0, 0}};
    enum { QUALITY_COUNT = sizeof qualities / sizeof *qualities };

    // Almost every picture fits at the first quality; noise needs the last. Each try takes up to half a second of the
    // sandbox's time, so the first quality that fits is found by bisection: four tries at most.
    uint8_t *best = NULL;
    size_t index = 0, first = 0, end = QUALITY_COUNT;
    while (first < end) {
        WebPConfig config;
        size_t tried_size;
        uint8_t *tried = NULL;
        if (WebPConfigPreset(&config, WEBP_PRESET_DEFAULT, qualities[index].colors)) {
            config.alpha_quality = qualities[index].transparency;
            tried = encode_with(&config, square, &tried_size);
        }
        if (tried == NULL) {
            WebPFree(best);
            return NULL;
        }
        if (tried_size <= limit) {
            WebPFree(best);
            best = tried;
            *size = tried_size;
            end = index;
        } else {
            WebPFree(tried);
            first = index + 1;
        }
        index = first + (end - first) / 2;
    }
    return best;
}
