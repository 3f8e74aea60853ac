#pragma once
#include <sys/types.h>

/* Starts a program in a session of its own with default signals. It inherits no descriptor but the three named, or, when
   `terminal` is not NULL, that terminal, which becomes the session's. `folder` may be NULL. Returns 0, or an errno.

   In C because glibc shows what this needs (a new session, closing all else, a folder) with _GNU_SOURCE only. */
int child_process_start(
    pid_t *pid, const char *program, char *const *arguments, char *const *environment, const char *folder,
    const char *terminal, int input, int output, int errors);
