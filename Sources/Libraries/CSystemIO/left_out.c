#include <math.h>
#include <stddef.h>
#include <stdint.h>

/* Take the places of functions where the linker is told to wrap those (`Package.swift`), of programs that must be small. */

/* Of Swift's standard library: behind them are tables of half a megabyte, which nothing of ours asks for
   (`Unicode.Scalar.Properties`: name, name alias, age; scripts are of regular expressions). A character then has none of these. */

intptr_t __wrap__swift_stdlib_getScalarName(uint32_t scalar, uint8_t *buffer, intptr_t capacity);
const char *__wrap__swift_stdlib_getNameAlias(uint32_t scalar);
uint16_t __wrap__swift_stdlib_getAge(uint32_t scalar);
uint8_t __wrap__swift_stdlib_getScript(uint32_t scalar);
const uint8_t *__wrap__swift_stdlib_getScriptExtensions(uint32_t scalar, uint8_t *count);

intptr_t __wrap__swift_stdlib_getScalarName(uint32_t scalar, uint8_t *buffer, intptr_t capacity) {
    (void)scalar;
    (void)buffer;
    (void)capacity;
    return 0;
}

const char *__wrap__swift_stdlib_getNameAlias(uint32_t scalar) {
    (void)scalar;
    return NULL;
}

uint16_t __wrap__swift_stdlib_getAge(uint32_t scalar) {
    (void)scalar;
    return UINT16_MAX;
}

uint8_t __wrap__swift_stdlib_getScript(uint32_t scalar) {
    (void)scalar;
    return UINT8_MAX;
}

const uint8_t *__wrap__swift_stdlib_getScriptExtensions(uint32_t scalar, uint8_t *count) {
    (void)scalar;
    *count = 0;
    return NULL;
}

/* Of Swift's runtime: behind it is what starts a program that prints a backtrace after a crash, with room for that program's
   environment. No vehicle has that program, and `SWIFT_BACKTRACE` has no effect then. Its settings are 88 bytes; all zero is off. */
_Bool __wrap__swift_backtrace_isThunkFunction(const char *name);
extern uint64_t __wrap__swift_backtraceSettings[32];

uint64_t __wrap__swift_backtraceSettings[32];

_Bool __wrap__swift_backtrace_isThunkFunction(const char *name) {
    (void)name;
    return 0;
}

/* glibc has it four times, for different processors, each with its table; `atan2` has to be there anyway, and is as exact. */
double __wrap_atan(double x);

double __wrap_atan(double x) { return atan2(x, 1); }

/* As `atan`: 35 kB. The quotient is off by one unit in the last place more at most; the angles are latitudes and tilts. */
double __wrap_tan(double x);

double __wrap_tan(double x) { return sin(x) / cos(x); }
