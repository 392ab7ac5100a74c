#define _GNU_SOURCE
#include "FuzzCounters.h"
#include <linux/perf_event.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// libFuzzer treats each counter that becomes non-zero as a new feature of an input. Nothing else uses the section.
__attribute__((section("__libfuzzer_extra_counters"), used)) static uint8_t steps[256];

void fuzz_reached(int step) { steps[step & 255] = 1; }

static int counter(void) {
    static int descriptor = -2;
    if (descriptor != -2) return descriptor;
    struct perf_event_attr attributes;
    memset(&attributes, 0, sizeof attributes);
    attributes.size = sizeof attributes;
    attributes.type = PERF_TYPE_HARDWARE;
    attributes.config = PERF_COUNT_HW_INSTRUCTIONS;
    attributes.exclude_kernel = 1;
    attributes.exclude_hv = 1;
    return descriptor = (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0);
}

int fuzz_counts_instructions(void) { return counter() >= 0; }

uint64_t fuzz_cost(void) {
    uint64_t value;
    if (counter() >= 0 && read(counter(), &value, sizeof value) == sizeof value) return value;
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}
