#!/usr/bin/env python3
"""A Zenoh router of the eclipse-zenoh package and a client of it that speaks the conventions of rmw_zenoh, for tests.

    ros2_peer.py PORT [TLSPORT KEY=VALUE...]

The router listens on that port of the loopback, and over TLS on the other one with those settings. Commands come as lines of
standard input, and every answer is a line of standard output that begins with a word. It shares no code with the programs that
it tests: names, types and hashes come from the tokens.
"""

import json
import os
import struct
import sys
import threading
import time

import zenoh
import zenoh.ext

# How much longer this machine takes than a usual one: see MachinePace in Tests/IntegrationKit.
PACE = max(1.0, float(os.environ.get("UAVLINK_TEST_PACE", "1")))

port = int(sys.argv[1])
secure = sys.argv[2:]
lock = threading.Lock()
kept = {}
sender = os.urandom(16)
sent = 0


def say(*words):
    with lock:
        print(*words, flush=True)


def session(mode):
    config = zenoh.Config()
    config.insert_json5("mode", f'"{mode}"')
    config.insert_json5("scouting/multicast/enabled", "false")
    # What rmw_zenoh sets, too: caches need it.
    config.insert_json5("timestamping/enabled", "true")
    place = "listen" if mode == "router" else "connect"
    places = [f"tcp/127.0.0.1:{port}"]
    if mode == "router" and secure:
        places.append(f"tls/127.0.0.1:{secure[0]}")
        for setting in secure[1:]:
            config.insert_json5(*setting.split("=", 1))
    config.insert_json5(f"{place}/endpoints", json.dumps(places))
    return zenoh.open(config)


def start():
    kept["router"] = session("router")
    kept["client"] = session("client")
    say("ready")


def stop():
    for name in list(kept):
        if name not in ("client", "router"):
            del kept[name]
    kept.pop("client").close()
    kept.pop("router").close()


class Tokens:
    """The graph, by one liveliness query."""

    def __init__(self):
        self.nodes = set()
        self.endpoints = []
        for reply in kept["client"].liveliness().get("@ros2_lv/0/**", timeout=20 * PACE):
            parts = str(reply.ok.key_expr).split("/")
            namespace = parts[7].replace("%", "/")
            node = namespace.rstrip("/") + "/" + parts[8]
            if parts[5] == "NN":
                self.nodes.add(node)
            else:
                self.endpoints.append((parts[5], node, parts[9].replace("%", "/"), parts[10], parts[11], parts[12]))

    def key(self, kind, name):
        for found in self.endpoints:
            if found[0] == kind and found[2] == name:
                return f"0{name}/{found[3]}/{found[4]}"
        return None


class Attachment:
    """The 33 bytes; anything else is an error, as for rmw_zenoh."""

    def __init__(self, raw):
        data = bytes(raw) if raw is not None else b""
        if len(data) != 33 or data[16] != 16:
            raise ValueError(f"an attachment of {len(data)} bytes")
        self.sequence, self.time = struct.unpack("<qq", data[:16])
        self.sender = data[17:]
        if self.sequence < 1 or abs(self.time / 1e9 - time.time()) > 60:
            raise ValueError(f"the sequence {self.sequence} at {self.time}")


def settle():
    """The router has taken what the client has declared: it answers in the order in which it is asked."""
    for _ in kept["client"].liveliness().get("@ros2_lv/0/none", timeout=20 * PACE):
        pass


def next_attachment():
    global sent
    sent += 1
    return struct.pack("<qqB", sent, time.time_ns(), 16) + sender


class CDR:
    def __init__(self, data):
        if data[:4] != b"\x00\x01\x00\x00":
            raise ValueError("no little-endian CDR")
        self.data, self.at = data[4:], 0

    def take(self, form):
        size = struct.calcsize("<" + form)
        self.at += -self.at % size
        (value,) = struct.unpack_from("<" + form, self.data, self.at)
        self.at += size
        return value

    def text(self):
        size = self.take("I")
        self.at += size
        return self.data[self.at - size : self.at - 1].decode()


class Topic:
    """What was received of a topic; wrong attachments are counted."""

    def __init__(self, key):
        self.count = self.faults = 0
        self.last = None
        self.sequence = {}
        self.subscriber = kept["client"].declare_subscriber(key, self.take)

    def take(self, sample):
        try:
            attachment = Attachment(sample.attachment)
            if attachment.sequence != self.sequence.get(attachment.sender, attachment.sequence - 1) + 1:
                raise ValueError("a sequence number is missing")
            self.sequence[attachment.sender] = attachment.sequence
        except ValueError as fault:
            self.faults += 1
            say("fault", fault)
        self.count += 1
        self.last = bytes(sample.payload)


def height(payload):
    """The z of an Odometry."""
    cdr = CDR(payload)
    cdr.take("i"), cdr.take("I"), cdr.text(), cdr.text()
    cdr.take("d"), cdr.take("d")
    return cdr.take("d")


def call(name, payload, attachment=None):
    """A request as rmw_zenoh sends it; the payloads of the replies."""
    key = Tokens().key("SS", name)
    if key is None:
        return say("answer", "absent")
    replies = list(
        kept["client"].get(
            key, target=zenoh.QueryTarget.ALL_COMPLETE, consolidation=zenoh.ConsolidationMode.NONE, payload=payload,
            attachment=next_attachment() if attachment is None else attachment or None, timeout=10 * PACE))
    if len(replies) != 1:
        return say("answer", len(replies), "replies")
    if replies[0].ok is None:
        return say("answer", "failure", bytes(replies[0].err.payload).decode())
    mine = Attachment(replies[0].ok.attachment)
    if attachment is None and (mine.sequence, mine.sender) != (sent, sender):
        return say("answer", "of another request")
    cdr = CDR(bytes(replies[0].ok.payload))
    say("answer", bool(cdr.take("B")), cdr.text())


def faulty(kind):
    """An attachment that is none, or one of versions before 0.2.4; empty for none at all."""
    good = next_attachment()
    if kind == "missing":
        return b""
    if kind == "short":
        return good[:-1]
    if kind == "negative":
        return b"\xff" * 8 + good[8:]
    names = (b"sequence_number", b"source_timestamp", b"source_gid")
    values = (good[:8], good[8:16], good[16:])
    return b"".join(bytes([len(name)]) + name + value for name, value in zip(names, values))


start()
for line in sys.stdin:
    command, *words = line.split()
    client = kept.get("client")
    if command == "graph":
        tokens = Tokens()
        for node in sorted(tokens.nodes):
            say("node", node)
        for endpoint in sorted(tokens.endpoints):
            say("endpoint", *endpoint)
    elif command == "subscribe":
        key = Tokens().key("MP", words[0])
        if key is not None:
            kept[words[0]] = Topic(key)
        say("subscribed" if key is not None else "absent", words[0])
    elif command == "topic":
        topic = kept[words[0]]
        say("topic", words[0], topic.count, topic.faults, topic.last.hex() if topic.last else "-")
    elif command == "height":
        last = kept[words[0]].last
        say("height", "-" if last is None else f"{height(last):.3f}")
    elif command == "trigger":
        call(words[0], b"\x00\x01\x00\x00\x00")
    elif command == "switch":
        call(words[0], b"\x00\x01\x00\x00" + bytes([int(words[1])]))
    elif command == "faulty":
        call(words[0], b"\x00\x01\x00\x00\x00", faulty(words[1]))
    elif command == "describe":
        # SERVICE TYPE HASH
        name, type_name, type_hash = words
        request = b"\x00\x01\x00\x00"
        for text in (type_name, type_hash):
            request += bytes(-(len(request) - 4) % 4) + struct.pack("<I", len(text) + 1) + text.encode() + b"\x00"
        call(name, request + b"\x00")
    elif command == "wild":
        # A query for all services at once.
        for reply in client.get(
            "0/uav1/**", target=zenoh.QueryTarget.ALL, payload=b"\x00\x01\x00\x00\x00", attachment=next_attachment(),
            timeout=20 * PACE
        ):
            if reply.ok is not None:
                say("executed", reply.ok.key_expr)
    elif command == "put":
        # KEY PAYLOAD and good, missing, short, negative or old.
        attachment = next_attachment() if words[2] == "good" else faulty(words[2]) or None
        client.put(words[0], bytes.fromhex(words[1]), attachment=attachment)
    elif command == "delete":
        client.delete(words[0])
    elif command == "serve":
        # A server whose reply is that payload, with an attachment of the wanted kind.
        def answer(query, payload=bytes.fromhex(words[1]), kind=words[2]):
            asked = bytes(query.attachment)
            if kind == "other":
                asked = struct.pack("<q", 99) + asked[8:]
            attachment = faulty(kind) or None if kind in ("missing", "short") else asked
            query.reply(query.key_expr, payload, attachment=attachment)

        before = kept.pop("server " + words[0], None)
        if before is not None:
            before.undeclare()
        kept["server " + words[0]] = client.declare_queryable(words[0], answer, complete=True)
        settle()
    elif command == "token":
        kept["token " + words[0]] = client.liveliness().declare_token(words[0])
    elif command == "untoken":
        kept.pop("token " + words[0]).undeclare()
    elif command == "late":
        # What an advanced subscriber gets of what was published before: NAME, and how many are to come, else one.
        key = Tokens().key("MP", words[0])
        wanted = int(words[1]) if len(words) > 1 else 1
        got = []
        late = zenoh.ext.declare_advanced_subscriber(
            client, key, lambda sample: got.append(sample),
            history=zenoh.ext.HistoryConfig(detect_late_publishers=True, max_samples=10), subscriber_detection=True)
        until = time.monotonic() + 20 * PACE
        while len(got) < wanted and time.monotonic() < until:
            time.sleep(0.02)
        # What comes beside them comes with them.
        time.sleep(0.1)
        late.undeclare()
        for sample in got:
            say("late", words[0], Attachment(sample.attachment).sequence, bytes(sample.payload).hex())
    elif command == "keep":
        # A publisher that keeps what it publishes: KEY PAYLOAD, as many times as there are payloads.
        publisher = zenoh.ext.declare_advanced_publisher(
            client, words[0], cache=zenoh.ext.CacheConfig(10), publisher_detection=True,
            sample_miss_detection=zenoh.ext.MissDetectionConfig())
        for payload in words[1:]:
            publisher.put(bytes.fromhex(payload), attachment=next_attachment())
        kept["publisher " + words[0]] = publisher
    elif command == "stop":
        stop()
    elif command == "start":
        start()
        continue
    say("done", command)
