/* The schedule of Benchmarks/Peers/pace.h on a clock that only moves as the test says. */
#ifndef UAVLINK_BENCHMARK_PACE_H
#define UAVLINK_BENCHMARK_PACE_H

#include <stdint.h>

/* `wakes` has, for each sleep, how long after its instant it ends (before it, if negative), `durations` how long each operation
 * takes. Both have `count` values, and more sleeps end in time. The clock begins at `now`. */
void benchmark_pace(
    long count, int64_t period, int64_t start, int64_t now, const int64_t *wakes, const int64_t *durations,
    int64_t *latencies, int64_t *lateness);

#endif
