// A correct ttrpc client with a fixed rate of calls. Each latency counts from the time when the call was due, so a stall adds to every delayed call
// and not only to one. It prints one line of JSON.
//
//   hostile-client SOCKET REQUESTS-IN-HEX CALLS-PER-SECOND SECONDS CONNECTIONS MOST-WAITING PATIENCE
//
// The calls send the requests in turn; a comma separates them. MOST-WAITING is the maximum number of running calls of a connection (0: no limit);
// calls beyond it are not made. PATIENCE is how many seconds to wait for the last answers. A call without an answer counts with the time until
// the client stopped waiting.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { MOST_CONNECTIONS = 64, WAITING = 1 << 14, READ_BYTES = 1 << 18, HEADER = 10, MOST_LATENCIES = 1 << 22, MOST_REQUESTS = 4 };

struct connection {
    int descriptor; // -1: broken; dialled again when the next call is due
    uint32_t next_id;
    size_t next_frame;
    uint64_t due[WAITING]; // by id; 0: no such call
    int waiting;
    uint8_t *output;
    size_t output_count, output_sent;
    uint8_t header[HEADER];
    size_t header_count, body_left, body_read;
    int is_refused;
};

static struct connection *connections;
static int connection_count, most_waiting;
static const char *socket_path;
static struct {
    uint8_t *bytes;
    size_t count;
} frames[MOST_REQUESTS];
static size_t frames_count;
static float *latencies; // milliseconds
static size_t latency_count;
static uint64_t answered, refused, lost, broken;

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void fail(const char *what) {
    fprintf(stderr, "hostile-client: %s\n", what);
    exit(64);
}

static void keep(uint64_t due, uint64_t end) {
    if (latency_count < MOST_LATENCIES) latencies[latency_count++] = (float)(end - due) / 1e6f;
}

static void dial(struct connection *connection) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, socket_path, sizeof address.sun_path - 1);
    int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    int failure = connect(descriptor, (struct sockaddr *)&address, sizeof address);
    // The queue of new connections may be full. The client waits a second for room, and that time counts.
    for (int turn = 0; failure && errno == EAGAIN && turn < 1000; turn++) {
        usleep(1000);
        failure = connect(descriptor, (struct sockaddr *)&address, sizeof address);
    }
    if (!failure) {
        connection->descriptor = descriptor;
        connection->next_id = 1;
        connection->output_count = connection->output_sent = connection->header_count = connection->body_left = 0;
        return;
    }
    if (descriptor >= 0) close(descriptor);
    connection->descriptor = -1;
}

static void give_up(struct connection *connection) {
    uint64_t time = now();
    for (int i = 0; i < WAITING; i++) {
        if (!connection->due[i]) continue;
        keep(connection->due[i], time);
        connection->due[i] = 0;
        lost++;
    }
    connection->waiting = 0;
    if (connection->descriptor >= 0) close(connection->descriptor);
    connection->descriptor = -1;
}

static void flush(struct connection *connection) {
    while (connection->output_sent < connection->output_count) {
        ssize_t written = write(
            connection->descriptor, connection->output + connection->output_sent, connection->output_count - connection->output_sent);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0 && errno == EAGAIN) return;
        if (written < 0) {
            broken++;
            return give_up(connection);
        }
        connection->output_sent += (size_t)written;
    }
    connection->output_count = connection->output_sent = 0;
}

static void call(struct connection *connection, uint64_t due) {
    if (connection->descriptor < 0) dial(connection);
    uint64_t *place = &connection->due[(connection->next_id >> 1) % WAITING];
    if (connection->descriptor < 0 || *place) {
        lost++;
        return keep(due, now());
    }
    size_t turn = connection->next_frame++ % frames_count, count = frames[turn].count;
    connection->output = realloc(connection->output, connection->output_count + count);
    uint8_t *start = connection->output + connection->output_count;
    memcpy(start, frames[turn].bytes, count);
    for (int i = 0; i < 4; i++) start[4 + i] = (uint8_t)(connection->next_id >> (24 - 8 * i));
    connection->output_count += count;
    connection->next_id += 2;
    connection->waiting++;
    *place = due;
}

static void answer(struct connection *connection) {
    uint32_t id = 0;
    for (int i = 0; i < 4; i++) id = id << 8 | connection->header[4 + i];
    uint64_t *place = &connection->due[(id >> 1) % WAITING];
    connection->header_count = 0;
    if (!*place) return;
    keep(*place, now());
    *place = 0;
    connection->waiting--;
    if (connection->is_refused) refused++;
    else answered++;
}

static void take(struct connection *connection, const uint8_t *bytes, size_t count) {
    while (count > 0) {
        if (connection->header_count < HEADER) {
            connection->header[connection->header_count++] = *bytes++;
            count--;
            if (connection->header_count < HEADER) continue;
            connection->body_left = 0;
            for (int i = 0; i < 4; i++) connection->body_left = connection->body_left << 8 | connection->header[i];
            connection->body_read = 0;
            connection->is_refused = 0;
            if (!connection->body_left) answer(connection);
            continue;
        }
        // A status comes first in an answer and has field 1; a success has none.
        if (!connection->body_read) connection->is_refused = bytes[0] == 0x0a;
        size_t part = count < connection->body_left ? count : connection->body_left;
        bytes += part;
        count -= part;
        connection->body_read += part;
        connection->body_left -= part;
        if (!connection->body_left) answer(connection);
    }
}

static void receive(struct connection *connection) {
    static uint8_t buffer[READ_BYTES];
    ssize_t count = read(connection->descriptor, buffer, sizeof buffer);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (count > 0) return take(connection, buffer, (size_t)count);
    broken++;
    give_up(connection);
}

static void wait_until(uint64_t time) {
    struct pollfd polled[MOST_CONNECTIONS];
    for (int i = 0; i < connection_count; i++) {
        struct connection *connection = &connections[i];
        polled[i].fd = connection->descriptor;
        polled[i].events = POLLIN | (connection->output_count ? POLLOUT : 0);
    }
    uint64_t present = now(), wait = time > present ? time - present : 0;
    struct timespec timeout = {(time_t)(wait / 1000000000u), (long)(wait % 1000000000u)};
    if (ppoll(polled, (nfds_t)connection_count, &timeout, NULL) <= 0) return;
    for (int i = 0; i < connection_count; i++) {
        if (connections[i].descriptor >= 0 && polled[i].revents & POLLOUT) flush(&connections[i]);
        if (connections[i].descriptor >= 0 && polled[i].revents & (POLLIN | POLLHUP | POLLERR)) receive(&connections[i]);
    }
}

static int compare(const void *left, const void *right) {
    float a = *(const float *)left, b = *(const float *)right;
    return (a > b) - (a < b);
}

static double percentile(double part) {
    if (!latency_count) return 0;
    size_t index = (size_t)(part * (double)latency_count);
    return latencies[index < latency_count ? index : latency_count - 1];
}

static void read_request(const char *hex, size_t digits) {
    if (frames_count == MOST_REQUESTS) fail("too many requests");
    if (!digits || digits % 2) fail("a request is no hexadecimal");
    size_t count = digits / 2;
    uint8_t *frame = calloc(1, HEADER + count);
    frames[frames_count].bytes = frame;
    frames[frames_count++].count = HEADER + count;
    for (int i = 0; i < 4; i++) frame[i] = (uint8_t)(count >> (24 - 8 * i));
    frame[8] = 1;
    for (size_t i = 0; i < count; i++) {
        unsigned value;
        if (sscanf(hex + 2 * i, "%2x", &value) != 1) fail("the request is no hexadecimal");
        frame[HEADER + i] = (uint8_t)value;
    }
}

static void read_requests(const char *hex) {
    for (size_t digits; *hex; hex += digits + (hex[digits] == ',')) {
        digits = strcspn(hex, ",");
        read_request(hex, digits);
    }
    if (!frames_count) fail("no request");
}

int main(int count, char **arguments) {
    if (count != 8) fail("SOCKET REQUESTS-IN-HEX CALLS-PER-SECOND SECONDS CONNECTIONS MOST-WAITING PATIENCE");
    signal(SIGPIPE, SIG_IGN);
    socket_path = arguments[1];
    read_requests(arguments[2]);
    double rate = atof(arguments[3]), seconds = atof(arguments[4]);
    connection_count = atoi(arguments[5]);
    most_waiting = atoi(arguments[6]);
    uint64_t patience = (uint64_t)(atof(arguments[7]) * 1e9);
    if (rate <= 0 || seconds <= 0 || connection_count < 1 || connection_count > MOST_CONNECTIONS) fail("a number makes no sense");
    connections = calloc((size_t)connection_count, sizeof *connections);
    latencies = malloc(MOST_LATENCIES * sizeof *latencies);
    for (int i = 0; i < connection_count; i++) dial(&connections[i]);

    uint64_t start = now(), end = start + (uint64_t)(seconds * 1e9);
    double interval = 1e9 / rate;
    uint64_t calls = 0, made = 0, skipped = 0;
    for (;;) {
        uint64_t due = start + (uint64_t)((double)calls * interval);
        if (due >= end) break;
        if (due > now()) {
            for (int i = 0; i < connection_count; i++)
                if (connections[i].output_count && connections[i].descriptor >= 0) flush(&connections[i]);
            wait_until(due);
            continue;
        }
        struct connection *connection = &connections[calls++ % (uint64_t)connection_count];
        if (most_waiting && connection->waiting >= most_waiting) {
            skipped++;
            if (skipped % 64 == 0) wait_until(0);
            continue;
        }
        made++;
        call(connection, due);
        // A late client must also receive.
        if (made % 64 == 0) {
            for (int i = 0; i < connection_count; i++)
                if (connections[i].output_count && connections[i].descriptor >= 0) flush(&connections[i]);
            wait_until(0);
        }
    }
    for (int i = 0; i < connection_count; i++)
        if (connections[i].output_count && connections[i].descriptor >= 0) flush(&connections[i]);
    struct rusage own;
    getrusage(RUSAGE_SELF, &own);
    uint64_t given_up = now() + patience;
    for (;;) {
        int waiting = 0;
        for (int i = 0; i < connection_count; i++) waiting += connections[i].waiting;
        if (!waiting || now() >= given_up) break;
        wait_until(given_up);
    }
    for (int i = 0; i < connection_count; i++) give_up(&connections[i]);

    qsort(latencies, latency_count, sizeof *latencies, compare);
    printf(
        "{\"calls\":%lu,\"answered\":%lu,\"refused\":%lu,\"lost\":%lu,\"broken\":%lu,\"skipped\":%lu,\"p50\":%.3f,\"p99\":%.3f,\"most\":%.3f,"
        "\"cpu\":%.3f}\n",
        (unsigned long)made, (unsigned long)answered, (unsigned long)refused, (unsigned long)lost, (unsigned long)broken,
        (unsigned long)skipped, percentile(0.5), percentile(0.99), latency_count ? (double)latencies[latency_count - 1] : 0.0,
        (double)(own.ru_utime.tv_sec + own.ru_stime.tv_sec) + (double)(own.ru_utime.tv_usec + own.ru_stime.tv_usec) * 1e-6);
    return 0;
}
