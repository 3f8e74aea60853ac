#pragma once
#include <stddef.h>
#include <stdint.h>

/* libFuzzer's own entry (its manual: "Using libFuzzer as a library"). */
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*test)(const uint8_t *bytes, size_t count));
