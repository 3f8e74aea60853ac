#!/usr/bin/env python3
"""The AR.Drone 2's protocol, both sides, written from its description alone: shares nothing with the Swift code.

  ardrone_peer.py drone                      is a drone: prints {"event": "ports", ...}, then what it obeys
  ardrone_peer.py ground AT NAVDATA CONTROL  flies the drone on these ports of 127.0.0.1, and prints what it saw

Each line is a JSON object. It ends with {"event": "done"} and 0, or by itself after 60 s,
times the pace of the machine.
"""
import json
import os
import select
import socket
import struct
import sys
import time

# How much longer this machine takes than a usual one: see MachinePace in Tests/IntegrationKit.
PACE = max(1.0, float(os.environ.get("UAVLINK_TEST_PACE", "1")))
LIMIT = 60 * PACE
HOST = "127.0.0.1"


def say(event, **values):
    print(json.dumps({"event": event, **values}), flush=True)


def bits(value):
    return struct.unpack("<i", struct.pack("<f", value))[0]


def number(text):
    return struct.unpack("<f", struct.pack("<i", int(text)))[0]


def udp():
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sock.bind((HOST, 0))
    sock.setblocking(False)
    return sock


class Drone:
    """Bootstrap, acknowledgement, watchdog, sequence, levels and edges; it climbs and lands by timers."""

    CONFIG = {"general:num_version_soft": "2.4.8", "general:navdata_demo": "TRUE",
              "general:navdata_options": "65537", "control:euler_angle_max": "2.0943952e-01",
              "control:control_vz_max": "7.0000000e+02", "control:control_yaw": "1.7453293e+00"}

    def __init__(self):
        self.at, self.nav = udp(), udp()
        self.tcp = socket.create_server((HOST, 0))
        self.clients = []
        self.ground = None
        self.last = self.navdata = 0
        self.bootstrap, self.ack, self.watchdog, self.emergency, self.held = True, False, True, False, False
        self.major, self.until, self.height = 2, 0.0, 0.0
        self.heard = 0.0
        self.moved = set()

    def obey(self, line, now):
        name, _, rest = line.partition("=")
        parts = rest.split(",", 1)
        sequence = int(parts[0])
        if sequence != 1 and sequence <= self.last:
            return
        self.last, self.heard = sequence, now
        values = parts[1].split(",") if len(parts) > 1 else []
        if name == "AT*REF":
            word = int(values[0])
            edge = bool(word & 256)
            if edge and not self.held:
                self.emergency, self.major = not self.emergency, 2 if self.emergency else 0
                say("emergency", on=self.emergency)
            self.held = edge
            if not edge and not self.emergency:
                if word & 512 and self.major == 2:
                    self.major, self.until = 6, now + 1
                    say("takeoff")
                elif not word & 512 and self.major in (3, 4, 6):
                    self.major, self.until = 8, now + 1
                    say("land")
        elif name == "AT*PCMD" and self.major in (3, 4):
            flag, sticks = int(values[0]), [number(value) for value in values[1:5]]
            self.major = 3 if flag & 1 else 4
            word = (flag, [round(value, 3) for value in sticks])
            if str(word) not in self.moved:
                self.moved.add(str(word))
                say("sticks", flag=word[0], sticks=word[1])
        elif name == "AT*COMWDG":
            self.watchdog = False
        elif name == "AT*CTRL":
            if values[0] == "5":
                self.ack = False
            elif values[0] == "4":
                text = "".join(f"{key} = {value}\n" for key, value in self.CONFIG.items()).encode() + b"\0"
                for client in self.clients:
                    client.sendall(text[:50])
                    client.sendall(text[50:])
        elif name == "AT*CONFIG" and not self.ack:
            key, value = [part.strip('"') for part in parts[1].split(",", 1)]
            self.CONFIG[key] = value
            self.ack = True
            if key == "general:navdata_demo":
                self.bootstrap = False
            say("config", key=key, value=value)

    def packet(self):
        state = 0x0F800090 | self.ack << 6 | self.bootstrap << 11 | self.watchdog << 30 | self.emergency << 31
        state |= self.major in (3, 4, 6, 8)
        self.navdata += 1
        data = struct.pack("<IIII", 0x55667788, state, self.navdata, 1)
        if not self.bootstrap:
            demo = struct.pack("<HHIIfffifff", 0, 148, self.major << 16, 77, 0, 0, 0, int(self.height * 1000), 0, 0, 0)
            data += demo + bytes(148 - len(demo)) + struct.pack("<HHI", 28, 8, 1)
        return data + struct.pack("<HHI", 0xFFFF, 8, sum(data) & 0xFFFFFFFF)

    def run(self):
        say("ports", at=self.at.getsockname()[1], navdata=self.nav.getsockname()[1],
            control=self.tcp.getsockname()[1])
        begun, due, landings = time.monotonic(), 0.0, 0
        while time.monotonic() - begun < LIMIT:
            ready, _, _ = select.select([self.at, self.nav, self.tcp], [], [], 0.01)
            now = time.monotonic()
            if self.tcp in ready:
                self.clients.append(self.tcp.accept()[0])
            if self.nav in ready:
                _, self.ground = self.nav.recvfrom(64)
            while self.at in ready:
                try:
                    data = self.at.recv(2048)
                except BlockingIOError:
                    break
                assert len(data) <= 1024 and data.endswith(b"\r"), data
                for line in data.decode("ascii").split("\r")[:-1]:
                    self.obey(line, now)
            if now - self.heard > 0.05 and not self.watchdog:
                self.watchdog, self.navdata = True, 0
            if self.major == 6 and now > self.until:
                self.major, self.height = 4, 1.0
            if self.major == 8 and now > self.until:
                self.major, self.height = 2, 0.0
                landings += 1
            if self.ground and now >= due:
                due = now + 0.02
                self.nav.sendto(self.packet(), self.ground)
            if landings and now > self.until + 1:
                say("done")
                return 0
        return 1


class Ground:
    """Opens from the bootstrap, takes off, flies forward and back by the sign of pitch, cuts nothing, lands."""

    def __init__(self, at, nav, control):
        self.at, self.nav = udp(), udp()
        self.peers = (HOST, at), (HOST, nav)
        self.tcp = socket.create_connection((HOST, control), 5)
        self.sequence = 0
        self.state, self.demo, self.newest, self.tags = 0, None, 0, []
        self.sent = 0.0

    def command(self, name, *arguments):
        self.sequence += 1
        text = ",".join([f"AT*{name}={self.sequence}", *map(str, arguments)]) + "\r"
        self.at.sendto(text.encode("ascii"), self.peers[0])

    def read(self):
        while True:
            try:
                data = self.nav.recv(8192)
            except BlockingIOError:
                return
            magic, state, sequence, _ = struct.unpack_from("<IIII", data)
            assert magic == 0x55667788
            if sequence <= self.newest and not state & (1 << 30 | 1 << 11):
                continue
            self.newest, self.state = sequence, state
            offset, tags = 16, []
            while True:
                tag, size = struct.unpack_from("<HH", data, offset)
                if tag == 0xFFFF:
                    total, = struct.unpack_from("<I", data, offset + 4)
                    assert total == sum(data[:offset]) and offset + 8 == len(data)
                    break
                tags.append(tag)
                if tag == 0:
                    self.demo = struct.unpack_from("<IIfffifff", data, offset + 4)
                offset += size
            self.tags = tags

    def until(self, what, condition, pcmd=(0, 0, 0, 0, 0), ref=None, seconds=20):
        end = time.monotonic() + seconds * PACE
        while time.monotonic() < end:
            self.read()
            if condition():
                return
            if self.state >> 30 & 1:
                self.command("COMWDG")
            if ref is not None:
                self.command("REF", ref)
            self.command("PCMD", *pcmd)
            time.sleep(0.02)
        raise SystemExit(f"not within {seconds * PACE} s: {what}; state {self.state:#x}, demo {self.demo}")

    def major(self):
        return self.demo[0] >> 16 if self.demo else None

    def run(self):
        self.nav.sendto(b"\1\0\0\0", self.peers[1])
        self.until("bootstrap", lambda: self.state >> 11 & 1)
        for key, value in (("general:navdata_demo", "FALSE"), ("general:navdata_options", "777060865")):
            self.command("CONFIG", f'"{key}"', f'"{value}"')
            self.until("acknowledgement", lambda: self.state >> 6 & 1)
            self.command("CTRL", 5, 0)
            self.until("no acknowledgement", lambda: not self.state >> 6 & 1)
        self.until("all options", lambda: 27 in self.tags)
        self.command("CTRL", 4, 0)
        dump = b""
        self.tcp.settimeout(20 * PACE)
        while not dump.endswith(b"\0"):
            dump += self.tcp.recv(4096)
        say("config", options="general:navdata_options = 777060865" in dump.decode(), tags=self.tags)
        self.until("hovering", lambda: self.major() == 4, ref=512)
        half = bits(0.5)
        self.until("forward", lambda: self.demo[6] > 500, pcmd=(1, 0, bits(-0.5), 0, 0))
        pitch = self.demo[2]
        self.until("backward", lambda: self.demo[6] < -500, pcmd=(1, 0, half, 0, 0))
        self.until("right", lambda: self.demo[7] > 500, pcmd=(1, half, 0, 0, 0))
        self.until("rest", lambda: abs(self.demo[6]) < 50 and abs(self.demo[7]) < 50)
        say("flown", forward_is_nose_down=pitch < 0, altitude=self.demo[5] > 500)
        self.until("landed", lambda: self.major() == 2, ref=0)
        say("done")
        return 0


if __name__ == "__main__":
    if sys.argv[1:] == ["drone"]:
        sys.exit(Drone().run())
    if len(sys.argv) == 5 and sys.argv[1] == "ground":
        sys.exit(Ground(*map(int, sys.argv[2:])).run())
    sys.exit(__doc__)
