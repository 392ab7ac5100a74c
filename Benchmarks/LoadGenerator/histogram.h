// Latencies, counted in buckets that grow with the value: a bucket is at most 3 % of its values wide.
#pragma once
#include <stdint.h>

enum { BUCKETS_A_DOUBLING = 32, BUCKETS = 64 * BUCKETS_A_DOUBLING };

struct histogram {
    uint64_t counts[BUCKETS];
    uint64_t total;
};

void add_latency(struct histogram *histogram, uint64_t nanoseconds);
// The quantile `share` (0.5: the median) in microseconds: the middle of its bucket.
double percentile(const struct histogram *histogram, double share);
