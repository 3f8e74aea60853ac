#!/usr/bin/env python3
"""A small rosbridge server (protocol v2 over WebSocket), for tests: rosbridge_suite is in neither Debian nor PyPI.

    rosbridge_peer.py [PORT]

On tornado and rospy, as the original of ROS 1, and as that: the messages of a client are worked on one after the other by a thread of
its own, a service's type is looked up and its connection made for each call, one publisher and one subscriber serve all clients of a
topic, what is no number is null. It has call_service, advertise, unadvertise, publish, subscribe and unsubscribe, without fragments,
compression, throttling and queues.

Prints `listening on PORT` and ends with its standard input.
"""

import asyncio
import base64
import json
import math
import os
import queue
import sys
import threading

import genpy
import roslib.message
import rospy
import rosservice
import tornado.httpserver
import tornado.ioloop
import tornado.netutil
import tornado.web
import tornado.websocket

lock = threading.Lock()
publishers = {}
subscribers = {}


def to_json(value):
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, (genpy.Time, genpy.Duration)):
        return {"secs": value.secs, "nsecs": value.nsecs}
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, (list, tuple)):
        return [to_json(element) for element in value]
    if hasattr(value, "__slots__"):
        return {slot: to_json(getattr(value, slot)) for slot in value.__slots__}
    return value


def fill(message, values):
    """Fills a message from what JSON has; a header that is given no time has the present one."""
    if message._type == "std_msgs/Header":
        message.stamp = rospy.get_rostime()
    for name, value in values.items():
        kind = dict(zip(message.__slots__, message._slot_types)).get(name)
        if kind is None:
            raise ValueError("Message type %s does not have a field %s" % (message._type, name))
        own = getattr(message, name)
        if isinstance(own, (genpy.Time, genpy.Duration)):
            own.secs, own.nsecs = value.get("secs", 0), value.get("nsecs", 0)
        elif isinstance(own, genpy.Message):
            fill(own, value)
        elif kind.startswith("float"):
            setattr(message, name, float("nan") if value is None else float(value))
        elif kind.endswith("]") and "/" in kind:
            part = roslib.message.get_message_class(kind[: kind.index("[")])
            setattr(message, name, [fill(part(), element) for element in value])
        else:
            setattr(message, name, value)
    return message


def message_class(kind):
    found = roslib.message.get_message_class(kind)
    if found is None:
        raise ValueError("Unable to import %s" % kind)
    return found


class Client(tornado.websocket.WebSocketHandler):
    def open(self):
        self.set_nodelay(True)
        self.waiting = queue.Queue()
        self.loop = tornado.ioloop.IOLoop.current()
        threading.Thread(target=self.work, daemon=True).start()

    def on_message(self, message):
        self.waiting.put(message)

    def on_close(self):
        self.waiting.put(None)

    def check_origin(self, origin):
        return True

    def send(self, **message):
        text = json.dumps(message)
        self.loop.add_callback(self.pass_on, text)

    def pass_on(self, text):
        try:
            self.write_message(text)
        except tornado.websocket.WebSocketClosedError:
            pass

    def work(self):
        while True:
            text = self.waiting.get()
            if text is None:
                break
            operation = "?"
            try:
                request = json.loads(text)
                operation = request["op"]
                getattr(self, "do_" + operation)(request)
            except Exception as error:
                self.send(op="status", level="error", msg="%s: %s" % (operation, error))
        with lock:
            for _, clients in subscribers.values():
                clients.discard(self)

    def do_call_service(self, request):
        service = request["service"]
        answer = {"op": "service_response", "service": service}
        if "id" in request:
            answer["id"] = request["id"]
        try:
            type_name = rosservice.get_service_type(service)
            if type_name is None:
                raise ValueError("Service %s does not exist" % service)
            kind = roslib.message.get_service_class(type_name)
            arguments = request.get("args") or {}
            response = rospy.ServiceProxy(service, kind)(fill(kind._request_class(), arguments))
            answer.update(values=to_json(response), result=True)
        except Exception as error:
            self.send(op="status", level="error", msg="call_service %s: %s" % (type(error).__name__, error))
            answer.update(values=str(error), result=False)
        self.send(**answer)

    def do_advertise(self, request):
        topic = request["topic"]
        with lock:
            if topic not in publishers:
                kind = message_class(request["type"])
                publishers[topic] = rospy.Publisher(topic, kind, queue_size=100)

    def do_unadvertise(self, request):
        with lock:
            publishers.pop(request["topic"]).unregister()

    def do_publish(self, request):
        with lock:
            publisher = publishers[request["topic"]]
        publisher.publish(fill(publisher.data_class(), request["msg"]))

    def do_subscribe(self, request):
        topic = request["topic"]
        with lock:
            if topic not in subscribers:
                clients = set()
                kind = message_class(request["type"])
                subscribers[topic] = (rospy.Subscriber(topic, kind, lambda m: self.deliver(topic, clients, m)), clients)
            subscribers[topic][1].add(self)

    @staticmethod
    def deliver(topic, clients, message):
        value = to_json(message)
        with lock:
            receivers = list(clients)
        for client in receivers:
            client.send(op="publish", topic=topic, msg=value)

    def do_unsubscribe(self, request):
        topic = request["topic"]
        with lock:
            subscriber, clients = subscribers[topic]
            clients.discard(self)
            if not clients:
                del subscribers[topic]
        if not clients:
            subscriber.unregister()


def end_with_input():
    sys.stdin.read()
    os._exit(0)


rospy.init_node("rosbridge_peer", anonymous=True, disable_signals=True)
asyncio.set_event_loop(asyncio.new_event_loop())
server = tornado.httpserver.HTTPServer(tornado.web.Application([("/", Client)]))
sockets = tornado.netutil.bind_sockets(int(sys.argv[1]) if len(sys.argv) > 1 else 0, "")
server.add_sockets(sockets)
print("listening on", sockets[0].getsockname()[1], flush=True)
threading.Thread(target=end_with_input, daemon=True).start()
tornado.ioloop.IOLoop.current().start()
