#include "histogram.h"

// Below 2 × 32 a bucket for each value. From there on a value is its top 6 bits, the highest of which is always set,
// and the number of bits that were cut off.
static unsigned bucket_of(uint64_t value) {
    if (value < 2 * BUCKETS_A_DOUBLING) return (unsigned)value;
    unsigned cut = 63 - (unsigned)__builtin_clzll(value) - 5;
    return cut * BUCKETS_A_DOUBLING + (unsigned)(value >> cut);
}

static double middle_of(unsigned bucket) {
    if (bucket < 2 * BUCKETS_A_DOUBLING) return bucket;
    unsigned cut = bucket / BUCKETS_A_DOUBLING - 1;
    uint64_t low = (uint64_t)(bucket - cut * BUCKETS_A_DOUBLING) << cut;
    return (double)low + (double)((uint64_t)1 << cut) / 2;
}

void add_latency(struct histogram *histogram, uint64_t nanoseconds) {
    histogram->counts[bucket_of(nanoseconds)]++;
    histogram->total++;
}

double percentile(const struct histogram *histogram, double share) {
    uint64_t wanted = (uint64_t)(share * (double)histogram->total), seen = 0;
    for (unsigned bucket = 0; bucket < BUCKETS; bucket++) {
        seen += histogram->counts[bucket];
        if (seen > wanted) return middle_of(bucket) / 1e3;
    }
    return 0;
}
