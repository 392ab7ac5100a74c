#define _GNU_SOURCE // posix_spawn_file_actions_addclosefrom_np
#include "terminal_program.h"

#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// The texts as `execve` takes them. The list is allocated, the texts are not.
static char **list_of(const char *texts, int count) {
    char **list = calloc((size_t)count + 1, sizeof *list);
    for (int index = 0; list != NULL && index < count; index++) {
        list[index] = (char *)texts;
        texts += strlen(texts) + 1;
    }
    return list;
}

static int prepare(posix_spawnattr_t *attributes, posix_spawn_file_actions_t *files, int input) {
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    if (posix_spawnattr_setsigdefault(attributes, &all) != 0 || posix_spawnattr_setsigmask(attributes, &none) != 0) return -1;
    if (posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK) != 0) return -1;
    if (input >= 0 && posix_spawn_file_actions_adddup2(files, input, STDIN_FILENO) != 0) return -1;
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
    if (posix_spawn_file_actions_addclosefrom_np(files, STDERR_FILENO + 1) != 0) return -1;
#endif
    return 0;
}

int pulse_terminal_program_start(const char *path, const char *words, int word_count, const char *variables, int variable_count, int input) {
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t files;
    if (posix_spawnattr_init(&attributes) != 0) return -1;
    if (posix_spawn_file_actions_init(&files) != 0) {
        posix_spawnattr_destroy(&attributes);
        return -1;
    }
    char **arguments = list_of(words, word_count), **environment = list_of(variables, variable_count);
    pid_t child = -1;
    if (arguments == NULL || environment == NULL || prepare(&attributes, &files, input) != 0
        || posix_spawn(&child, path, &files, &attributes, arguments, environment) != 0)
        child = -1;
    free(arguments);
    free(environment);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    return child;
}
