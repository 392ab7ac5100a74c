#include "options.h"
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "load-generator --socket PATH [what to call] [how much] [whom to watch]\n"
    "\n"
    "Calls a ttrpc server over a Unix socket in a closed loop, checks id, length and bytes of every answer, and prints one\n"
    "line of JSON.\n"
    "\n"
    "What to call\n"
    "  --service NAME        bench.Bench unless said\n"
    "  --method NAME         Echo unless said\n"
    "  --bytes N             send `bytes data = 1` of N bytes and expect the same back (64)\n"
    "  --message HEX         send this message instead; every answer must equal the first one\n"
    "  --requests FILE       send these request bodies in turn, once; every answer must say OK\n"
    "  --metadata KEY:VALUE  with every call; may be given 8 times\n"
    "How much\n"
    "  --connections N       1 unless said\n"
    "  --in-flight N         calls under way on each connection (1)\n"
    "  --seconds S           how long to measure (1)\n"
    "  --warm-up S           seconds of calls before that (0.2)\n"
    "  --calls N             make exactly N calls, without a warm-up\n"
    "Whom to watch\n"
    "  --pid PID             the server: report its CPU time, context switches and memory\n"
    "  --cpu N               run on this CPU only\n"
    "Other measurements\n"
    "  --idle N              open N connections, one call each, and report the server's memory (needs --pid)\n"
    "  --start-up -- PROGRAM ARGUMENT…   start a server and report the time to its first answer\n";

static void refuse(const char *why) {
    fprintf(stderr, "load-generator: %s\n\n%s", why, usage);
    exit(64);
}

static double number(const char *text, double least) {
    char *end;
    double value = strtod(text, &end);
    if (*end || end == text || value < least) refuse("a number is malformed or too small");
    return value;
}

struct options read_options(int count, char **arguments) {
    enum {
        SOCKET = 1, SERVICE, METHOD, BYTES, MESSAGE, REQUESTS, METADATA, CONNECTIONS, IN_FLIGHT, SECONDS, WARM_UP, CALLS, PID, CPU,
        IDLE, START_UP, HELP
    };
    static const struct option names[] = {
        {"socket", required_argument, 0, SOCKET}, {"service", required_argument, 0, SERVICE},
        {"method", required_argument, 0, METHOD}, {"bytes", required_argument, 0, BYTES},
        {"message", required_argument, 0, MESSAGE}, {"requests", required_argument, 0, REQUESTS},
        {"metadata", required_argument, 0, METADATA}, {"connections", required_argument, 0, CONNECTIONS},
        {"in-flight", required_argument, 0, IN_FLIGHT}, {"seconds", required_argument, 0, SECONDS},
        {"warm-up", required_argument, 0, WARM_UP}, {"calls", required_argument, 0, CALLS},
        {"pid", required_argument, 0, PID}, {"cpu", required_argument, 0, CPU},
        {"idle", required_argument, 0, IDLE}, {"start-up", no_argument, 0, START_UP},
        {"help", no_argument, 0, HELP}, {0, 0, 0, 0},
    };
    struct options options = {
        .service = "bench.Bench", .method = "Echo", .echo_bytes = 64, .connections = 1, .in_flight = 1,
        .seconds = 1, .warm_up = 0.2, .cpu = -1,
    };
    int starts_server = 0;
    for (int option; (option = getopt_long(count, arguments, "+", names, NULL)) != -1;) {
        switch (option) {
        case SOCKET: options.socket_path = optarg; break;
        case SERVICE: options.service = optarg; break;
        case METHOD: options.method = optarg; break;
        case BYTES: options.echo_bytes = (size_t)number(optarg, 0); break;
        case MESSAGE: options.message_hex = optarg; break;
        case REQUESTS: options.requests_path = optarg; break;
        case METADATA:
            if (options.metadata_count == MOST_METADATA || !strchr(optarg, ':')) refuse("--metadata KEY:VALUE, at most 8 times");
            options.metadata[options.metadata_count++] = optarg;
            break;
        case CONNECTIONS: options.connections = (int)number(optarg, 1); break;
        case IN_FLIGHT: options.in_flight = (int)number(optarg, 1); break;
        case SECONDS: options.seconds = number(optarg, 0.001); break;
        case WARM_UP: options.warm_up = number(optarg, 0); break;
        case CALLS: options.calls = (uint64_t)number(optarg, 1); break;
        case PID: options.server = (pid_t)number(optarg, 1); break;
        case CPU: options.cpu = (int)number(optarg, 0); break;
        case IDLE: options.idle_connections = (int)number(optarg, 2); break;
        case START_UP: starts_server = 1; break;
        case HELP: fputs(usage, stdout); exit(0);
        default: refuse("unknown option");
        }
    }
    if (!options.socket_path) refuse("--socket is needed");
    if (options.idle_connections && !options.server) refuse("--idle needs --pid");
    if (starts_server && optind == count) refuse("--start-up needs a program");
    if (!starts_server && optind < count) refuse("too many words");
    if (starts_server) options.server_arguments = arguments + optind;
    return options;
}
