#!/usr/bin/env python3
"""The schedule of Benchmarks/Peers/pace.py on a clock that only moves as the test says: pace_peer.py FOLDER

Each line of input is a JSON object with count, period, start, now, wakes and durations (see Tests/CBenchmarkPace); it answers each
with one of latencies and lateness.
"""
import json
import sys

sys.path.insert(0, sys.argv[1])
from pace import run_paced  # noqa: E402


class Script:
    def __init__(self, now, wakes, durations):
        self.now, self.wakes, self.durations = now, list(wakes), list(durations)

    def monotonic_ns(self):
        return self.now

    def sleep(self, seconds):
        self.now += round(seconds * 1e9) + (self.wakes.pop(0) if self.wakes else 0)

    def operate(self):
        self.now += self.durations.pop(0)


for line in sys.stdin:
    case = json.loads(line)
    script = Script(case["now"], case["wakes"], case["durations"])
    latencies, lateness = run_paced(case["count"], case["period"], case["start"], script.operate, clock=script)
    print(json.dumps({"latencies": latencies, "lateness": lateness}), flush=True)
