#include "process.h"
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct cpu_time cpu_time_of(pid_t process) {
    struct cpu_time result = {0};
    // The process's CPU clock: like /proc/PID/schedstat, but it also counts threads that have ended.
    clockid_t clock;
    struct timespec time;
    if (clock_getcpuclockid(process, &clock) == 0 && clock_gettime(clock, &time) == 0)
        result.all = (double)time.tv_sec + (double)time.tv_nsec * 1e-9;

    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/%d/stat", process);
    FILE *file = fopen(path, "r");
    if (!file) return result;
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    // The program's name, in parentheses, may itself hold spaces: fields are counted from its end.
    const char *after_name = strrchr(text, ')');
    unsigned long user, system;
    if (after_name && sscanf(after_name + 2, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system) == 2) {
        double ticks = (double)sysconf(_SC_CLK_TCK);
        result.user = (double)user / ticks;
        result.system = (double)system / ticks;
    }
    return result;
}

// The number after `label` in a status file; 0 when there is none.
static long status_value(const char *path, const char *label) {
    FILE *file = fopen(path, "r");
    if (!file) return 0;
    char line[256];
    long value = 0;
    size_t length = strlen(label);
    while (fgets(line, sizeof line, file))
        if (strncmp(line, label, length) == 0 && sscanf(line + length, " %ld", &value) == 1) break;
    fclose(file);
    return value;
}

struct context_switches context_switches_of(pid_t process) {
    struct context_switches result = {0};
    char path[320];
    snprintf(path, sizeof path, "/proc/%d/task", process);
    DIR *threads = opendir(path);
    if (!threads) return result;
    for (struct dirent *entry; (entry = readdir(threads));) {
        if (entry->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "/proc/%d/task/%s/status", process, entry->d_name);
        result.voluntary += status_value(path, "voluntary_ctxt_switches:");
        result.involuntary += status_value(path, "nonvoluntary_ctxt_switches:");
    }
    closedir(threads);
    return result;
}

long resident_memory_of(pid_t process) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/status", process);
    return status_value(path, "VmRSS:");
}

int thread_count_of(pid_t process) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/status", process);
    return (int)status_value(path, "Threads:");
}
