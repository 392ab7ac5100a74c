#ifndef PULSE_TERMINAL_SETTINGS_H
#define PULSE_TERMINAL_SETTINGS_H

/// Keeps the present settings of a terminal. Until `pulse_terminal_settings_forget`, SIGHUP, SIGINT, SIGQUIT and SIGTERM first bring them back, and
/// then end the program as usual. A signal that is ignored, or has a handler, stays so. One terminal at a time. Does nothing without a terminal.
void pulse_terminal_settings_keep(int descriptor);

/// Gives the signals their former actions back.
void pulse_terminal_settings_forget(void);

#endif
