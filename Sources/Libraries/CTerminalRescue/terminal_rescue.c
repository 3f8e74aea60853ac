#include "terminal_rescue.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGSYS};
enum { crash_count = sizeof crashes / sizeof crashes[0] };

static struct sigaction before[crash_count];
static volatile sig_atomic_t armed;
static int terminal;
static struct termios original;
static char goodbye[512];
static size_t goodbye_length;

static void rescue(int number) {
    if (armed) {
        armed = 0;
        ssize_t written = write(terminal, goodbye, goodbye_length);
        (void)written;
        tcsetattr(terminal, TCSANOW, &original);
    }
    for (int i = 0; i < crash_count; i++) {
        if (crashes[i] == number) sigaction(number, &before[i], NULL);
    }
    // Blocked until this handler returns; then it ends the program, with its core dump or backtrace.
    raise(number);
}

int terminal_rescue_arm(int descriptor, const void *attributes, const char *farewell, size_t length) {
    if (length > sizeof goodbye) return -1;
    terminal_rescue_disarm();
    terminal = descriptor;
    memcpy(&original, attributes, sizeof original);
    memcpy(goodbye, farewell, length);
    goodbye_length = length;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = rescue;
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < crash_count; i++) sigaction(crashes[i], &action, &before[i]);
    armed = 1;
    return 0;
}

void terminal_rescue_disarm(void) {
    if (!armed) return;
    armed = 0;
    for (int i = 0; i < crash_count; i++) sigaction(crashes[i], &before[i], NULL);
}

static volatile sig_atomic_t continued;
static volatile sig_atomic_t keeps;
static int keyboard;
static struct termios kept;

static void resume(int number) {
    (void)number;
    int before_call = errno;
    // In the background this stops the program, until it is in the foreground.
    if (keeps) tcsetattr(keyboard, TCSANOW, &kept);
    continued = (continued + 1) & 0xFFFF;
    errno = before_call;
}

void terminal_rescue_keep(int descriptor, const void *attributes) {
    keeps = 0;
    keyboard = descriptor;
    memcpy(&kept, attributes, sizeof kept);
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = resume;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(SIGCONT, &action, NULL);
    keeps = 1;
}

void terminal_rescue_let_go(void) { keeps = 0; }

int terminal_rescue_continued(void) { return continued; }
