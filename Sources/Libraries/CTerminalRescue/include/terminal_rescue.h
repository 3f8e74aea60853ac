#ifndef UAVLINK_TERMINAL_RESCUE_H
#define UAVLINK_TERMINAL_RESCUE_H

#include <stddef.h>

// Gives a terminal back when the program crashes. A signal handler may call next to nothing, Swift's runtime least of all;
// so this part is in C.

// No header of the system's terminals here: Swift would take its types for this module's own.

// From now on a crash (SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGSYS) writes `farewell` to `descriptor`, sets
// `attributes` (a struct termios) on it, and then ends the program as it would have ended. Returns 0, or -1 when the farewell
// is too long.
int terminal_rescue_arm(int descriptor, const void *attributes, const char *farewell, size_t length);

// Crashes are no longer handled.
void terminal_rescue_disarm(void);

// From now on SIGCONT sets `attributes` (a struct termios) on `descriptor`: whoever stopped the program, such as a shell, may
// have changed them meanwhile.
void terminal_rescue_keep(int descriptor, const void *attributes);

// SIGCONT changes no attributes any more; it is still counted.
void terminal_rescue_let_go(void);

// How often SIGCONT arrived since terminal_rescue_keep was first called; starts again at 0 after 65535.
int terminal_rescue_continued(void);

#endif
