"""The schedule that every peer in Python keeps; it is the one of pace.h, which says what it means."""

import sys
import time


def run_paced(count, period, start, operation, after=None, clock=time):
    """Performs a schedule: latencies, and how late each began; `after` tidies up after each, outside of what is measured."""
    latencies, lateness = [], []
    intended = start or clock.monotonic_ns() + 1000000
    for _ in range(count):
        while period:
            wait = intended - clock.monotonic_ns()
            if wait <= 0:
                break
            clock.sleep(wait / 1e9)
        called = clock.monotonic_ns()
        operation()
        latencies.append(clock.monotonic_ns() - (intended if period else called))
        if period:
            lateness.append(called - intended)
        if after:
            after()
        intended += period
    return latencies, lateness


def serve_runs(operation, after=None):
    """Serves runs; `after` tidies up after each operation, outside of what is measured."""
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    for line in sys.stdin:
        word, *numbers = line.split()
        if word != "run" or len(numbers) not in (2, 3):
            sys.exit("cannot read '%s'" % line)
        count, period, start = [int(number) for number in numbers + ["0"]][:3]
        latencies, lateness = run_paced(count, period, start, operation, after)
        answer = "took " + " ".join(map(str, latencies))
        if period:
            answer += " late " + " ".join(map(str, lateness))
        sys.stdout.write(answer + "\n")
        sys.stdout.flush()
