// Access to libFuzzer's and the kernel's counters, which Swift cannot express.
#pragma once
#include <stddef.h>
#include <stdint.h>

// The cost of this thread so far: instructions if the processor's counters can be read, else nanoseconds of CPU time.
uint64_t fuzz_cost(void);

// Whether `fuzz_cost` counts instructions.
int fuzz_counts_instructions(void);

// Reports a cost to libFuzzer, so that it keeps inputs that reach a higher one. `step` is 0…255.
void fuzz_reached(int step);
