/* What every peer in C shares: the clock, the schedule, and the one thing a peer is asked.
 *
 * A peer says "ready" when it is warm, then reads lines of the form
 *
 *     run COUNT PERIOD_NS [START_NS]
 *
 * and does its operation COUNT times on a fixed schedule of PERIOD_NS, the first at START_NS of CLOCK_MONOTONIC, or back
 * to back when the period is 0. It answers with one line: "took" and the COUNT latencies in nanoseconds. A latency counts from the moment the operation was meant to begin when the one
 * before it had not finished by then (so that a stall is charged to everything it delayed), and otherwise from the call,
 * so that the timer's own lateness is not counted. It ends with its standard input.
 */
#ifndef UAVLINK_BENCH_PACE_H
#define UAVLINK_BENCH_PACE_H

#include <errno.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static inline int64_t monotonic_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static inline void sleep_until_ns(int64_t when) {
    struct timespec at;
    at.tv_sec = when / 1000000000;
    at.tv_nsec = when % 1000000000;
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) == EINTR) {
    }
}

static inline void fail(const char *what) {
    fprintf(stderr, "%s: %s\n", what, strerror(errno));
    exit(1);
}

/* Keeps the calling process to one processor, named in digits. */
static inline void stay_on(const char *processor) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(atoi(processor), &set);
    if (sched_setaffinity(0, sizeof set, &set) < 0) fail("sched_setaffinity");
}

/* Serves standard input; `operation` ends the program itself when it fails. */
static inline int serve_runs(void (*operation)(void *), void *context) {
    char line[128];
    printf("ready\n");
    fflush(stdout);
    while (fgets(line, sizeof line, stdin)) {
        long count;
        long long period, start = 0;
        if (sscanf(line, "run %ld %lld %lld", &count, &period, &start) < 2 || count < 1 || count > 10000000 || period < 0) {
            fprintf(stderr, "cannot read '%s'\n", line);
            return 2;
        }
        int64_t *latencies = (int64_t *)malloc((size_t)count * sizeof *latencies);
        if (!latencies) fail("malloc");
        int64_t intended = start ? start : monotonic_ns() + 1000000, ended = 0;
        for (long index = 0; index < count; index++) {
            if (period) sleep_until_ns(intended);
            int64_t began = monotonic_ns();
            if (period && ended > intended) began = intended;
            operation(context);
            ended = monotonic_ns();
            latencies[index] = ended - began;
            intended += period;
        }
        printf("took");
        for (long index = 0; index < count; index++) printf(" %lld", (long long)latencies[index]);
        printf("\n");
        fflush(stdout);
        free(latencies);
    }
    return 0;
}

#endif
