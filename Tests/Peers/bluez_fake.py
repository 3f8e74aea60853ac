#!/usr/bin/env python3
"""A fake of BlueZ with one Bluno in range, made with dbus-fast (PyPI) from BlueZ's documentation alone.

bluez_fake.py [--pty PATH] [FAULT]...    on the bus of DBUS_SYSTEM_BUS_ADDRESS

With --pty the board's serial port is a pseudo terminal: that of the robot that 'uavlink-sim --machine bluno' simulates, which is so
reached over "Bluetooth". Without it the board answers each text with 'echo TEXT'. Prints 'ready', then a line for each call; ends
with standard input. Faults:

  no-adapter, off          no adapter, or one that is switched off
  absent                   no board is in range
  two                      two boards are
  refused                  Connect fails, as with a board that another phone has
  silent                   Connect never answers
  unresolved               the services are never resolved
  forbidden                calls are refused, as to a user who may not use BlueZ
  plain                    no model and no commands: no DFRobot firmware
  request                  the serial port takes requests only
  cached                   BlueZ remembers the board before it is scanned for
Lines on standard input: 'drop' ends the connection, 'off' switches the adapter off, 'say TEXT' lets the board send a line.
"""
import asyncio
import os
import sys
import termios
import tty

from dbus_fast import DBusError, Variant
from dbus_fast.aio import MessageBus
from dbus_fast.constants import BusType, PropertyAccess
from dbus_fast.service import ServiceInterface, dbus_property, method

faults = set(sys.argv[1:])
port = None
if "--pty" in sys.argv:
    path = sys.argv[sys.argv.index("--pty") + 1]
    port = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    tty.setraw(port, termios.TCSANOW)

HCI = "/org/bluez/hci0"


def uuid(short):
    return f"0000{short}-0000-1000-8000-00805f9b34fb"


def log(*words):
    print(*words, flush=True)


def permit():
    if "forbidden" in faults:
        raise DBusError("org.freedesktop.DBus.Error.AccessDenied", "Rejected send message")


class Adapter(ServiceInterface):
    def __init__(self, world):
        super().__init__("org.bluez.Adapter1")
        self.world, self.discovering, self.on = world, False, "off" not in faults

    @dbus_property(access=PropertyAccess.READ)
    def Address(self) -> "s":
        return "00:11:22:33:44:55"

    @dbus_property(access=PropertyAccess.READ)
    def Powered(self) -> "b":
        return self.on

    @dbus_property(access=PropertyAccess.READ)
    def Discovering(self) -> "b":
        return self.discovering

    @dbus_property(access=PropertyAccess.READ)
    def Roles(self) -> "as":
        return ["central", "peripheral"]

    @method()
    def SetDiscoveryFilter(self, properties: "a{sv}"):
        if "Transport" in properties:
            log("filter", properties["Transport"].value)

    @method()
    def StartDiscovery(self):
        permit()
        log("scan")
        self.discovering = True
        self.emit_properties_changed({"Discovering": True})
        asyncio.get_running_loop().call_later(0.1, self.world.advertise)

    @method()
    def StopDiscovery(self):
        if not self.discovering:
            raise DBusError("org.bluez.Error.Failed", "No discovery started")
        log("scan ends")
        self.discovering = False
        self.emit_properties_changed({"Discovering": False})

    @method()
    def RemoveDevice(self, device: "o"):
        log("remove")


class Device(ServiceInterface):
    def __init__(self, world, address):
        super().__init__("org.bluez.Device1")
        self.world, self.address = world, address
        self.path = f"{HCI}/dev_{address.replace(':', '_')}"
        self.connected = self.resolved = False
        self.strength = -52 if address.endswith("01") else -71

    @dbus_property(access=PropertyAccess.READ)
    def Address(self) -> "s":
        return self.address

    @dbus_property(access=PropertyAccess.READ)
    def AddressType(self) -> "s":
        return "public"

    @dbus_property(access=PropertyAccess.READ)
    def Name(self) -> "s":
        return "BlunoV2.0"

    @dbus_property(access=PropertyAccess.READ)
    def Alias(self) -> "s":
        return "BlunoV2.0"

    @dbus_property(access=PropertyAccess.READ)
    def Adapter(self) -> "o":
        return HCI

    @dbus_property(access=PropertyAccess.READ)
    def Paired(self) -> "b":
        return False

    @dbus_property(access=PropertyAccess.READ)
    def RSSI(self) -> "n":
        return self.strength

    @dbus_property(access=PropertyAccess.READ)
    def ManufacturerData(self) -> "a{qv}":
        return {0x004C: Variant("ay", b"\x02\x15")}

    @dbus_property(access=PropertyAccess.READ)
    def UUIDs(self) -> "as":
        return [uuid("dfb0")]

    @dbus_property(access=PropertyAccess.READ)
    def Connected(self) -> "b":
        return self.connected

    @dbus_property(access=PropertyAccess.READ)
    def ServicesResolved(self) -> "b":
        return self.resolved

    @method()
    async def Connect(self):
        log("connect", self.address, "while scanning" if self.world.adapter.discovering else "")
        if "refused" in faults:
            raise DBusError("org.bluez.Error.Failed", "le-connection-abort-by-local")
        if "silent" in faults:
            await asyncio.sleep(3600)
        self.connected = True
        self.emit_properties_changed({"Connected": True})
        if "unresolved" not in faults:
            asyncio.get_running_loop().call_later(0.05, self.resolve)

    def resolve(self):
        self.world.export_services(self)
        self.resolved = True
        self.emit_properties_changed({"ServicesResolved": True})

    @method()
    def Disconnect(self):
        log("disconnect")
        self.end()

    def end(self):
        if not self.connected:
            return
        self.connected = self.resolved = False
        self.emit_properties_changed({"ServicesResolved": False, "Connected": False})
        self.world.remove_services(self)


class Service(ServiceInterface):
    def __init__(self, device, short):
        super().__init__("org.bluez.GattService1")
        self.device, self.short = device, short

    @dbus_property(access=PropertyAccess.READ)
    def UUID(self) -> "s":
        return uuid(self.short)

    @dbus_property(access=PropertyAccess.READ)
    def Primary(self) -> "b":
        return True

    @dbus_property(access=PropertyAccess.READ)
    def Device(self) -> "o":
        return self.device.path


class Characteristic(ServiceInterface):
    def __init__(self, service, short, flags):
        super().__init__("org.bluez.GattCharacteristic1")
        self.service, self.short, self.flags = service, short, flags
        self.value, self.notifying, self.busy = b"", False, False

    @dbus_property(access=PropertyAccess.READ)
    def UUID(self) -> "s":
        return uuid(self.short)

    @dbus_property(access=PropertyAccess.READ)
    def Service(self) -> "o":
        return self.service

    @dbus_property(access=PropertyAccess.READ)
    def Flags(self) -> "as":
        return self.flags

    @dbus_property(access=PropertyAccess.READ)
    def MTU(self) -> "q":
        return 23

    @dbus_property(access=PropertyAccess.READ)
    def Value(self) -> "ay":
        return self.value

    @dbus_property(access=PropertyAccess.READ)
    def Notifying(self) -> "b":
        return self.notifying

    @method()
    def ReadValue(self, options: "a{sv}") -> "ay":
        log("read", self.short)
        self.value = b"DF BLUNO 1.0\0" if self.short == "2a24" else self.value
        return self.value

    @method()
    async def WriteValue(self, value: "ay", options: "a{sv}"):
        kind = options["type"].value if "type" in options else "request"
        if len(value) > 20:
            raise DBusError("org.bluez.Error.InvalidValueLength", "Invalid Length")
        if kind == "command" and "write-without-response" not in self.flags:
            raise DBusError("org.bluez.Error.NotSupported", "Operation is not supported")
        if kind == "request":
            # As BlueZ: one at a time, and the answer takes two intervals of the connection.
            if self.busy:
                raise DBusError("org.bluez.Error.InProgress", "In Progress")
            self.busy = True
            await asyncio.sleep(0.02)
            self.busy = False
        log("write", self.short, kind, bytes(value).decode("latin-1").replace("\r\n", "~"))
        if self.short != "dfb1":
            return
        if port is None:
            self.send(b"echo " + bytes(value) + b"\n")
        else:
            os.write(port, bytes(value))

    def send(self, data):
        """What the Arduino's program sends, in packets."""
        for start in range(0, len(data), 20):
            if self.notifying:
                self.value = bytes(data[start : start + 20])
                self.emit_properties_changed({"Value": self.value})

    @method()
    def StartNotify(self):
        log("notify", self.short)
        self.notifying = True

    @method()
    def StopNotify(self):
        self.notifying = False


class World:
    def __init__(self, bus):
        self.bus, self.services = bus, {}
        self.adapter = Adapter(self)
        addresses = [] if "absent" in faults else ["AA:BB:CC:DD:EE:01"]
        if "two" in faults:
            addresses.append("AA:BB:CC:DD:EE:02")
        self.devices = [Device(self, address) for address in addresses]
        self.serial = None
        if "no-adapter" not in faults:
            bus.export(HCI, self.adapter)
        if "cached" in faults:
            self.advertise()

    def advertise(self):
        for device in self.devices:
            if not self.bus._path_exports.get(device.path):
                self.bus.export(device.path, device)

    def export_services(self, device):
        kinds = ["write", "notify", "read"] + ([] if "request" in faults else ["write-without-response"])
        info = f"{device.path}/service0010"
        serial = f"{device.path}/service0025"
        all_of_them = [
            (serial, Service(device, "dfb0")),
            (f"{serial}/char0026", Characteristic(serial, "dfb1", kinds)),
        ]
        self.serial = all_of_them[1][1]
        if "plain" not in faults:
            all_of_them += [
                (f"{serial}/char0029", Characteristic(serial, "dfb2", ["read", "write", "notify"])),
                (info, Service(device, "180a")),
                (f"{info}/char0013", Characteristic(info, "2a24", ["read"])),
            ]
        self.services[device.path] = all_of_them
        for path, interface in all_of_them:
            self.bus.export(path, interface)

    def remove_services(self, device):
        for path, interface in self.services.pop(device.path, []):
            self.bus.unexport(path, interface)

    def read_port(self):
        try:
            data = os.read(port, 512)
        except (BlockingIOError, OSError):
            return
        if self.serial is not None:
            self.serial.send(data)

    def obey(self, line):
        word, _, rest = line.strip().partition(" ")
        if word == "drop":
            for device in self.devices:
                device.end()
        elif word == "off":
            self.adapter.on = False
            self.adapter.emit_properties_changed({"Powered": False})
        elif word == "say":
            self.serial.send(rest.encode() + b"\n")


async def main():
    bus = await MessageBus(bus_type=BusType.SYSTEM).connect()
    world = World(bus)
    await bus.request_name("org.bluez")
    loop = asyncio.get_running_loop()
    ended = loop.create_future()

    def read_input():
        line = sys.stdin.readline()
        if line:
            world.obey(line)
        elif not ended.done():
            ended.set_result(None)

    loop.add_reader(sys.stdin.fileno(), read_input)
    if port is not None:
        loop.add_reader(port, world.read_port)
    log("ready")
    await ended


asyncio.run(main())
