#ifndef PULSE_LINE_EDITOR_H
#define PULSE_LINE_EDITOR_H

#include <stdbool.h>

/// The candidates at the cursor: lines with one candidate each, allocated by malloc; NULL for none.
/// `line` is the text before the word at the cursor; `word` is that word.
typedef char *(*pulse_complete)(const char *line, const char *word);

/// Loads the system's line editor (libedit). Returns false if there is none.
bool pulse_line_editor_open(pulse_complete complete);

/// Reads a line from the terminal, without its line end, allocated by malloc; NULL at the end of the input.
char *pulse_line_editor_read(const char *prompt);

/// Adds a line to the history for the arrow keys.
void pulse_line_editor_remember(const char *line);

#endif
