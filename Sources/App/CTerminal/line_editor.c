// libedit through its readline interface (editline/readline.h). It is loaded when needed, so the program also runs without it.
#include "line_editor.h"
#include "terminal_settings.h"

#include <dlfcn.h>
#include <langinfo.h>
#include <locale.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef char **(*completer)(const char *, int, int);

static char *(*read_line)(const char *);
static int (*add_line)(const char *);
static char **(*make_matches)(const char *, char *(*)(const char *, int));
static const char **line_buffer;
static int *completion_is_over;
static pulse_complete candidates;
// The candidates for the word that is being completed, and the next one.
static char *found, *next;

// libedit calls it until it returns NULL, and frees each result.
static char *next_match(const char *word, int state) {
    (void)word;
    if (state == 0) next = found;
    if (next == NULL || *next == '\0') return NULL;
    char *end = strchr(next, '\n');
    size_t length = end != NULL ? (size_t)(end - next) : strlen(next);
    char *match = strndup(next, length);
    next = end != NULL ? end + 1 : next + length;
    return match;
}

// The bytes of the first characters of a line. libedit counts characters, and the line is UTF-8.
static size_t bytes_of(const char *line, int characters) {
    size_t bytes = 0;
    for (; characters > 0 && line[bytes] != '\0'; characters--) {
        bytes++;
        while ((line[bytes] & 0xC0) == 0x80) bytes++;
    }
    return bytes;
}

static char **complete(const char *word, int start, int end) {
    (void)end;
    // Without candidates, libedit must not complete file names.
    if (completion_is_over != NULL) *completion_is_over = 1;
    const char *line = *line_buffer != NULL ? *line_buffer : "";
    char *before = strndup(line, bytes_of(line, start));
    if (before == NULL) return NULL;
    free(found);
    found = candidates(before, word);
    free(before);
    return found != NULL ? make_matches(word, next_match) : NULL;
}

bool pulse_line_editor_open(pulse_complete given) {
    void *library = dlopen("libedit.so.2", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return false;
    read_line = (char *(*)(const char *))dlsym(library, "readline");
    add_line = (int (*)(const char *))dlsym(library, "add_history");
    make_matches = (char **(*)(const char *, char *(*)(const char *, int)))dlsym(library, "rl_completion_matches");
    line_buffer = (const char **)dlsym(library, "rl_line_buffer");
    completion_is_over = (int *)dlsym(library, "rl_attempted_completion_over");
    completer *attempted = (completer *)dlsym(library, "rl_attempted_completion_function");
    void (*use_history)(void) = (void (*)(void))dlsym(library, "using_history");
    int *catches_signals = (int *)dlsym(library, "rl_catch_signals");
    if (read_line == NULL || add_line == NULL || make_matches == NULL || line_buffer == NULL || attempted == NULL || use_history == NULL) return false;
    // Permits characters of more than one byte even if the chosen locale is not installed.
    if (setlocale(LC_CTYPE, "") == NULL || strcmp(nl_langinfo(CODESET), "UTF-8") != 0) setlocale(LC_CTYPE, "C.UTF-8");
    if (catches_signals != NULL) *catches_signals = 0;
    candidates = given;
    *attempted = complete;
    use_history();
    return true;
}

char *pulse_line_editor_read(const char *prompt) {
    // The editor switches off echo and handles no signal.
    pulse_terminal_settings_keep(STDIN_FILENO);
    char *line = read_line(prompt);
    pulse_terminal_settings_forget();
    return line;
}

void pulse_line_editor_remember(const char *line) { add_line(line); }
