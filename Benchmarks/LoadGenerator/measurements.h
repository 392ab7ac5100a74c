// The three measurements. Each prints one line of JSON.
#pragma once
#include "options.h"

// Calls/s, latency and the server's CPU time under load.
void measure_load(const struct options *options);
// The server's memory before and with idle connections.
void measure_idle(const struct options *options);
// From the start of a server's process to its first answer.
void measure_start_up(const struct options *options);
