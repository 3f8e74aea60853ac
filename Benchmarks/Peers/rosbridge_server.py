"""The part of rosbridge that calls services: JSON over a websocket (rosbridge v2, `call_service`), rospy behind it.

rosbridge_suite is in neither Debian's packages nor PyPI, so this stands in for it, on the same websocket library (autobahn on
Twisted, as rosbridge_server had it for ROS 1). It is kinder than the original, which makes a thread and a connection to the service
for each call and looks its type up each time: here the connection and the type are kept and the call is made where the request
is read. It prints `listening on PORT` and ends with its standard input.
"""

import json
import os
import sys
import threading

import rospy
import rosservice
from autobahn.twisted.websocket import WebSocketServerFactory, WebSocketServerProtocol
from twisted.internet import reactor

proxies = {}


def proxy(name):
    if name not in proxies:
        rospy.wait_for_service(name, timeout=20)
        proxies[name] = rospy.ServiceProxy(name, rosservice.get_service_class_by_name(name), persistent=True)
    return proxies[name]


def fields(message):
    """A message as what JSON has."""
    return {slot: fields(value) if hasattr(value, "__slots__") else value
            for slot, value in ((slot, getattr(message, slot)) for slot in message.__slots__)}


class Rosbridge(WebSocketServerProtocol):
    def onMessage(self, payload, isBinary):
        request = json.loads(payload)
        if request.get("op") != "call_service":
            return
        answer = {"op": "service_response", "service": request["service"], "id": request.get("id")}
        try:
            answer.update(values=fields(proxy(request["service"])(**request.get("args", {}))), result=True)
        except Exception as error:
            answer.update(values=str(error), result=False)
        self.sendMessage(json.dumps(answer).encode())


def end_with_input():
    sys.stdin.read()
    os._exit(0)


rospy.init_node("uavlink_bench_rosbridge", disable_signals=True)
factory = WebSocketServerFactory()
factory.protocol = Rosbridge
port = reactor.listenTCP(0, factory, interface="127.0.0.1")
# As rosbridge does, and autobahn by itself.
factory.setProtocolOptions(tcpNoDelay=True)
print("listening on", port.getHost().port, flush=True)
threading.Thread(target=end_with_input, daemon=True).start()
reactor.run(installSignalHandlers=False)
