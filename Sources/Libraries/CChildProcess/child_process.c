#define _GNU_SOURCE
#include "child_process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>

static int prepare(
    posix_spawn_file_actions_t *actions, const char *folder, const char *terminal, int input, int output, int errors) {
    int code = 0;
    if (terminal) {
        /* Opened after setsid by the session's leader, so that it becomes its controlling terminal. */
        if (!code) code = posix_spawn_file_actions_addopen(actions, 0, terminal, O_RDWR, 0);
        if (!code) code = posix_spawn_file_actions_adddup2(actions, 0, 1);
        if (!code) code = posix_spawn_file_actions_adddup2(actions, 0, 2);
    } else {
        if (!code) code = posix_spawn_file_actions_adddup2(actions, input, 0);
        if (!code) code = posix_spawn_file_actions_adddup2(actions, output, 1);
        if (!code) code = posix_spawn_file_actions_adddup2(actions, errors, 2);
    }
    if (!code && folder) code = posix_spawn_file_actions_addchdir_np(actions, folder);
#ifndef __APPLE__
    if (!code) code = posix_spawn_file_actions_addclosefrom_np(actions, 3);
#endif
    return code;
}

int child_process_start(
    pid_t *pid, const char *program, char *const *arguments, char *const *environment, const char *folder,
    const char *terminal, int input, int output, int errors) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int code = posix_spawn_file_actions_init(&actions);
    if (code) return code;
    code = posix_spawnattr_init(&attributes);
    if (code) {
        posix_spawn_file_actions_destroy(&actions);
        return code;
    }
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID;
#ifdef __APPLE__
    flags |= POSIX_SPAWN_CLOEXEC_DEFAULT;
#endif
    posix_spawnattr_setsigmask(&attributes, &none);
    /* What this program ignores, such as SIGPIPE, the child must not. */
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, flags);
    code = prepare(&actions, folder, terminal, input, output, errors);
    if (!code) code = posix_spawn(pid, program, &actions, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return code;
}
