#!/usr/bin/env python3
"""A ground of others: pyserial (PyPI) drives the simulated robot at the port that is given. Prints one JSON object at the end."""
import json
import os
import sys
import time

import serial

# How much longer this machine takes than a usual one: see MachinePace in Tests/IntegrationKit.
PACE = max(1.0, float(os.environ.get("UAVLINK_TEST_PACE", "1")))

heard = b""
with serial.Serial(sys.argv[1], 115200, timeout=0.1, exclusive=True) as port:
    for text in (b"1", b"<200>", b"l"):
        port.write(text)
    end = time.monotonic() + 20 * PACE
    while b"battery" not in heard and time.monotonic() < end:
        heard += port.read(64)
    print("driving", flush=True)
    input()
    port.write(b"s")
    port.flush()
    print(json.dumps({"done": True, "heard": heard.decode("latin-1")}), flush=True)
    input()
