#include "envelope.h"
#include "measurements.h"
#include "process.h"
#include "program.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const uint64_t longest_start = 20000000000u; // nanoseconds

// The server's standard input is a pipe that nobody writes to: some servers end when their input ends.
static pid_t start(char **arguments, int *input) {
    int pipe_ends[2];
    if (pipe(pipe_ends)) fail("pipe: %s", strerror(errno));
    pid_t process = fork();
    if (process < 0) fail("fork: %s", strerror(errno));
    if (process == 0) {
        int nowhere = open("/dev/null", O_WRONLY);
        dup2(pipe_ends[0], 0);
        dup2(nowhere, 1);
        dup2(nowhere, 2);
        close(pipe_ends[0]);
        close(pipe_ends[1]);
        execvp(arguments[0], arguments);
        _exit(127);
    }
    close(pipe_ends[0]);
    *input = pipe_ends[1];
    return process;
}

void measure_start_up(const struct options *options) {
    struct requests requests = make_requests(options);
    int input, descriptor;
    uint64_t begin = now();
    pid_t server = start(options->server_arguments, &input);
    while ((descriptor = dial(options->socket_path)) < 0) {
        if (waitpid(server, NULL, WNOHANG) == server) fail("the server ended before it served");
        if (now() - begin > longest_start) {
            kill(server, SIGKILL);
            fail("the server does not listen after 20 seconds");
        }
        usleep(50);
    }
    uint64_t connected = now();
    call_once(descriptor, &requests, 1);
    uint64_t end = now();
    printf(
        "{\"start_up_ms\":%.3f,\"listens_ms\":%.3f,\"resident_kib\":%ld,\"threads\":%d}\n", (double)(end - begin) / 1e6,
        (double)(connected - begin) / 1e6, resident_memory_of(server), thread_count_of(server));
    close(descriptor);
    close(input);
    kill(server, SIGTERM);
    for (int i = 0; i < 300 && waitpid(server, NULL, WNOHANG) == 0; i++) usleep(10000);
    kill(server, SIGKILL);
}
