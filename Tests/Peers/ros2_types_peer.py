#!/usr/bin/env python3
"""ROS 2 types of others: rosbags and ros2-pyterfaces (PyPI) say what the hashes and the bytes of our types are.

usage: ros2_types_peer.py DEFINITIONS SEED NAME ...

Each NAME is that of a message (package/msg/Name, package/srv/Name_Request) or of a service (package/srv/Name). Of a
standard package it is the definition of rosbags or of ros2-pyterfaces that counts; only of other packages is ours read. Prints one
JSON object a line.
"""
import importlib
import json
import pathlib
import pkgutil
import random
import struct
import sys

import numpy
from rosbags.interfaces import Nodetype
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

try:
    import ros2_pyterfaces.core
    from ros2_pyterfaces.core.description import hash_rihs01
except ImportError:
    ros2_pyterfaces = None

FOLDERS = [pathlib.Path(folder) for folder in sys.argv[1].split(":")]
DICE = random.Random(int(sys.argv[2]))
STORE = get_typestore(Stores.ROS2_JAZZY)
OURS = {"time": "builtin_interfaces/Time", "duration": "builtin_interfaces/Duration", "Header": "std_msgs/Header"}
RANGES = {f"{sign}int{bits}": (0 if sign else -2 ** (bits - 1), 2 ** (bits - (0 if sign else 1)) - 1)
          for sign in ("", "u") for bits in (8, 16, 32, 64)}
RANGES.update({"byte": (0, 255), "char": (0, 255)})
NO_FIELDS = "structure_needs_at_least_one_member"
# rosbags hashes a char as what it was before it became a uint8, in a type that is part of every service.
EVENT_INFO = "service_msgs/msg/ServiceEventInfo"
del STORE.fielddefs[EVENT_INFO]
STORE.register(get_types_from_msg(
    "uint8 event_type\nbuiltin_interfaces/Time stamp\nuint8[16] client_gid\nint64 sequence_number\n", EVENT_INFO))


def read(package, kind, name):
    for folder in FOLDERS:
        for variant in ("jazzy", kind) if kind == "msg" else (kind,):
            path = folder / package / variant / f"{name}.{kind}"
            if path.exists():
                return path.read_text()
    raise SystemExit(f"there is no definition of {package}/{kind}/{name}")


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


def add(name, text):
    """Adds a message and, if they are not known, those in it."""
    # It takes every name for that of a message.
    package, kind, base = name.split("/")
    types = get_types_from_msg(text, f"{package}/msg/{base}")
    STORE.register({name: types[f"{package}/msg/{base}"]})
    for _, desc in STORE.fielddefs[name][1]:
        for other in nested(desc):
            need(other)


def need(name):
    if name in STORE.fielddefs:
        return
    package, kind, base = name.split("/")
    if kind == "msg":
        add(name, in_ros2(read(package, "msg", base)))
        return
    service, _, side = base.rpartition("_")
    request, _, response = in_ros2(read(package, "srv", service)).partition("---\n")
    add(name, request if side == "Request" else response)


def need_service(name):
    """rosbags has no services: one is a type of these fields."""
    if name in STORE.fielddefs:
        return
    for side in ("_Request", "_Response"):
        need(name + side)
    of = lambda type_: (Nodetype.NAME, type_)
    STORE.register({
        name + "_Event": ([], [("info", of("service_msgs/msg/ServiceEventInfo")),
                               ("request", (Nodetype.SEQUENCE, (of(name + "_Request"), 1))),
                               ("response", (Nodetype.SEQUENCE, (of(name + "_Response"), 1)))]),
        name: ([], [("request_message", of(name + "_Request")), ("response_message", of(name + "_Response")),
                    ("event_message", of(name + "_Event"))]),
    })


def one(type_, bound=0):
    if type_ in RANGES:
        return DICE.choice([DICE.randint(*RANGES[type_]), *RANGES[type_]])
    if type_ in ("bool", "octet"):
        return DICE.random() < 0.5 if type_ == "bool" else DICE.randrange(256)
    if type_ == "float32":
        return struct.unpack("<f", struct.pack("<f", DICE.uniform(-1e6, 1e6)))[0]
    if type_ == "float64":
        return DICE.choice([DICE.uniform(-1e9, 1e9), 0.0, -0.0, float("inf"), 5e-324])
    if type_ == "string":
        return "".join(DICE.choice("ab \n\"\u00fc\u6c34\U0001f681") for _ in range(DICE.randrange(9)))
    raise SystemExit(f"no value for {type_}")


def value(desc):
    kind = desc[0]
    if kind == Nodetype.BASE:
        return one(*desc[1])
    if kind == Nodetype.NAME:
        return message(desc[1])
    inner, count = desc[1]
    if kind == Nodetype.SEQUENCE:
        count = DICE.randrange(min(count, 4) + 1 if count else 5)
    values = [value(inner) for _ in range(count)]
    if inner[0] == Nodetype.BASE and inner[1][0] != "string":
        type_ = {"byte": "uint8", "octet": "uint8", "char": "uint8"}.get(inner[1][0], inner[1][0])
        return numpy.array(values, dtype=type_)
    return values


def message(name):
    fields = STORE.fielddefs[name][1]
    return STORE.types[name](**{field: 0 if field == NO_FIELDS else value(desc) for field, desc in fields})


def flat(path, item, desc, out):
    kind = desc[0]
    if kind in (Nodetype.ARRAY, Nodetype.SEQUENCE):
        out.append([path + ".count", str(len(item))])
        for index, element in enumerate(item):
            flat(f"{path}[{index}]", element, desc[1][0], out)
    elif kind == Nodetype.NAME and desc[1] in ("builtin_interfaces/msg/Time", "builtin_interfaces/msg/Duration"):
        out.append([path, f"{item.sec & 0xFFFFFFFF}.{item.nanosec}"])
    elif kind == Nodetype.NAME:
        for field, inner in STORE.fielddefs[desc[1]][1]:
            if field != NO_FIELDS:
                flat(f"{path}.{field}", getattr(item, field), inner, out)
    elif desc[1][0] == "string":
        out.append([path, item.encode().hex()])
    elif desc[1][0] in ("float32", "float64"):
        out.append([path, str(struct.unpack("<Q", struct.pack("<d", float(item)))[0])])
    else:
        out.append([path, str(int(item))])


def pyterfaces():
    """The hashes of ros2-pyterfaces by type; none where it is not installed."""
    found = {}
    if ros2_pyterfaces is None:
        return found
    root = ros2_pyterfaces.core
    for module in pkgutil.walk_packages(root.__path__, root.__name__ + "."):
        if not module.name.endswith((".msg", ".srv")):
            continue
        for schema in vars(importlib.import_module(module.name)).values():
            if isinstance(schema, dict) and "__typename" in schema:
                found[schema["__typename"]] = hash_rihs01(schema)
    return found


PYTERFACES = pyterfaces()
for name in sys.argv[3:]:
    is_service = "/srv/" in name and not name.endswith(("_Request", "_Response"))
    (need_service if is_service else need)(name)
    messages = []
    for _ in range(0 if is_service else 6):
        made = message(name)
        values = []
        flat("", made, (Nodetype.NAME, name), values)
        messages.append({"cdr": bytes(STORE.serialize_cdr(made, name)).hex(), "values": values})
    print(json.dumps({"type": name, "hash": STORE.hash_rihs01(name), "other": PYTERFACES.get(name), "messages": messages}))
