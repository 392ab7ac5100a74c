#include "terminal_settings.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

#define COUNT 4
static const int numbers[COUNT] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
// Whether the signal has this file's handler.
static bool is_handled[COUNT];
static struct termios kept;
static int terminal = -1;

// Only calls that POSIX permits in a handler.
static void restore_and_end(int number) {
    tcsetattr(terminal, TCSANOW, &kept);
    signal(number, SIG_DFL);
    // It is blocked here, so it ends the program when this returns.
    raise(number);
}

void pulse_terminal_settings_keep(int descriptor) {
    if (terminal >= 0 || tcgetattr(descriptor, &kept) != 0) return;
    terminal = descriptor;
    struct sigaction action = {.sa_handler = restore_and_end};
    // SIGTTOU too: it would stop a program in the background that changes the settings.
    sigfillset(&action.sa_mask);
    for (int index = 0; index < COUNT; index++) {
        struct sigaction former;
        is_handled[index] = sigaction(numbers[index], NULL, &former) == 0 && (former.sa_flags & SA_SIGINFO) == 0 && former.sa_handler == SIG_DFL
            && sigaction(numbers[index], &action, NULL) == 0;
    }
}

void pulse_terminal_settings_forget(void) {
    if (terminal < 0) return;
    for (int index = 0; index < COUNT; index++) {
        struct sigaction present;
        // Another handler may have taken its place.
        if (is_handled[index] && sigaction(numbers[index], NULL, &present) == 0 && present.sa_handler == restore_and_end)
            signal(numbers[index], SIG_DFL);
        is_handled[index] = false;
    }
    terminal = -1;
}
