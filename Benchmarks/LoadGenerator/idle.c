#include "envelope.h"
#include "measurements.h"
#include "process.h"
#include "program.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void measure_idle(const struct options *options) {
    struct requests requests = make_requests(options);
    long before = resident_memory_of(options->server);
    long with_one = before;
    int threads = thread_count_of(options->server);
    for (int i = 0; i < options->idle_connections; i++) {
        int descriptor = dial(options->socket_path);
        if (descriptor < 0) fail("connection %d was refused", i);
        // One call, because the idle connections of a real server have been used.
        free(call_once(descriptor, &requests, 1).start);
        // The memory that the very first call touches (mostly program pages) does not count for a connection.
        if (i == 0) with_one = resident_memory_of(options->server);
    }
    // The connections close with this process.
    usleep(500000);
    long with = resident_memory_of(options->server);
    printf(
        "{\"idle\":%d,\"before_kib\":%ld,\"resident_kib\":%ld,\"kib_per_connection\":%.3f,\"threads_before\":%d,\"threads\":%d}\n",
        options->idle_connections, before, with, (double)(with - with_one) / (options->idle_connections - 1), threads,
        thread_count_of(options->server));
}
