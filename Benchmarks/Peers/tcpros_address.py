"""Where a topic or a service is offered over TCPROS: tcpros_address.py topic|service NAME; prints "HOST PORT".

It waits until a node has it. Nothing is registered: who asks stays unknown to the master.
"""

import os
import socket
import sys
import time
import xmlrpc.client
from urllib.parse import urlsplit

kind, name = sys.argv[1:]
caller = "/uavlink_bench_caller"
master = xmlrpc.client.ServerProxy(os.environ["ROS_MASTER_URI"])


def topic():
    publishers = dict((entry[0], entry[1]) for entry in master.getSystemState(caller)[2][0]).get(name, [])
    if not publishers:
        return None
    node = xmlrpc.client.ServerProxy(master.lookupNode(caller, publishers[0])[2])
    code, text, protocol = node.requestTopic(caller, name, [["TCPROS"]])
    return protocol[1:3] if code == 1 and protocol else None


def service():
    code, text, address = master.lookupService(caller, name)
    return (urlsplit(address).hostname, urlsplit(address).port) if code == 1 else None


until = time.monotonic() + 20
while time.monotonic() < until:
    address = {"topic": topic, "service": service}[kind]()
    if address:
        print(socket.gethostbyname(address[0]), address[1])
        sys.exit(0)
    time.sleep(0.05)
sys.exit("no node has the %s %s" % (kind, name))
