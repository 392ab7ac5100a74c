// What libFuzzer and the kernel's counters need that Swift cannot say.
#pragma once
#include <stddef.h>
#include <stdint.h>

// What this thread has cost so far: instructions where the processor's counters can be read, else nanoseconds of CPU time.
uint64_t fuzz_cost(void);

// Whether `fuzz_cost` counts instructions.
int fuzz_counts_instructions(void);

// Tells libFuzzer of a cost, so that it keeps inputs that reach a higher one. `step` is 0…255.
void fuzz_reached(int step);
