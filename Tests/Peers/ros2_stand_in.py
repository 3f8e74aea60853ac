#!/usr/bin/env python3
"""Stands for the program `ros2` of Jazzy on a vehicle, for tests: on the eclipse-zenoh package, as rmw_zenoh would be.

    ros2 service list --no-daemon --show-types
    ros2 service call NAME TYPE [REQUEST]
    ros2 topic list --no-daemon --show-types
    ros2 topic echo [--once] --no-daemon --no-lost-messages --full-length NAME TYPE
    ros2 param get --no-daemon --hide-type NODE NAME

What it prints and how it ends is worded and laid out as in ros2cli 0.32. UAVLINK_STAND_IN_ROUTER is the router's address. Types
and their hashes come from the vehicle's tokens, their fields from our definitions, their bytes from rosbags.
"""

import argparse
import os
import pathlib
import struct
import sys
import time

import numpy
import yaml
import zenoh
from rosbags.interfaces import Nodetype
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

SOURCES = pathlib.Path(__file__).resolve().parent.parent.parent / "Sources"
FOLDERS = [SOURCES / "Vehicles/MRSMessages/Definitions", SOURCES / "Middleware/ROS2Interfaces/Definitions"]
STORE = get_typestore(Stores.ROS2_JAZZY)
OURS = {"time": "builtin_interfaces/Time", "duration": "builtin_interfaces/Duration", "Header": "std_msgs/Header"}
NO_FIELDS = "structure_needs_at_least_one_member"
DOMAIN = os.environ.get("ROS_DOMAIN_ID", "0")


def read(package, kind, name):
    for folder in FOLDERS:
        for variant in ("jazzy", kind) if kind == "msg" else (kind,):
            path = folder / package / variant / f"{name}.{kind}"
            if path.exists():
                return path.read_text()
    return None


def in_ros2(text):
    lines = []
    for line in text.splitlines():
        type_, _, rest = line.partition(" ")
        base, bracket, count = type_.partition("[")
        lines.append(f"{OURS.get(base, base)}{bracket}{count} {rest}".rstrip())
    return "\n".join(lines) + "\n"


def nested(desc):
    if desc[0] == Nodetype.NAME:
        yield desc[1]
    elif desc[0] in (Nodetype.ARRAY, Nodetype.SEQUENCE):
        yield from nested(desc[1][0])


def need(name):
    """Makes a type known, package/msg/Name or package/srv/Name_Request; false if there is none."""
    if name in STORE.fielddefs:
        return True
    package, kind, base = name.split("/")
    if kind == "msg":
        text = read(package, kind, base)
    else:
        service, _, side = base.rpartition("_")
        both = read(package, kind, service)
        text = None if both is None else both.partition("---\n")[0 if side == "Request" else 2]
    if text is None:
        return False
    types = get_types_from_msg(in_ros2(text), f"{package}/msg/{base}")
    STORE.register({name: types[f"{package}/msg/{base}"]})
    return all(need(other) for _, desc in STORE.fielddefs[name][1] for other in nested(desc))


class Unpopulated(Exception):
    """What set_message_fields of rosidl_runtime_py refuses."""


def fill(desc, given):
    """A value of a field from YAML; what is not given is zero."""
    kind = desc[0]
    if kind == Nodetype.NAME:
        return message(desc[1], given)
    if kind in (Nodetype.ARRAY, Nodetype.SEQUENCE):
        inner, count = desc[1]
        if given is None:
            given = [None] * (count if kind == Nodetype.ARRAY else 0)
        if not isinstance(given, list) or kind == Nodetype.ARRAY and len(given) != count:
            raise Unpopulated(f"a sequence is wanted, not {given!r}")
        values = [fill(inner, element) for element in given]
        if inner[0] == Nodetype.BASE and inner[1][0] != "string":
            return numpy.array(values, dtype=inner[1][0])
        return values
    base = desc[1][0]
    if base == "string":
        return "" if given is None else str(given)
    if base == "bool":
        return bool(given)
    return (float if base.startswith("float") else int)(0 if given is None else given)


def message(name, given):
    fields = STORE.fielddefs[name][1]
    if given is not None and not isinstance(given, dict):
        raise Unpopulated(f"{name} is wanted, not {given!r}")
    given = given or {}
    for field in given:
        if field not in dict(fields):
            raise Unpopulated(f"'{name.rpartition('/')[2]}' object has no attribute '{field}'")
    return STORE.types[name](
        **{field: 0 if field == NO_FIELDS else fill(desc, given.get(field)) for field, desc in fields})


def fields_of(name):
    return [(field, desc) for field, desc in STORE.fielddefs[name][1] if field != NO_FIELDS]


def printed(value, desc):
    """As Python prints a field of a message that rosidl has generated."""
    kind = desc[0]
    if kind == Nodetype.NAME:
        package, role, base = desc[1].split("/")
        inside = ", ".join(f"{field}={printed(getattr(value, field), inner)}" for field, inner in fields_of(desc[1]))
        return f"{package}.{role}.{base}({inside})"
    if kind == Nodetype.ARRAY and desc[1][0][0] == Nodetype.BASE:
        return repr(numpy.array(value))
    if kind in (Nodetype.ARRAY, Nodetype.SEQUENCE):
        return "[" + ", ".join(printed(element, desc[1][0]) for element in value) + "]"
    base = desc[1][0]
    return repr(str(value) if base == "string" else bool(value) if base == "bool" else plain(value, base))


def plain(value, base):
    return float(value) if base.startswith("float") else int(value)


def as_yaml(value, desc):
    kind = desc[0]
    if kind == Nodetype.NAME:
        return {field: as_yaml(getattr(value, field), inner) for field, inner in fields_of(desc[1])}
    if kind in (Nodetype.ARRAY, Nodetype.SEQUENCE):
        return [as_yaml(element, desc[1][0]) for element in value]
    base = desc[1][0]
    return str(value) if base == "string" else bool(value) if base == "bool" else plain(value, base)


class Graph:
    def __init__(self):
        config = zenoh.Config()
        config.insert_json5("mode", '"client"')
        config.insert_json5("scouting/multicast/enabled", "false")
        config.insert_json5("connect/endpoints", f'["{os.environ["UAVLINK_STAND_IN_ROUTER"]}"]')
        self.session = zenoh.open(config)
        self.sender = os.urandom(16)
        self.sent = 0

    def endpoints(self, kind):
        """Name, type and hash of each, with the last two as in keys."""
        found = set()
        for reply in self.session.liveliness().get(f"@ros2_lv/{DOMAIN}/**", timeout=5):
            parts = str(reply.ok.key_expr).split("/")
            if parts[5] == kind:
                found.add((parts[9].replace("%", "/"), parts[10], parts[11]))
        return sorted(found)

    def key(self, kind, name, type_):
        for other, dds, hash_ in self.endpoints(kind):
            if other == name and from_dds(dds) == type_:
                return f"{DOMAIN}{name}/{dds}/{hash_}"
        return None

    def attachment(self):
        self.sent += 1
        return struct.pack("<qqB", self.sent, time.time_ns(), 16) + self.sender

    def call(self, key, type_, request):
        payload = bytes(STORE.serialize_cdr(request, type_ + "_Request"))
        for reply in self.session.get(
            key, target=zenoh.QueryTarget.ALL_COMPLETE, consolidation=zenoh.ConsolidationMode.NONE, payload=payload,
            attachment=self.attachment(), timeout=600.0
        ):
            if reply.ok is not None:
                return STORE.deserialize_cdr(bytes(reply.ok.payload), type_ + "_Response")
        return None


def from_dds(name):
    package, role, _, base = name.split("::")
    return f"{package}/{role}/{base.rstrip('_')}"


def names_and_types(kind):
    for name, dds, _ in Graph().endpoints(kind):
        print(f"{name} [{from_dds(dds)}]")


def service_call(name, type_, values):
    if not (need(type_ + "_Request") and need(type_ + "_Response")):
        sys.exit("The passed service type is invalid")
    graph = Graph()
    try:
        request = message(type_ + "_Request", yaml.safe_load(values))
    except (Unpopulated, ValueError, TypeError) as fault:
        sys.exit(f"Failed to populate field: {fault}")
    key = graph.key("SS", name, type_)
    if key is None:
        print("waiting for service to become available...")
    while key is None:
        time.sleep(0.1)
        key = graph.key("SS", name, type_)
    print(f"requester: making request: {printed(request, (Nodetype.NAME, type_ + '_Request'))}\n")
    response = graph.call(key, type_, request)
    if response is None:
        sys.exit("Exception while calling service: no response")
    print(f"response:\n{printed(response, (Nodetype.NAME, type_ + '_Response'))}\n")


def topic_echo(name, type_, once):
    if not need(type_):
        sys.exit("The passed message type is invalid")
    graph = Graph()
    ended = []

    def show(sample):
        value = STORE.deserialize_cdr(bytes(sample.payload), type_)
        text = yaml.dump(
            as_yaml(value, (Nodetype.NAME, type_)), Dumper=yaml.CSafeDumper, sort_keys=False, allow_unicode=True,
            width=sys.maxsize if sys.maxsize < 2**31 else 2**31 - 1, default_flow_style=False)
        if not (once and ended):
            print(text, end="---\n", flush=True)
        ended.append(True)

    dds = type_.replace("/", "::", 1).replace("/", "::dds_::") + "_"
    subscriber = graph.session.declare_subscriber(f"{DOMAIN}{name}/{dds}/*", show)
    while not (once and ended):
        time.sleep(0.05)
    subscriber.undeclare()


def param_get(node, name):
    type_ = "rcl_interfaces/srv/GetParameters"
    need(type_ + "_Request"), need(type_ + "_Response")
    graph = Graph()
    key = graph.key("SS", f"{node}/get_parameters", type_)
    if key is None:
        sys.exit("Node not found")
    response = graph.call(key, type_, message(type_ + "_Request", {"names": [name]}))
    if response is None or not response.values:
        sys.exit("Parameter not set")
    value = response.values[0]
    print(value.string_value if value.type == 4 else "Parameter not set." if value.type == 0 else value)


def main():
    parser = argparse.ArgumentParser(prog="ros2")
    commands = parser.add_subparsers(dest="command", required=True)

    def verb(command, name, *positional):
        made = command.add_parser(name)
        for option in ("--no-daemon", "--show-types", "--no-lost-messages", "--full-length", "--once", "--hide-type"):
            made.add_argument(option, action="store_true")
        for word in positional:
            made.add_argument(word, **({"nargs": "?", "default": "{}"} if word == "values" else {}))

    service = commands.add_parser("service").add_subparsers(dest="verb", required=True)
    verb(service, "list")
    verb(service, "call", "name", "type", "values")
    topic = commands.add_parser("topic").add_subparsers(dest="verb", required=True)
    verb(topic, "list")
    verb(topic, "echo", "name", "type")
    verb(commands.add_parser("param").add_subparsers(dest="verb", required=True), "get", "node", "name")
    args = parser.parse_args()
    if args.command == "service" and args.verb == "list":
        names_and_types("SS")
    elif args.command == "service":
        service_call(args.name, args.type, args.values)
    elif args.command == "topic" and args.verb == "list":
        names_and_types("MP")
    elif args.command == "topic":
        topic_echo(args.name, args.type, args.once)
    else:
        param_get(args.node, args.name)


main()
