#define _GNU_SOURCE
#include "benchmark_pace.h"

#ifdef __linux__
#include "../../Benchmarks/Peers/pace.h"

struct scripted {
    int64_t now;
    const int64_t *wakes, *durations;
    long count, sleeps, operations;
};

static int64_t scripted_now(void *context) { return ((struct scripted *)context)->now; }

static void scripted_sleep(void *context, int64_t when) {
    struct scripted *script = context;
    int64_t late = script->sleeps < script->count ? script->wakes[script->sleeps] : 0;
    script->sleeps++;
    script->now = when + late;
}

static void scripted_operation(void *context) {
    struct scripted *script = context;
    script->now += script->durations[script->operations++];
}

void benchmark_pace(
    long count, int64_t period, int64_t start, int64_t now, const int64_t *wakes, const int64_t *durations,
    int64_t *latencies, int64_t *lateness) {
    struct scripted script = {.now = now, .wakes = wakes, .durations = durations, .count = count};
    struct pace_clock clock = {scripted_now, scripted_sleep, &script};
    run_paced(count, period, start, clock, scripted_operation, &script, latencies, lateness);
}
#endif
