/* What every peer in C shares: the clock, the schedule, and the one thing a peer is asked.
 *
 * A peer says "ready" when it is warm, then reads lines of the form
 *
 *     run COUNT PERIOD_NS [START_NS]
 *
 * and does its operation COUNT times on a fixed schedule of PERIOD_NS, the first at START_NS of CLOCK_MONOTONIC, or back
 * to back when the period is 0. It answers with one line: "took" and the COUNT latencies in nanoseconds, and, with a period,
 * "late" and as many again. A latency counts from the instant for which the operation was intended, whether the timer was late
 * or the operation before had not ended by then, so that either is charged to everything it delayed; "late" is how long after
 * that instant it began. Without a period a latency counts from the call. It ends with its standard input.
 *
 * BenchmarkKit/Pace.swift and pace.py do the same, which PaceTests compares.
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

/* The clock of a schedule; tests supply their own. */
struct pace_clock {
    int64_t (*now)(void *context);
    void (*sleep_until)(void *context, int64_t when);
    void *context;
};

static inline int64_t system_now(void *unused) {
    (void)unused;
    return monotonic_ns();
}

static inline void system_sleep_until(void *unused, int64_t when) {
    (void)unused;
    sleep_until_ns(when);
}

/* Performs the schedule; without a start it begins a millisecond from now, without a period nothing is late. */
static inline void run_paced(
    long count, int64_t period, int64_t start, struct pace_clock clock, void (*operation)(void *), void *context,
    int64_t *latencies, int64_t *lateness) {
    int64_t intended = start ? start : clock.now(clock.context) + 1000000;
    for (long index = 0; index < count; index++) {
        if (period)
            while (clock.now(clock.context) < intended) clock.sleep_until(clock.context, intended);
        int64_t called = clock.now(clock.context);
        operation(context);
        latencies[index] = clock.now(clock.context) - (period ? intended : called);
        lateness[index] = period ? called - intended : 0;
        intended += period;
    }
}

/* Serves standard input; `operation` ends the program itself when it fails. */
static inline int serve_runs(void (*operation)(void *), void *context) {
    const struct pace_clock clock = {system_now, system_sleep_until, NULL};
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
        int64_t *latencies = (int64_t *)malloc((size_t)count * 2 * sizeof *latencies);
        if (!latencies) fail("malloc");
        int64_t *lateness = latencies + count;
        run_paced(count, period, start, clock, operation, context, latencies, lateness);
        printf("took");
        for (long index = 0; index < count; index++) printf(" %lld", (long long)latencies[index]);
        if (period) {
            printf(" late");
            for (long index = 0; index < count; index++) printf(" %lld", (long long)lateness[index]);
        }
        printf("\n");
        fflush(stdout);
        free(latencies);
    }
    return 0;
}

#endif
