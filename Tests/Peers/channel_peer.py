#!/usr/bin/env python3
"""An independent ground for the socket channel, written from docs/channel.md and nothing else.

Reads a ticket line from standard input, opens a session over UDP or TCP, reads telemetry, takes off, steers, flies to a
place, lands and says goodbye. Prints one JSON object a line; the last one has "done": true. Needs PyNaCl.

    channel_peer.py --host 127.0.0.1 --carrier udp < ticket
    channel_peer.py --whole < ticket                 a flight of a vehicle that stands on the ground, from arming to landing
    channel_peer.py --vectors docs/channel.md        opens every vector of the document instead
"""
import argparse
import hashlib
import json
import os
import select
import socket
import struct
import sys
import time

from nacl.bindings import (
    crypto_aead_chacha20poly1305_ietf_decrypt,
    crypto_aead_chacha20poly1305_ietf_encrypt,
    crypto_aead_xchacha20poly1305_ietf_decrypt,
    crypto_aead_xchacha20poly1305_ietf_encrypt,
)
from nacl.exceptions import CryptoError

# How much longer this machine takes than a usual one: see MachinePace in Tests/IntegrationKit.
PACE = max(1.0, float(os.environ.get("UAVLINK_TEST_PACE", "1")))

VERSION = 1
UP, DOWN = 0, 1
(HEARTBEAT, GOODBYE, STEERING, COMMAND, RECEIVED, ANSWER, QUERY, QUESTION, QUESTION_ANSWER, STATE, DETAILS, MESSAGES, EXTRAS, CONTROL,
 FRAGMENT, FRAGMENT_RECEIVED, FRAGMENT_REFUSED, TRACE_REQUEST, TRACE) = (
     1, 2, 0x10, 0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x30, 0x31, 0x32, 0x33, 0x34, 0x40, 0x41, 0x42, 0x50, 0x51)
ENVELOPE, MAPS, MAP, WISH, WORLD = 1, 2, 3, 4, 5
ARM, OUTPUT, OFFBOARD, TAKE_OFF, LAND, HOVER, GOTO, UPLOAD = 1, 2, 3, 4, 5, 7, 10, 14
DISARMED, FLYING = 1, 4


def say(**values):
    print(json.dumps(values), flush=True)


def derive(key, label, context=b""):
    return hashlib.blake2b(label.encode().ljust(16, b"\0") + context, key=key, digest_size=32).digest()


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, form):
        values = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return values if len(values) > 1 else values[0]

    def text(self, form="H"):
        size = self.take(form)
        data = self.data[self.at:self.at + size]
        if len(data) != size:
            raise ValueError("text cut off")
        self.at += size
        return data.decode()

    def optional(self):
        known, value = self.take("?d")
        return value if known else None

    def end(self):
        if self.at != len(self.data):
            raise ValueError("%d bytes too many" % (len(self.data) - self.at))


class Ticket:
    def __init__(self, line):
        words = line.split()
        if words[0] != "uavlink-channel":
            raise ValueError("not a ticket")
        if int(words[1]) != VERSION:
            raise ValueError("version %s" % words[1])
        fields = dict(word.split("=", 1) for word in words[2:])
        self.session = int(fields["session"], 16)
        self.key = bytes.fromhex(fields["key"])
        self.udp, self.tcp, self.vehicle = int(fields["udp"]), int(fields["tcp"]), fields["vehicle"]


class Cipher:
    """Seals one way and opens the other."""

    def __init__(self, session, key, random, sending=UP):
        self.session, self.sending = session, sending
        self.keys = {UP: derive(key, "uavlink up 1", random), DOWN: derive(key, "uavlink down 1", random)}
        self.next, self.newest, self.seen, self.opened = 1, 0, set(), 0

    def seal(self, payload):
        header = struct.pack("<QQ", self.session, self.next)
        nonce = struct.pack("<IQ", self.sending, self.next)
        self.next += 1
        return header + crypto_aead_chacha20poly1305_ietf_encrypt(payload, header, nonce, self.keys[self.sending])

    def open(self, frame):
        session, number = struct.unpack_from("<QQ", frame)
        if session != self.session or number == 0 or number in self.seen or number + 4096 <= self.newest:
            return None, number
        way = DOWN if self.sending == UP else UP
        try:
            payload = crypto_aead_chacha20poly1305_ietf_decrypt(
                frame[16:], frame[:16], struct.pack("<IQ", way, number), self.keys[way])
        except CryptoError:
            return None, number
        self.newest = max(self.newest, number)
        self.seen.add(number)
        self.seen = {n for n in self.seen if n + 4096 > self.newest}
        self.opened += 1
        return payload, number


def read_welcome(key, frame, random):
    payload = crypto_aead_xchacha20poly1305_ietf_decrypt(
        frame[40:], frame[:40], frame[16:40], derive(key, "uavlink welcome"))
    kind, version, accepted, echo, t1, t2, t3 = struct.unpack_from("<BH?24sqqq", payload)
    if kind != 2 or echo != random:
        raise ValueError("not our welcome")
    return version, accepted, t1, t2, t3


def read_state(reader):
    value = {"sent": reader.take("q")}
    parts = reader.take("B")
    if parts & 1:
        value["pose"] = {"age_us": reader.take("I"), "frame": reader.text(), "position": reader.take("ddd"),
                         "heading": reader.take("d")}
    if parts & 2:
        value["velocity"] = {"age_us": reader.take("I"), "value": reader.take("ddd")}
    if parts & 4:
        value["height"] = {"age_us": reader.take("I"), "value": reader.take("d")}
    if parts & 8:
        value["flight"] = dict(zip(("age_us", "state", "switches"), reader.take("IBB")))
    reader.end()
    return value


def read_details(reader):
    value = {"sent": reader.take("q")}
    parts = reader.take("B")
    if parts & 1:
        value["battery"] = {"age_us": reader.take("I"), "volts": reader.take("d"), "amperes": reader.optional(),
                            "rest": reader.optional()}
    if parts & 2:
        value["gnss"] = {"age_us": reader.take("I"), "quality": reader.take("b"), "place": reader.take("ddd"),
                         "accuracy": reader.optional()}
    if parts & 4:
        value["tracker"] = {"age_us": reader.take("I"), "tracker": reader.text(), "controller": reader.text(),
                            "flags": reader.take("B"), "samples": reader.take("II")}
    if parts & 8:
        value["estimator"] = {"age_us": reader.take("I"), "name": reader.text(), "ceiling": reader.optional()}
    reader.end()
    return value


def read_trace(reader):
    sent, wall, oldest, first = reader.take("q"), reader.take("q"), reader.take("Q"), reader.take("Q")
    shapes = {1: "QqqqB", 2: "Qqqqq", 3: "Qqq?q", 4: "Iq", 5: "Qq"}
    records = []
    while reader.at < len(reader.data):
        kind = reader.take("B")
        if kind not in shapes:
            break
        records.append([kind] + [reader.take(part) for part in shapes[kind]])
    return {"sent": sent, "wall": wall, "oldest": oldest, "first": first, "records": records}


def read_extras(reader):
    value = {"sent": reader.take("q")}
    parts = reader.take("B")
    if parts & 1:
        value["range"] = {"age_us": reader.take("I"), "value": reader.take("d")}
    if parts & 2:
        age, count = reader.take("IB")
        if count > 32:
            raise ValueError("%d rates" % count)
        value["rates"] = {"age_us": age, "topics": {}}
        for _ in range(count):
            name = reader.text()
            value["rates"]["topics"][name] = [millihertz / 1000 for millihertz in reader.take("II")]
    if parts & 4:
        age, count, newest = reader.take("IQB")
        if newest not in range(1, 7):
            raise ValueError("rejected value %d" % newest)
        value["rejected"] = {"age_us": age, "count": count, "newest": newest}
    if parts & 8:
        value["capabilities"] = read_capabilities(reader)
    if parts & 16:
        conditions = [reader.take("B") for _ in range(reader.take("B"))]
        if len(conditions) != len(value.get("rates", {"topics": []})["topics"]):
            raise ValueError("%d conditions" % len(conditions))
        value["conditions"] = conditions
    if parts & 32:
        kind, behind = reader.take("Bq")
        value["stamps"] = {"clock": kind, "behind_ns": behind}
    if parts & 64:
        value["battery"] = {"age_us": reader.take("I"), "remaining": reader.take("d")}
    if not parts & ~127:
        reader.end()
    return value


def read_capabilities(reader):
    machine = reader.text()
    commands, destinations, axes, frames, unit = reader.take("IBBBB")
    speeds = reader.take("ddd")
    telemetry, survey, points = reader.take("HBI")
    if not 0 < len(machine.encode()) <= 64 or unit > 1 or any(not 0 <= speed <= 1000 for speed in speeds):
        raise ValueError("capabilities of '%s'" % machine)
    if axes & 15 and (not frames & 3 or unit == 1 and not any(speeds)):
        raise ValueError("steering of '%s'" % machine)
    return {"machine": machine, "commands": commands, "destinations": destinations, "axes": axes, "frames": frames,
            "unit": unit, "speeds": speeds, "telemetry": telemetry, "survey": survey, "points": points}


def read_messages(reader):
    value = {"sent": reader.take("q"), "messages": []}
    while reader.at < len(reader.data):
        number, age, severity = reader.take("QIB")
        value["messages"].append({"number": number, "age_us": age, "severity": severity, "text": reader.text()})
    return value


def read_control(reader):
    sent, flags, held = reader.take("qBQ")
    value = {"sent": sent, "held": bool(flags & 1), "yours": bool(flags & 2), "steering": bool(flags & 4),
             "held_us": held, "name": reader.text(), "ending": reader.text()}
    reader.end()
    return value


def read_answer(reader):
    value = dict(zip(("id", "status"), reader.take("QB")))
    if value["status"] == 0:
        flags = reader.take("B")
        value.update(accepted=bool(flags & 1), modified=bool(flags & 2), message=reader.text("I"))
    else:
        value.update(what=reader.text("I"), hint=reader.text("I"))
    reader.end()
    return value


def read_question_answer(reader):
    value = dict(zip(("id", "status"), reader.take("QB")))
    if value["status"]:
        value.update(what=reader.text("I"), hint=reader.text("I"))
        reader.end()
        return value
    code = reader.take("B")
    if code == ENVELOPE:
        parts = reader.take("B")
        if parts & 1:
            value["limits"] = [reader.take("ddd") for _ in range(4)]
        if parts & 2:
            value["origin"] = reader.take("dddB")
    elif code == MAPS:
        value["maps"] = []
        for _ in range(reader.take("H")):
            topic, frame = reader.text(), reader.text()
            known, points = reader.take("?I")
            value["maps"].append({"topic": topic, "frame": frame, "points": points if known else None})
    elif code == MAP:
        data = reader.data[reader.at:]
        reader.at = len(reader.data)
        value.update(bytes=len(data), head=data[:11].decode("latin-1"),
                     sum=sum((place + 1) * byte for place, byte in enumerate(data)) % 2**32)
    elif code == WISH:
        value.update(granted=reader.take("?"), message=reader.text())
    elif code == WORLD:
        kind, why = reader.take("BB")
        value.update(world=kind, why=why, path=reader.text(), details=reader.text())
        if kind < 3:
            value["file"] = reader.data[reader.at:].decode()
            reader.at = len(reader.data)
    else:
        raise ValueError("answer code %d" % code)
    reader.end()
    return value


class Ground:
    def __init__(self, ticket, host, carrier):
        self.ticket, self.carrier = ticket, carrier
        self.random = os.urandom(24)
        self.cipher = Cipher(ticket.session, ticket.key, self.random)
        self.buffer = b""
        if carrier == "udp":
            self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            self.socket.connect((host, ticket.udp))
        else:
            self.socket = socket.create_connection((host, ticket.tcp), timeout=20 * PACE)
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.is_open = False
        self.echo = None
        self.exchanges = []
        self.telemetry = {}
        self.messages = []
        self.messages_seen = 0
        self.counts = None
        self.answers = {}
        self.received = set()
        self.states = 0
        self.setpoint = 0
        self.command = 0
        self.next_heartbeat = 0
        self.control = None
        self.newest = {STATE: 0, DETAILS: 0, EXTRAS: 0, CONTROL: 0, HEARTBEAT: 0}
        self.transfer = None
        self.coming = None

    def now(self):
        return time.monotonic_ns()

    def send(self, frame):
        self.socket.sendall(frame if self.carrier == "udp" else struct.pack("<H", len(frame)) + frame)

    def frames(self, wait):
        if not select.select([self.socket], [], [], max(0, wait))[0]:
            return
        if self.carrier == "udp":
            yield self.socket.recv(2048)
            return
        data = self.socket.recv(65536)
        if not data:
            raise ConnectionError("the companion closed the connection")
        self.buffer += data
        while len(self.buffer) >= 2:
            size = struct.unpack_from("<H", self.buffer)[0]
            if len(self.buffer) < 2 + size:
                return
            frame, self.buffer = self.buffer[2:2 + size], self.buffer[2 + size:]
            yield frame

    def open(self, timeout=20):
        header = struct.pack("<QQ", self.ticket.session, 0) + self.random
        hello = struct.pack("<BHq", 1, VERSION, self.now())
        frame = header + crypto_aead_xchacha20poly1305_ietf_encrypt(
            hello, header, self.random, derive(self.ticket.key, "uavlink hello"))
        end, wait = time.monotonic() + timeout * PACE, 0.1
        while time.monotonic() < end:
            self.send(frame)
            for answer in self.frames(wait):
                if answer[8:16] != bytes(8):
                    continue
                version, accepted, t1, t2, t3 = read_welcome(self.ticket.key, answer, self.random)
                if not accepted:
                    raise ValueError("the companion speaks version %d" % version)
                now = self.now()
                self.note(t1, t2, t3, now)
                self.echo = (t3, now)
                self.is_open = True
                return
            wait = min(0.8, wait * 2)
        raise TimeoutError("no welcome")

    def note(self, t1, t2, t3, t4):
        trip = (t4 - t1) - (t3 - t2)
        if trip >= 0:
            self.exchanges.append((trip, ((t2 - t1) + (t3 - t4)) // 2))

    def run(self, seconds, until=None):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if time.monotonic() >= self.next_heartbeat:
                self.heartbeat()
            for frame in self.frames(min(end, self.next_heartbeat) - time.monotonic()):
                payload, number = self.cipher.open(frame)
                if payload is not None:
                    self.take(payload, number)
            if self.transfer:
                self.send_fragments()
            if until and until():
                return True
        return not until

    def heartbeat(self):
        self.next_heartbeat = time.monotonic() + 0.1
        echo, self.echo = self.echo, None
        self.send(self.cipher.seal(struct.pack(
            "<BBqqqQQQQQQQ", HEARTBEAT, 1 | (2 if echo else 0), self.now(), *(echo or (0, 0)), self.cipher.newest,
            self.cipher.opened, 0, 0, 0, 0, self.messages_seen)))

    def take(self, payload, number):
        reader = Reader(payload)
        kind = reader.take("B")
        if kind in self.newest:
            if number <= self.newest[kind]:
                return
            self.newest[kind] = number
        if kind == HEARTBEAT:
            flags, sent, t1, t2, _, _, *counts, _ = reader.take("BqqqQQQQQQQ")
            now = self.now()
            if flags & 2:
                self.note(t1, t2, sent, now)
            self.echo = (sent, now)
            self.counts = counts
        elif kind == STATE:
            self.telemetry.update(read_state(reader))
            self.states += 1
        elif kind == DETAILS:
            self.telemetry.update(read_details(reader))
        elif kind == EXTRAS:
            self.telemetry.update(read_extras(reader))
        elif kind == MESSAGES:
            for message in read_messages(reader)["messages"]:
                if message["number"] > self.messages_seen:
                    self.messages_seen = message["number"]
                    self.messages.append(message["text"])
        elif kind == CONTROL:
            self.control = read_control(reader)
        elif kind == RECEIVED:
            self.received.add(reader.take("Q"))
        elif kind == ANSWER:
            answer = read_answer(reader)
            self.answers[answer["id"]] = answer
        elif kind == QUESTION_ANSWER:
            answer = read_question_answer(reader)
            self.answers[answer["id"]] = answer
        elif kind == FRAGMENT:
            self.take_fragment(reader)
        elif kind == FRAGMENT_RECEIVED:
            transfer, missing, *bits = reader.take("QIQQQQ")
            if self.transfer and self.transfer["id"] == transfer:
                self.transfer["missing"], self.transfer["bits"] = missing, bits
        elif kind == GOODBYE:
            raise ConnectionError("the companion said goodbye")

    def take_fragment(self, reader):
        number, size, index = reader.take("QII")
        if not self.coming or self.coming["id"] != number:
            if number in self.answers:
                self.send(self.cipher.seal(struct.pack("<BQB", FRAGMENT_REFUSED, number, 3)))
                return
            self.coming = {"id": number, "parts": {}}
        parts, count = self.coming["parts"], (size + 1099) // 1100
        parts[index] = reader.data[reader.at:]
        missing = next((place for place in range(count) if place not in parts), count)
        bits = sum(1 << ahead for ahead in range(256) if missing + ahead in parts)
        self.send(self.cipher.seal(
            struct.pack("<BQI", FRAGMENT_RECEIVED, number, missing) + bits.to_bytes(32, "little")))
        if missing == count and number not in self.answers:
            whole = b"".join(parts[place] for place in range(count))
            inner = Reader(whole)
            answer = {ANSWER: read_answer, QUESTION_ANSWER: read_question_answer}[inner.take("B")](inner)
            assert answer["id"] == number and len(whole) == size
            self.answers[number] = answer

    def steer(self, x, y, z, rate, validity=0.2, body=True):
        self.setpoint += 1
        self.send(self.cipher.seal(struct.pack(
            "<BQqIBdddd", STEERING, self.setpoint, self.now(), int(validity * 1e6), int(body), x, y, z, rate)))

    def ask(self, code, body=b"", seconds=20):
        return self.perform(code, body, seconds, kind=QUESTION)

    def take_command(self, name=b"peer"):
        answer = self.ask(WISH, struct.pack("<BH", 1, len(name)) + name + struct.pack("<H", 0))
        if not answer.get("granted"):
            raise ValueError("command was refused: %s" % answer)

    def perform(self, code, body=b"", seconds=5, kind=COMMAND):
        self.command += 1
        number, deadline = self.command, self.now() + int(seconds * 1e9)
        wait = 0.05
        while self.now() < deadline:
            left = (deadline - self.now()) // 1000
            content = struct.pack("<BQqI", kind, number, deadline, left)
            content += struct.pack("<QB", self.setpoint, code) if kind == COMMAND else struct.pack("<B", code)
            content += body
            if number in self.received:
                self.send(self.cipher.seal(struct.pack("<BQ", QUERY, number)))
                wait = 0.2
            elif len(content) <= 1168:
                self.send(self.cipher.seal(content))
            elif not self.transfer or self.transfer["id"] != number:
                self.transfer = {"id": number, "data": content, "missing": 0, "bits": [0] * 4}
            if self.run(wait, lambda: number in self.answers):
                self.transfer = None
                return self.answers[number]
            wait = min(1, wait * 2)
        raise TimeoutError("no answer to command %d" % number)

    def send_fragments(self):
        data, missing, bits = self.transfer["data"], self.transfer["missing"], self.transfer["bits"]
        count = (len(data) + 1099) // 1100
        for ahead in range(min(8, count - missing)):
            if bits[ahead // 64] >> (ahead % 64) & 1:
                continue
            index = missing + ahead
            self.send(self.cipher.seal(
                struct.pack("<BQII", FRAGMENT, self.transfer["id"], len(data), index)
                + data[1100 * index:1100 * index + 1100]))

    def goodbye(self):
        self.send(self.cipher.seal(struct.pack("<B", GOODBYE)))
        self.socket.close()


def fly(ground):
    ground.open()
    say(event="open", vehicle=ground.ticket.vehicle)
    ground.run(20 * PACE, lambda: "pose" in ground.telemetry and "tracker" in ground.telemetry and len(ground.exchanges) > 1)
    trip, offset = min(ground.exchanges)
    say(event="telemetry", telemetry=ground.telemetry, messages=ground.messages, round_trip_us=trip / 1000)
    say(event="envelope", answer=ground.ask(ENVELOPE))
    say(event="world", answer=ground.ask(WORLD, struct.pack("<Q", 0)))
    maps = ground.ask(MAPS)
    say(event="maps", answer=maps)
    topic = maps["maps"][0]["topic"].encode()
    say(event="map", answer=ground.ask(MAP, struct.pack("<H", len(topic)) + topic + struct.pack("<dI", 0.1, 100000)))
    say(event="takeoff", answer=ground.perform(TAKE_OFF))
    before, states, start = ground.setpoint, ground.states, time.monotonic()
    for step in range(50):
        ground.steer(1 + step, 0.5, -0.25, 0.1)
        ground.run(0.01)
    # Each is counted, and reported with the next heartbeat.
    ground.run(20 * PACE, lambda: sum(ground.counts) >= ground.setpoint - before)
    say(event="steered", sent=ground.setpoint - before, applied=ground.counts[0], stale=ground.counts[1],
        superseded=ground.counts[2], refused=ground.counts[3],
        states_hz=(ground.states - states) / (time.monotonic() - start))
    say(event="hover", answer=ground.perform(HOVER))
    name = b"world_origin"
    place = struct.pack("<BH", 0, len(name)) + name + struct.pack("<dddd", 10, -5, 3, 0.5)
    say(event="goto", answer=ground.perform(GOTO, place))
    points = b"".join(struct.pack("<dddd", 0.1 * n, 1, 2, 0.5) for n in range(300))
    path = struct.pack("<H", len(name)) + name + struct.pack("<dBI", 0.2, 1, 300) + points
    say(event="trajectory", answer=ground.perform(UPLOAD, path))
    say(event="land", answer=ground.perform(LAND))
    ground.goodbye()
    say(done=True)


def fly_whole(ground):
    """A flight of a vehicle that does as commanded: each step is waited for in its telemetry."""
    ground.open()
    say(event="open", vehicle=ground.ticket.vehicle)

    def wait(what, seconds, condition):
        seconds *= PACE
        if not ground.run(seconds, condition):
            raise TimeoutError("not within %d s: %s; %s" % (seconds, what, ground.telemetry))

    def must(name, code, body=b"", refused=0):
        """It may be refused for so many seconds."""
        until = time.monotonic() + refused * PACE
        while True:
            answer = ground.perform(code, body, 20 * PACE)
            if answer.get("accepted"):
                return say(event=name, answer=answer)
            if time.monotonic() >= until:
                raise ValueError("%s: %s" % (name, answer))
            ground.run(0.3)

    def state():
        return ground.telemetry.get("flight", {}).get("state")

    wait("telemetry and clock", 20, lambda: "pose" in ground.telemetry and state() and len(ground.exchanges) > 3)
    say(event="telemetry", telemetry=ground.telemetry)
    must("arm", ARM, b"\1")
    must("output", OUTPUT, b"\1")
    until = time.monotonic() + 20 * PACE
    while not ground.perform(OFFBOARD).get("accepted"):
        if time.monotonic() > until:
            raise TimeoutError("offboard was refused to the end")
        ground.run(0.3)
    # The take-off goes by the autopilot's status, which follows its answers.
    must("takeoff", TAKE_OFF, refused=20)
    wait("flying", 60, lambda: state() == FLYING)
    # Without command, and then without a neutral beginning, the companion passes nothing on.
    applied = ground.counts[0]
    for speed in (0, 1):
        refused = ground.counts[3]
        for _ in range(10):
            ground.steer(speed, 0, 0, 0)
            ground.run(0.02)
        wait("the refusals", 10, lambda: ground.counts[3] > refused)
        wait("who flies", 10, lambda: ground.control and ground.control["yours"] == bool(speed))
        ground.take_command()
        wait("that it is this ground", 10, lambda: ground.control["yours"])
    if ground.counts[0] != applied:
        raise ValueError("setpoints were applied without command or a neutral beginning")
    start = ground.telemetry["pose"]["position"]
    until = time.monotonic() + 60 * PACE
    while ground.telemetry["pose"]["position"][0] < start[0] + 1:
        if time.monotonic() > until:
            raise TimeoutError("steering has no effect: %s" % ground.telemetry)
        # A pause of a busy machine can outlast the lease, which costs command: then a new run begins, neutral again.
        ground.take_command()
        for step in range(50):
            ground.steer(0 if step < 3 else 1, 0, 0, 0, validity=0.4, body=False)
            ground.run(0.02)
    end = ground.telemetry["pose"]["position"]
    say(event="steered", moved=[b - a for a, b in zip(start, end)], applied=ground.counts[0] - applied)
    must("hover", HOVER)
    must("land", LAND)
    wait("the ground", 60, lambda: state() == DISARMED)
    say(event="landed", telemetry=ground.telemetry)
    ground.goodbye()
    say(done=True)


def check_vectors(path):
    vectors = {}
    inside = False
    for line in open(path, encoding="utf-8"):
        if line.startswith("```"):
            inside = not inside
        elif inside and ": " in line:
            name, value = line.rstrip("\n").split(": ", 1)
            vectors[name] = value
    ticket = Ticket(vectors["ticket"])
    random = bytes(range(0x40, 0x58))
    for name in ("hello", "welcome"):
        assert derive(ticket.key, "uavlink " + name).hex() == vectors["key " + name], name
    version, accepted, t1, t2, t3 = read_welcome(ticket.key, bytes.fromhex(vectors["welcome"]), random)
    assert (version, accepted, t1, t2, t3) == (1, True, 10**9, 5 * 10**9, 5 * 10**9 + 10**5)
    ground = Cipher(ticket.session, ticket.key, random, UP)
    vehicle = Cipher(ticket.session, ticket.key, random, DOWN)
    readers = {STATE: read_state, DETAILS: read_details, MESSAGES: read_messages, EXTRAS: read_extras, TRACE: read_trace,
               ANSWER: read_answer, QUESTION_ANSWER: read_question_answer, CONTROL: read_control}
    for name, value in vectors.items():
        if not name.startswith(("up ", "down ")):
            continue
        payload, number = (vehicle if name.startswith("up") else ground).open(bytes.fromhex(value))
        assert payload is not None, name
        reader = Reader(payload)
        kind = reader.take("B")
        say(vector=name, number=number, kind=kind, value=readers[kind](reader) if kind in readers else payload.hex())
    # What is sealed here from the document's words must be the document's bytes.
    again = Cipher(ticket.session, ticket.key, random, UP)
    again.next = 2
    frame = again.seal(struct.pack("<BQqIBdddd", STEERING, 1, 1001000000, 200000, 1, 1.5, -2, 0.5, 0.25))
    assert frame.hex() == vectors["up 2 steering"]
    say(done=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--carrier", choices=("udp", "tcp"), default="udp")
    parser.add_argument("--vectors", metavar="DOCUMENT")
    parser.add_argument("--whole", action="store_true")
    options = parser.parse_args()
    if options.vectors:
        return check_vectors(options.vectors)
    ground = Ground(Ticket(sys.stdin.readline()), options.host, options.carrier)
    return fly_whole(ground) if options.whole else fly(ground)


if __name__ == "__main__":
    main()
