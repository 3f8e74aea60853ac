/* Starts a program and waits for its end, over and over, with its output thrown away.
 *
 *     spawn_loop [--first-line] PROGRAM [ARGUMENT...]
 *
 * serves runs (see pace.h); with --first-line the clock stops at the end of the program's first line of output.
 */
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pace.h"

extern char **environ;

struct program {
    char **arguments;
    int first_line;
};

static void spawn_and_wait(void *context) {
    struct program *program = context;
    int ends[2] = {-1, -1};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    if (pipe2(ends, O_CLOEXEC) < 0) fail("pipe");
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    pid_t child;
    int error = posix_spawn(&child, program->arguments[0], &actions, NULL, program->arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error) {
        errno = error;
        fail(program->arguments[0]);
    }
    close(ends[1]);
    char bytes[4096];
    ssize_t count;
    int done = 0;
    while (!done && (count = read(ends[0], bytes, sizeof bytes)) > 0)
        done = program->first_line && memchr(bytes, '\n', (size_t)count);
    close(ends[0]);
    int status;
    if (waitpid(child, &status, 0) < 0) fail("waitpid");
    if (!done && (!WIFEXITED(status) || WEXITSTATUS(status) != 0)) {
        fprintf(stderr, "%s ended with status %d\n", program->arguments[0], status);
        exit(1);
    }
}

int main(int count, char **arguments) {
    struct program program = {.arguments = arguments + 1};
    if (count > 1 && strcmp(arguments[1], "--first-line") == 0) {
        program.first_line = 1;
        program.arguments++;
    }
    if (!program.arguments[0]) {
        fprintf(stderr, "usage: spawn_loop [--first-line] PROGRAM [ARGUMENT...]\n");
        return 2;
    }
    spawn_and_wait(&program);
    return serve_runs(spawn_and_wait, &program);
}
