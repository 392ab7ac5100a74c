// A load generator for ttrpc servers on Unix sockets. `load-generator --help` says what it does.
#define _GNU_SOURCE
#include "measurements.h"
#include "program.h"
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>

int main(int count, char **arguments) {
    struct options options = read_options(count, arguments);
    // `write` reports a broken connection as an error.
    signal(SIGPIPE, SIG_IGN);
    if (options.cpu >= 0) {
        cpu_set_t cpus;
        CPU_ZERO(&cpus);
        CPU_SET(options.cpu, &cpus);
        if (sched_setaffinity(0, sizeof cpus, &cpus)) fail("CPU %d: %s", options.cpu, strerror(errno));
    }
    if (options.server_arguments) measure_start_up(&options);
    else if (options.idle_connections) measure_idle(&options);
    else measure_load(&options);
    return 0;
}
