"""The schedule that every peer in Python keeps; it is the one of pace.h, which says what it means."""

import sys
import time


def serve_runs(operation, after=None):
    """Serves runs; `after` tidies up after each operation, outside of what is measured."""
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    for line in sys.stdin:
        word, *numbers = line.split()
        if word != "run" or len(numbers) not in (2, 3):
            sys.exit("cannot read '%s'" % line)
        count, period, start = [int(number) for number in numbers + ["0"]][:3]
        latencies = []
        intended, ended = start or time.monotonic_ns() + 1000000, 0
        for _ in range(count):
            if period:
                wait = intended - time.monotonic_ns()
                if wait > 0:
                    time.sleep(wait / 1e9)
            began = time.monotonic_ns()
            if period and ended > intended:
                began = intended
            operation()
            ended = time.monotonic_ns()
            latencies.append(ended - began)
            if after:
                after()
            intended += period
        sys.stdout.write("took " + " ".join(map(str, latencies)) + "\n")
        sys.stdout.flush()
