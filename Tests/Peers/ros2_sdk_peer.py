#!/usr/bin/env python3
"""What zenoh-ros2-sdk (PyPI), an independent client of rmw_zenoh's conventions, makes of the vehicle behind a router.

    ros2_sdk_peer.py ROUTER_PORT DEFINITIONS

Prints a line for each topic and service with its types, for a message of a topic, and for two calls of a service. Definitions of
mrs_msgs are read from that folder; the package has none, and gets those of types within types from the network, so the topic
has a type without any. The hash of the service is that of its token. It cannot call services whose request has no fields.
"""

import os
import pathlib
import sys
import threading

from zenoh_ros2_sdk import (
    ROS2ServiceClient, ROS2Subscriber, get_service_info, get_service_names_and_types, get_topic_names_and_types)

# How much longer this machine takes than a usual one: see MachinePace in Tests/IntegrationKit.
PACE = max(1.0, float(os.environ.get("UAVLINK_TEST_PACE", "1")))
PORT = int(sys.argv[1])
FOLDER = pathlib.Path(sys.argv[2])
PLACE = {"domain_id": 0, "router_ip": "127.0.0.1", "router_port": PORT}

for name, types in get_topic_names_and_types(timeout=10 * PACE, **PLACE):
    print("topic", name, *types, flush=True)
for name, types in get_service_names_and_types(timeout=10 * PACE, **PLACE):
    print("service", name, *types, flush=True)

heard = threading.Event()


def take(message):
    if not heard.is_set():
        print("message", message.horizontal_speed, message.vertical_ascending_speed, flush=True)
        heard.set()


subscriber = ROS2Subscriber(
    topic="/uav1/control_manager/current_constraints", msg_type="mrs_msgs/msg/DynamicsConstraints", callback=take,
    msg_definition=(FOLDER / "mrs_msgs/msg/DynamicsConstraints.msg").read_text(), **PLACE)
if not heard.wait(20 * PACE):
    print("message none", flush=True)

arming = get_service_info("/uav1/hw_api/arming", timeout=10 * PACE, verbose=True, **PLACE)
client = ROS2ServiceClient(
    service_name="/uav1/hw_api/arming", srv_type="std_srvs/srv/SetBool", request_definition="bool data\n",
    response_definition="bool success\nstring message\n", type_hash=arming.servers[0].type_hash,
    timeout=20 * PACE, **PLACE)
for data in (True, False):
    answer = client.call(data=data)
    print("answer", None if answer is None else (bool(answer.success), answer.message), flush=True)
print("done", flush=True)
