// The closed loop: a fixed number of calls is under way, and each answer starts a new call.
#include "connection.h"
#include "histogram.h"
#include "measurements.h"
#include "process.h"
#include "program.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <unistd.h>

enum { READ_BYTES = 512 * 1024, EVENTS = 256 };
static const uint64_t longest_silence = 5000000000u; // nanoseconds

// The counters that are read at both ends of the measured time.
struct reading {
    uint64_t time;
    struct cpu_time server;
    struct context_switches switches;
    double own_cpu; // seconds
};

struct load {
    const struct options *options;
    struct requests requests;
    struct answers answers;
    struct connection *connections;
    int epoll;
    uint64_t time; // of this turn: the clock is read once for all answers of one read
    uint64_t warm_until;
    uint64_t ends;
    uint64_t limit; // calls, 0: none
    uint64_t started;
    uint64_t answered;
    int measuring;
    struct histogram latencies;
    struct reading first;
};

static struct reading read_off(const struct options *options) {
    struct rusage own;
    getrusage(RUSAGE_SELF, &own);
    struct reading reading = {
        .time = now(),
        .own_cpu = (double)(own.ru_utime.tv_sec + own.ru_stime.tv_sec)
            + (double)(own.ru_utime.tv_usec + own.ru_stime.tv_usec) * 1e-6,
    };
    if (options->server) {
        reading.server = cpu_time_of(options->server);
        reading.switches = context_switches_of(options->server);
    }
    return reading;
}

static void begin_measuring(struct load *load) {
    load->first = read_off(load->options);
    load->measuring = 1;
    load->ends = load->first.time + (uint64_t)(load->options->seconds * 1e9);
}

static void answered(void *context, uint64_t sent) {
    struct load *load = context;
    if (!load->measuring) return;
    load->answered++;
    add_latency(&load->latencies, load->time - sent);
}

// Whether the measured time, or the number of calls, has been reached. Begins to measure when the warm-up is over.
static int is_over(struct load *load) {
    if (load->limit) return load->answered == load->limit;
    if (!load->measuring && load->time >= load->warm_until) begin_measuring(load);
    return load->measuring && load->time >= load->ends;
}

static void start_call(struct load *load, struct connection *connection) {
    if (load->limit && load->started == load->limit) return;
    queue_call(connection, load->requests.frames[load->started % load->requests.count], load->time);
    load->started++;
}

// MARK: one call at a time, on a blocking socket: what a plain client does, and the least that latency can be

static void ping_pong(struct load *load) {
    struct connection *connection = &load->connections[0];
    static uint8_t buffer[READ_BYTES];
    for (;;) {
        load->time = now();
        if (is_over(load)) return;
        start_call(load, connection);
        write_queued(connection);
        for (size_t complete = 0; !complete;) {
            ssize_t count = read(connection->descriptor, buffer, sizeof buffer);
            if (count < 0 && errno == EINTR) continue;
            if (count <= 0) fail("the connection broke: %s", count ? strerror(errno) : "end of stream");
            load->time = now();
            complete = take_received(connection, &load->answers, buffer, (size_t)count);
        }
    }
}

// MARK: many calls at a time

static void flush(struct load *load, struct connection *connection) {
    int is_blocked = write_queued(connection);
    if (is_blocked == connection->waits_to_write) return;
    connection->waits_to_write = is_blocked;
    struct epoll_event event = {.events = EPOLLIN | (is_blocked ? EPOLLOUT : 0), .data.ptr = connection};
    epoll_ctl(load->epoll, EPOLL_CTL_MOD, connection->descriptor, &event);
}

static void receive(struct load *load, struct connection *connection) {
    static uint8_t buffer[READ_BYTES];
    ssize_t count = read(connection->descriptor, buffer, sizeof buffer);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (count <= 0) fail("the connection broke: %s", count ? strerror(errno) : "end of stream");
    load->time = now();
    size_t complete = take_received(connection, &load->answers, buffer, (size_t)count);
    for (; complete; complete--) start_call(load, connection);
    flush(load, connection);
}

static void multiplexed(struct load *load) {
    load->epoll = epoll_create1(EPOLL_CLOEXEC);
    for (int i = 0; i < load->options->connections; i++) {
        struct connection *connection = &load->connections[i];
        fcntl(connection->descriptor, F_SETFL, O_NONBLOCK);
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
        epoll_ctl(load->epoll, EPOLL_CTL_ADD, connection->descriptor, &event);
    }
    load->time = now();
    for (int i = 0; i < load->options->connections; i++) {
        for (int call = 0; call < load->options->in_flight; call++) start_call(load, &load->connections[i]);
        flush(load, &load->connections[i]);
    }
    uint64_t heard = load->time;
    while (!is_over(load)) {
        struct epoll_event events[EVENTS];
        int count = epoll_wait(load->epoll, events, EVENTS, 1000);
        load->time = now();
        if (count > 0) heard = load->time;
        else if (load->time - heard > longest_silence) fail("no answer for 5 seconds, after %lu", (unsigned long)load->answered);
        for (int i = 0; i < count; i++) {
            struct connection *connection = events[i].data.ptr;
            if (events[i].events & EPOLLOUT) flush(load, connection);
            if (events[i].events & (EPOLLIN | EPOLLHUP | EPOLLERR)) receive(load, connection);
        }
    }
}

// MARK: the whole

// Every connection is open before the load begins. When all answers are equal, the first one is read and kept.
static void open_connections(struct load *load) {
    const struct options *options = load->options;
    load->connections = calloc((size_t)options->connections, sizeof *load->connections);
    for (int i = 0; i < options->connections; i++) {
        struct connection *connection = &load->connections[i];
        open_connection(connection, options->socket_path, options->in_flight);
        if (options->requests_path) continue;
        struct bytes body = call_once(connection->descriptor, &load->requests, connection->next_id);
        connection->next_id += 2;
        struct bytes *expected = &load->answers.expected;
        if (!expected->start) *expected = body;
        else if (body.count != expected->count || memcmp(body.start, expected->start, body.count))
            fail("the same call has two answers");
        else free(body.start);
    }
}

static long switches(const struct reading *reading) {
    return reading->switches.voluntary + reading->switches.involuntary;
}

static void report(const struct load *load, struct reading last) {
    const struct options *options = load->options;
    double calls = load->answered ? (double)load->answered : 1;
    double seconds = (double)(last.time - load->first.time) / 1e9;
    const struct reading *first = &load->first;
    printf(
        "{\"connections\":%d,\"in_flight\":%d,\"calls\":%lu,\"seconds\":%.3f,\"calls_per_second\":%.0f,\"p50_us\":%.2f,"
        "\"p99_us\":%.2f,\"longest_us\":%.2f,\"client_cpu_us\":%.3f",
        options->connections, options->in_flight, (unsigned long)load->answered, seconds, calls / seconds,
        percentile(&load->latencies, 0.5), percentile(&load->latencies, 0.99),
        percentile(&load->latencies, 1 - 0.5 / calls), (last.own_cpu - first->own_cpu) * 1e6 / calls);
    if (load->requests.echo) printf(",\"bytes\":%zu", options->echo_bytes);
    if (options->server)
        printf(
            ",\"server_cpu_us\":%.3f,\"server_user_us\":%.3f,\"server_system_us\":%.3f,\"server_cpus\":%.2f,"
            "\"switches_per_call\":%.4f,\"resident_kib\":%ld",
            (last.server.all - first->server.all) * 1e6 / calls, (last.server.user - first->server.user) * 1e6 / calls,
            (last.server.system - first->server.system) * 1e6 / calls, (last.server.all - first->server.all) / seconds,
            (double)(switches(&last) - switches(first)) / calls,
            resident_memory_of(options->server));
    puts("}");
}

void measure_load(const struct options *options) {
    static struct load load;
    load.options = options;
    load.requests = make_requests(options);
    load.answers = (struct answers){.requests = &load.requests, .answered = answered, .context = &load};
    load.limit = options->requests_path ? load.requests.count : options->calls;
    open_connections(&load);
    if (load.limit) begin_measuring(&load);
    load.warm_until = now() + (uint64_t)(options->warm_up * 1e9);
    if (options->connections == 1 && options->in_flight == 1) ping_pong(&load);
    else multiplexed(&load);
    report(&load, read_off(options));
}
