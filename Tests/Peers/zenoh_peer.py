#!/usr/bin/env python3
"""A router of the eclipse-zenoh package and a client of it, for tests of our own client.

    zenoh_peer.py PORT [TLSPORT KEY=VALUE...]

The router listens on that port of the loopback, and over TLS on the other one with those settings. Commands come as lines of
standard input, and every answer is a line of standard output that begins with a word; bytes are in hexadecimal digits, '-' for none.
"""

import json
import sys
import threading

import zenoh

port = int(sys.argv[1])
secure = sys.argv[2:]
lock = threading.Lock()
kept = {}


def say(*words):
    with lock:
        print(*words, flush=True)


def hexadecimal(payload):
    return bytes(payload).hex() or "-" if payload is not None else "-"


def raw(text):
    return None if text == "-" else bytes.fromhex(text)


def session(mode):
    config = zenoh.Config()
    config.insert_json5("mode", f'"{mode}"')
    config.insert_json5("scouting/multicast/enabled", "false")
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
    say("ready", kept["router"].zid())


def stop():
    for name in list(kept):
        if name not in ("client", "router"):
            del kept[name]
    kept.pop("client").close()
    kept.pop("router").close()


def took(sample):
    kind = "put" if sample.kind == zenoh.SampleKind.PUT else "delete"
    say("sample", sample.key_expr, kind, hexadecimal(sample.payload), hexadecimal(sample.attachment), sample.encoding)


def asked(query):
    payload = bytes(query.payload) if query.payload is not None else b""
    if query.parameters and str(query.parameters) == "silent":
        return
    if payload == b"fail":
        query.reply_err(b"refused")
    else:
        query.reply(query.key_expr, payload[::-1], attachment=query.attachment)


def token_changed(sample):
    say("token", "came" if sample.kind == zenoh.SampleKind.PUT else "went", sample.key_expr)


start()
for line in sys.stdin:
    command, *words = line.split()
    client = kept.get("client")
    if command == "subscribe":
        kept["subscriber " + words[0]] = client.declare_subscriber(words[0], took)
    elif command == "put":
        count = int(words[3]) if len(words) > 3 else 1
        for _ in range(count):
            client.put(
                words[0], raw(words[1]) or b"", attachment=raw(words[2]), congestion_control=zenoh.CongestionControl.BLOCK)
    elif command == "flood":
        # What may be dropped: the usual.
        for _ in range(int(words[1])):
            client.put(words[0], bytes(int(words[2])))
    elif command == "big":
        client.put(words[0], bytes(index % 251 for index in range(int(words[1]))), congestion_control=zenoh.CongestionControl.BLOCK)
    elif command == "delete":
        client.delete(words[0])
    elif command == "serve":
        kept["queryable " + words[0]] = client.declare_queryable(words[0], asked, complete=True)
    elif command == "get":
        replies = client.get(
            words[0], target=zenoh.QueryTarget.ALL_COMPLETE, consolidation=zenoh.ConsolidationMode.NONE,
            payload=raw(words[1]), attachment=raw(words[2]), timeout=10.0)
        for reply in replies:
            if reply.ok is not None:
                say("reply", reply.ok.key_expr, hexadecimal(reply.ok.payload), hexadecimal(reply.ok.attachment))
            else:
                say("failure", hexadecimal(reply.err.payload))
        say("replied")
    elif command == "token":
        kept["token " + words[0]] = client.liveliness().declare_token(words[0])
    elif command == "untoken":
        kept.pop("token " + words[0]).undeclare()
    elif command == "watch":
        kept["watch " + words[0]] = client.liveliness().declare_subscriber(words[0], token_changed, history=True)
    elif command == "stop":
        stop()
    elif command == "start":
        start()
        continue
    say("done", command)
