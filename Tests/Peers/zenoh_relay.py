#!/usr/bin/env python3
"""Stands between a client and a Zenoh router, looks at all that the client sends, and makes trouble, for tests.

    zenoh_relay.py PORT ROUTER_PORT

Both ports are of the loopback. Commands come as lines of standard input, each is answered by a line:

    pass                 no trouble from now on; connections that were frozen are closed
    delay                what the router sends comes 0.3 s late
    late                 what clients send comes 0.3 s late
    duplicate            every batch of the router comes twice
    alias                keys of publications are replaced by aliases, which are declared before
    fragment             every publication comes in two fragments
    garbage              the client gets bytes that are no message, once
    cut                  connections are closed, once
    dead                 connections are closed, and new ones too
    frozen               nothing passes any more, connections stay open
    forget               what clients have declared until now is withdrawn at the router, once, and they are not told
    swallow              what clients declare does not reach the router
    report               report CONNECTIONS PUBLICATIONS REQUESTS FAULTS DECLARATIONS: what clients have sent, and how much of it
                         has no right attachment, with a line for each of the first faults before

An attachment has 33 bytes: a number that counts the messages of its sender, the present time, and a sender that stands for one
topic or service only. A reply has that of its request.

It shares no code with the programs that it tests. It decodes what facts about the protocol of Zenoh 1.x say.
"""

import queue
import socket
import struct
import sys
import threading
import time

PORT, ROUTER = int(sys.argv[1]), int(sys.argv[2])
MASK = 0x0FFFFFFF
lock = threading.Lock()
mode = "pass"
connections = []
counts = {"connections": 0, "publications": 0, "requests": 0, "faults": 0, "declarations": 0}
faults = []
senders = {}


def number(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def byte(self):
        self.at += 1
        return self.data[self.at - 1]

    def number(self):
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte if shift == 56 else byte & 0x7F) << shift
            shift += 7
            if shift == 63 or not byte & 0x80:
                return value

    def raw(self, count):
        if self.at + count > len(self.data):
            raise IndexError(f"{count} bytes are wanted")
        self.at += count
        return self.data[self.at - count : self.at]

    def block(self):
        return self.raw(self.number())

    def key(self, header):
        scope = self.number()
        text = self.block().decode() if header & 0x20 else ""
        return (f"<{scope}>" if scope else "") + text

    def extensions(self, follow):
        """Those with a value of bytes, by their first byte."""
        found = {}
        while follow:
            header = self.byte()
            if header & 0x60 == 0x20:
                self.number()
            elif header & 0x60 == 0x40:
                found[header & 0x7F] = self.block()
            follow = header & 0x80
        return found

    def publication(self):
        """The attachment; None if there is none."""
        header = self.byte()
        if header & 0x20:
            self.number(), self.raw(self.number())
        if header & 0x1F == 1:
            if header & 0x40 and self.number() & 1:
                self.block()
            found = self.extensions(header & 0x80)
            self.block()
            return found.get(0x43)
        return self.extensions(header & 0x80).get(0x42)

    def rest_is_empty(self):
        return self.at == len(self.data)


def fault_of(kind, key, attachment):
    """Why a node of rmw_zenoh would not take it, or would take it for another one; None if it is right."""
    if attachment is None:
        return "none"
    if len(attachment) != 33 or attachment[16] != 16:
        return attachment.hex()
    sequence, stamp = struct.unpack_from("<qq", attachment)
    if sequence < 1:
        return f"the number {sequence}"
    if kind == "reply":
        return None
    if abs(stamp / 1e9 - time.time()) > 600:
        return f"the time {stamp}"
    sender = attachment[17:]
    if not any(sender):
        return "no sender"
    place, last = senders.get(sender, ((kind, key), 0))
    if place != (kind, key):
        return f"the sender of {place[1]}"
    # Calls of a client may overtake each other.
    if sequence == last or (sequence < last and kind == "publication"):
        return f"the number {sequence} after {last}"
    senders[sender] = place, max(sequence, last)
    return None


def check(kind, key, attachment):
    # Caches of advanced publishers, and what announces them, have none.
    if "@adv" in key or key.startswith("@"):
        return
    with lock:
        counts["requests" if kind == "request" else "publications"] += 1
        fault = fault_of(kind, key, attachment)
        if fault is None:
            return
        counts["faults"] += 1
        if len(faults) < 10:
            faults.append(f"{kind} of {key} with {fault}")


def look(messages):
    """Network messages of a client: where each begins and ends, and what it declares or withdraws, as (kind, number)."""
    reader = Reader(messages)
    found = []
    while not reader.rest_is_empty():
        begin = reader.at
        declares = withdraws = None
        header = reader.byte()
        kind = header & 0x1F
        if kind == 0x1D:
            key = reader.key(header)
            reader.extensions(header & 0x80)
            check("publication", key, reader.publication())
        elif kind == 0x1C:
            reader.number()
            key = reader.key(header)
            reader.extensions(header & 0x80)
            body = reader.byte()
            if body & 0x20:
                reader.byte()
            if body & 0x40:
                reader.block()
            check("request", key, reader.extensions(body & 0x80).get(0x45))
        elif kind == 0x1B:
            reader.number()
            key = reader.key(header)
            reader.extensions(header & 0x80)
            body = reader.byte()
            if body & 0x1F == 4:
                if body & 0x20:
                    reader.byte()
                reader.extensions(body & 0x80)
                check("reply", key, reader.publication())
            else:
                if body & 0x40 and reader.number() & 1:
                    reader.block()
                reader.extensions(body & 0x80)
                reader.block()
        elif kind == 0x1A:
            reader.number()
            reader.extensions(header & 0x80)
        elif kind == 0x19:
            interest = (kind, reader.number())
            if header & 0x40:
                declares = interest
            elif not header & 0x20:
                withdraws = interest
            if header & 0x60:
                options = reader.byte()
                if options & 0x10:
                    reader.key(0x20 if options & 0x20 else 0)
            reader.extensions(header & 0x80)
        elif kind == 0x1E:
            if header & 0x20:
                reader.number()
            reader.extensions(header & 0x80)
            declared = reader.byte()
            if declared & 0x1F != 0x1A:
                thing = (declared & 0x1E, reader.number())
                if declared & 0x1F in (0, 2, 4, 6):
                    declares = thing
                    reader.key(declared)
                    with lock:
                        counts["declarations"] += 1
                else:
                    withdraws = thing
            reader.extensions(declared & 0x80)
        else:
            raise ValueError(f"a message of the kind {kind:#x}")
        found.append((begin, reader.at, declares, withdraws))
    return found


def withdrawal(thing):
    kind, what = thing
    return (b"\x19" if kind == 0x19 else bytes([0x1E, kind | 1])) + number(what)


class Batches:
    def __init__(self, link):
        self.link, self.waiting = link, b""

    def __iter__(self):
        while True:
            data = self.link.recv(1 << 16)
            if not data:
                return
            self.waiting += data
            while len(self.waiting) >= 2:
                size = struct.unpack_from("<H", self.waiting)[0]
                if len(self.waiting) < 2 + size:
                    break
                batch, self.waiting = self.waiting[2 : 2 + size], self.waiting[2 + size :]
                yield batch


def framed(batch):
    return struct.pack("<H", len(batch)) + batch


class Frame:
    """A frame or a fragment: its first byte, number, extensions, and what follows."""

    def __init__(self, batch):
        reader = Reader(batch)
        self.header = reader.byte()
        self.number = reader.number()
        begin = reader.at
        reader.extensions(self.header & 0x80)
        self.extensions, self.rest = batch[begin : reader.at], batch[reader.at :]

    def bytes(self, header=None, number_=None, rest=None):
        header = self.header if header is None else header
        return bytes([header]) + number(self.number if number_ is None else number_ & MASK) + self.extensions + (
            self.rest if rest is None else rest)

    @property
    def channel(self):
        return self.header & 0x20, self.extensions[:2]


class Connection:
    def __init__(self, client):
        self.client = client
        self.router = socket.create_connection(("127.0.0.1", ROUTER))
        for link in (self.client, self.router):
            link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.is_frozen = False
        self.shift = {}
        self.sending = threading.Lock()
        self.declared = {}
        self.shift_up, self.next_up = {}, {}
        self.aliases = {}
        self.fragments = {}
        self.late, self.late_up = queue.SimpleQueue(), queue.SimpleQueue()
        for body in (
            self.to_router, self.from_router, lambda: self.hand_on(self.late, self.client),
            lambda: self.hand_on(self.late_up, self.router)):
            threading.Thread(target=self.run, args=(body,), daemon=True).start()

    def run(self, body):
        try:
            body()
        except OSError:
            pass
        self.close()

    def close(self):
        for link in (self.client, self.router):
            try:
                link.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def wait_while_frozen(self):
        while self.is_frozen:
            time.sleep(0.02)

    def to_router(self):
        for batch in Batches(self.client):
            self.wait_while_frozen()
            with self.sending:
                made = batch
                try:
                    made = self.inspected(batch)
                except (IndexError, ValueError, UnicodeDecodeError) as fault:
                    with lock:
                        counts["faults"] += 1
                        faults.append(f"cannot be decoded ({fault}): {batch[:64].hex()}")
                if made:
                    self.late_up.put((time.monotonic() + (0.3 if mode == "late" else 0), framed(made)))
        self.late_up.put((0, None))

    def inspected(self, batch):
        """What the router gets instead of a batch of the client."""
        kind = batch[0] & 0x1F
        if kind not in (5, 6):
            return batch
        frame = Frame(batch)
        if kind == 5:
            rest = b""
            for begin, end, declares, withdraws in look(frame.rest):
                if mode == "swallow" and (declares or withdraws):
                    continue
                rest += frame.rest[begin:end]
                if declares:
                    self.declared[declares] = True
                self.declared.pop(withdraws, None)
            if not rest:
                self.shift_up[frame.channel] = self.shift_up.get(frame.channel, 0) - 1
                return b""
            frame.rest = rest
        else:
            parts = self.fragments.setdefault(frame.channel[0], [])
            parts.append(frame.rest)
            if not frame.header & 0x40:
                look(b"".join(parts))
                parts.clear()
        frame.number = (frame.number + self.shift_up.get(frame.channel, 0)) & MASK
        self.next_up[frame.channel] = frame.number + 1
        return frame.bytes()

    def forget(self):
        channel = (0x20, b"")
        with self.sending:
            if self.declared:
                made = b"".join(withdrawal(thing) for thing in self.declared)
                self.declared = {}
                self.shift_up[channel] = self.shift_up.get(channel, 0) + 1
                next_ = self.next_up.get(channel, 0)
                self.next_up[channel] = next_ + 1
                self.late_up.put((0, framed(b"\x25" + number(next_ & MASK) + made)))

    def from_router(self):
        for batch in Batches(self.router):
            now = mode
            for made in self.changed(batch, now):
                self.late.put((time.monotonic() + (0.3 if now == "delay" else 0), framed(made)))
        self.late.put((0, None))

    def hand_on(self, made_late, link):
        while True:
            due, made = made_late.get()
            if made is None:
                return
            time.sleep(max(0, due - time.monotonic()))
            self.wait_while_frozen()
            link.sendall(made)

    def changed(self, batch, now):
        if batch[0] & 0x1F not in (5, 6):
            return [batch]
        frame = Frame(batch)
        frame.number = (frame.number + self.shift.get(frame.channel, 0)) & MASK
        if frame.header & 0x1F == 5:
            if now == "alias":
                return [frame.bytes(rest=self.with_alias(frame.rest))]
            if now == "fragment" and self.publication(frame.rest):
                middle = len(frame.rest) // 2
                header = frame.header & 0xA0 | 6
                self.shift[frame.channel] = self.shift.get(frame.channel, 0) + 1
                return [
                    frame.bytes(header | 0x40, frame.number, frame.rest[:middle]),
                    frame.bytes(header, frame.number + 1, frame.rest[middle:])]
        return [frame.bytes()] * (2 if now == "duplicate" else 1)

    @staticmethod
    def publication(messages):
        """The key and the end of it, when these are one publication with a whole key."""
        reader = Reader(messages)
        header = reader.byte()
        if header & 0x3F != 0x3D or reader.number() != 0:
            return None
        key = reader.block()
        end = reader.at
        reader.extensions(header & 0x80)
        reader.publication()
        return (key, end) if reader.rest_is_empty() else None

    def with_alias(self, messages):
        found = self.publication(messages)
        if found is None:
            return messages
        key, end = found
        declared = b""
        if key not in self.aliases:
            self.aliases[key] = len(self.aliases) + 1
            declared = b"\x1e\x20" + number(self.aliases[key]) + b"\x00" + number(len(key)) + key
        return declared + bytes([messages[0] & 0x80 | 0x5D]) + number(self.aliases[key]) + messages[end:]


def accept(listener):
    while True:
        client, _ = listener.accept()
        if mode == "dead":
            client.close()
            continue
        try:
            made = Connection(client)
        except OSError:
            client.close()
            continue
        with lock:
            counts["connections"] += 1
            connections.append(made)


def main():
    global mode
    listener = socket.create_server(("127.0.0.1", PORT))
    threading.Thread(target=accept, args=(listener,), daemon=True).start()
    print("ready", flush=True)
    for line in sys.stdin:
        command = line.strip()
        with lock:
            present = list(connections)
        if command == "report":
            with lock:
                for fault in faults:
                    print("fault", fault)
                print("report", *counts.values(), flush=True)
            continue
        if command == "garbage":
            for connection in present:
                try:
                    connection.client.sendall(framed(b"\xff" * 5))
                except OSError:
                    pass
        elif command == "forget":
            for connection in present:
                connection.forget()
        elif command in ("cut", "dead"):
            if command == "dead":
                mode = command
            for connection in present:
                connection.close()
        elif command == "frozen":
            mode = command
            for connection in present:
                connection.is_frozen = True
        else:
            mode = command
            for connection in present:
                if connection.is_frozen:
                    connection.close()
                    connection.is_frozen = False
        print("now", command, flush=True)


main()
