"""Asks a publisher where its topic can be had over TCPROS: topic_address.py TOPIC; prints "HOST PORT".

It waits until a node publishes the topic. Nothing is registered: the subscriber stays unknown to the master.
"""

import os
import sys
import time
import xmlrpc.client

topic = sys.argv[1]
caller = "/uavlink_bench_subscriber"
master = xmlrpc.client.ServerProxy(os.environ["ROS_MASTER_URI"])
until = time.monotonic() + 20
while time.monotonic() < until:
    publishers = dict((entry[0], entry[1]) for entry in master.getSystemState(caller)[2][0]).get(topic, [])
    if publishers:
        node = xmlrpc.client.ServerProxy(master.lookupNode(caller, publishers[0])[2])
        code, text, protocol = node.requestTopic(caller, topic, [["TCPROS"]])
        if code == 1 and protocol:
            print(protocol[1], protocol[2])
            sys.exit(0)
    time.sleep(0.05)
sys.exit("no node publishes %s" % topic)
