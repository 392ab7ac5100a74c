#ifndef PULSE_LINE_EDITOR_H
#define PULSE_LINE_EDITOR_H

#include <stdbool.h>

/// What can stand where the cursor is: lines, one candidate each, made by malloc; NULL for nothing.
/// `line` is what was typed before the cursor, without the word that the cursor is in; `word` is that word.
typedef char *(*pulse_complete)(const char *line, const char *word);

/// Loads the system's line editor (libedit). False where there is none.
bool pulse_line_editor_open(pulse_complete complete);

/// Reads a line from the terminal: made by malloc, without its end; NULL at the end of the input.
char *pulse_line_editor_read(const char *prompt);

/// Adds a line to those that the arrow keys bring back.
void pulse_line_editor_remember(const char *line);

#endif
