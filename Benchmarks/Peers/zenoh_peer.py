"""The eclipse-zenoh package as rmw_zenoh uses it: zenoh_peer.py ROUTER WHAT KEY [NUMBER...]

WHAT is what runs do: `call` sends a request with these numbers (float64[4], mrs_msgs/Vec4) and awaits the response, `publish`
publishes 100 bytes, both with an attachment of 33 bytes. `subscribe` does nothing but note, of each publication since the last
order, how old it was by the time in its attachment; for the order `report COUNT` it waits until that many have come, and answers
`took` and their ages, then `doubled` and how many numbers came twice.
"""

import os
import struct
import sys
import threading
import time

import zenoh

from pace import serve_runs

router, what, key = sys.argv[1:4]
config = zenoh.Config()
config.insert_json5("mode", '"client"')
config.insert_json5("scouting/multicast/enabled", "false")
config.insert_json5("connect/endpoints", f'["{router}"]')
session = zenoh.open(config)
sender, sent = os.urandom(16), 0


def attachment():
    global sent
    sent += 1
    return struct.pack("<qqB", sent, time.time_ns(), 16) + sender


def report():
    lock, ages, numbers = threading.Lock(), [], []

    def take(sample):
        now, raw = time.time_ns(), bytes(sample.attachment)
        number, at = struct.unpack_from("<qq", raw)
        with lock:
            ages.append(now - at)
            numbers.append((raw[17:], number))

    subscriber = session.declare_subscriber(key, take)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    for line in sys.stdin:
        count, until = int(line.split()[1]), time.monotonic() + 3
        while len(ages) < count and time.monotonic() < until:
            time.sleep(0.01)
        # Whether one more comes.
        time.sleep(0.05)
        with lock:
            doubled = len(numbers) - len(set(numbers))
            answer = "took " + " ".join(map(str, ages)) + f" doubled {doubled}"
            ages.clear(), numbers.clear()
        sys.stdout.write(answer + "\n")
        sys.stdout.flush()
    subscriber.undeclare()


if what == "call":
    payload = b"\x00\x01\x00\x00" + struct.pack("<4d", *map(float, sys.argv[4:]))

    def call():
        replies = list(
            session.get(
                key, target=zenoh.QueryTarget.ALL_COMPLETE, consolidation=zenoh.ConsolidationMode.NONE,
                payload=payload, attachment=attachment(), timeout=5.0))
        if len(replies) != 1 or replies[0].ok is None or bytes(replies[0].ok.payload)[4] != 1:
            sys.exit("the call failed")

    serve_runs(call)
elif what == "publish":
    publisher = session.declare_publisher(key)
    serve_runs(lambda: publisher.put(bytes(100), attachment=attachment()))
else:
    report()
