#!/usr/bin/env python3
"""rosbags (PyPI) reads and writes MCAP files of ROS 2, and writes bags that are databases.

usage: mcap_peer.py read FILE        checks structure and checksums by itself, and prints each message that rosbags finds
       mcap_peer.py write FOLDER KIND SEED
                                     writes the bag FOLDER (KIND: none or zstd, how MCAP is compressed, or sqlite3) and prints
                                     each message

Messages are of rcl_interfaces/msg/Log, one JSON object a line.
"""
import json
import pathlib
import random
import struct
import sys
import zlib

from rosbags.rosbag2 import CompressionFormat, CompressionMode, Reader, StoragePlugin, Writer
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

TYPE = "rcl_interfaces/msg/Log"


def show(topic, time, log):
    print(json.dumps({"topic": topic, "time": time, "sec": log.stamp.sec, "nanosec": log.stamp.nanosec,
                      "level": log.level, "msg": log.msg, "line": log.line}))


def records(data, start, end):
    while start < end:
        opcode, length = data[start], struct.unpack_from("<Q", data, start + 1)[0]
        yield opcode, start, data[start + 9:start + 9 + length]
        start += 9 + length
    assert start == end, "records do not end where their section does"


def check(path):
    """The specification's rules that rosbags does not check."""
    data = pathlib.Path(path).read_bytes()
    magic = b"\x89MCAP0\r\n"
    assert data.startswith(magic) and data.endswith(magic)
    summary, offsets, crc = struct.unpack("<QQI", data[-28:-8])
    assert zlib.crc32(data[summary:-12]) == crc, "CRC-32 of the summary"
    end = summary - 13
    assert data[end] == 0x0F and struct.unpack("<I", data[summary - 4:summary])[0] == zlib.crc32(data[:end]), \
        "CRC-32 of the data"
    opcodes = [opcode for opcode, _, _ in records(data, 8, end)]
    assert opcodes[0] == 1 and set(opcodes[1:]) == {6, 7}, opcodes
    chunks = [start for opcode, start, _ in records(data, 8, end) if opcode == 6]
    groups = [struct.unpack("<BQQ", content) for opcode, _, content in records(data, offsets, len(data) - 37)]
    begin = summary
    for opcode, start, length in groups:
        assert start == begin, "groups of the summary have gaps"
        assert {found for found, _, _ in records(data, start, start + length)} == {opcode}
        begin = start + length
    assert begin == offsets and [group[0] for group in groups] == [3, 4, 11, 8]
    indexed = [struct.unpack_from("<QQQ", content)[2] for opcode, _, content in records(data, summary, offsets)
               if opcode == 8]
    assert indexed == chunks, "chunk indexes"
    # A summary lets a reader pass over the data; without one, it finds the same.
    bare = pathlib.Path(path + ".bare.mcap")
    bare.write_bytes(data[:summary] + b"\x02" + struct.pack("<QQQI", 20, 0, 0, 0) + magic)
    return str(bare)


def read(path):
    store = get_typestore(Stores.EMPTY)
    found = []
    with Reader(path) as reader:
        for connection in reader.connections:
            assert connection.msgtype == TYPE and connection.ext.serialization_format == "cdr"
            store.register(get_types_from_msg(connection.msgdef.data, connection.msgtype))
        for connection, time, raw in reader.messages():
            found.append((connection.topic, time, store.deserialize_cdr(raw, connection.msgtype)))
        assert reader.message_count == len(found)
    return found


def write(folder, compression, seed):
    dice = random.Random(seed)
    store = get_typestore(Stores.ROS2_JAZZY)
    log, stamp = store.types[TYPE], store.types["builtin_interfaces/msg/Time"]
    plugin = StoragePlugin.SQLITE3 if compression == "sqlite3" else StoragePlugin.MCAP
    writer = Writer(folder, version=9, storage_plugin=plugin)
    if compression == "zstd":
        writer.set_compression(CompressionMode.STORAGE, CompressionFormat.ZSTD)
    with writer:
        topics = {topic: writer.add_connection(topic, TYPE, typestore=store) for topic in ("/rosout", "/other")}
        # More than a megabyte, so that there are several chunks.
        for number in range(3000):
            topic = dice.choice(list(topics))
            text = "".join(dice.choice("ab\u00fc\u6c34 ") for _ in range(dice.randrange(900)))
            message = log(stamp=stamp(sec=dice.randrange(2**31), nanosec=dice.randrange(10**9)), level=20, name="peer",
                          msg=text, file="", function="", line=number)
            time = 1_700_000_000_000_000_000 + number * 1000
            writer.write(topics[topic], time, store.serialize_cdr(message, TYPE))
            show(topic, time, message)


if sys.argv[1] == "write":
    write(sys.argv[2], sys.argv[3], int(sys.argv[4]))
else:
    messages = read(sys.argv[2])
    bare = read(check(sys.argv[2]))
    key = lambda entry: (entry[1], entry[0], entry[2].line)
    assert sorted(map(key, bare)) == sorted(map(key, messages)), "with and without a summary"
    for topic, time, message in messages:
        show(topic, time, message)
