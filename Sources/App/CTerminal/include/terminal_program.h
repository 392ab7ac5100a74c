#ifndef PULSE_TERMINAL_PROGRAM_H
#define PULSE_TERMINAL_PROGRAM_H

/// Starts a program in the foreground of this terminal, as a shell does: in this program's process group, with no signal blocked or ignored, and
/// without its open files.
///
/// (Foundation's `Process` gives each program a process group of its own, which the terminal takes for one in the background. It cannot read.)
///
/// `words` and `variables` are so many texts, each with its NUL, one behind another. The first word is the program's name. `input` is its standard
/// input; -1 for this program's own.
///
/// Returns its process id; -1 if it cannot be started.
int pulse_terminal_program_start(const char *path, const char *words, int word_count, const char *variables, int variable_count, int input);

#endif
