// What one run of the load generator is asked to do.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { MOST_METADATA = 8 };

struct options {
    const char *socket_path;
    const char *service;
    const char *method;

    // The message of each call: an echo of this many bytes, or a message in hexadecimal.
    size_t echo_bytes;
    const char *message_hex;
    // A file of whole request bodies, each with its length before it (4 bytes, big-endian), sent in turn, once.
    const char *requests_path;
    // "key:value", one each.
    const char *metadata[MOST_METADATA];
    size_t metadata_count;

    int connections;
    int in_flight; // calls on each connection
    double seconds; // measured, after the warm-up
    double warm_up; // seconds
    uint64_t calls; // when not 0: exactly this many calls, without a warm-up

    pid_t server;
    int cpu; // the generator's own CPU; -1: any

    int idle_connections; // when not 0: open this many and report the server's memory
    char **server_arguments; // when not NULL: start this server and report the time to its first answer
};

// Reads the command line. Prints what is wrong and ends the program when it is invalid.
struct options read_options(int count, char **arguments);
