#!/usr/bin/env python3
"""A simulated vehicle of the MRS group in ROS 2, on the eclipse-zenoh package, for tests.

    mrs_node.py ROUTER_PORT [VEHICLE]

Written from what is known of the real flight stack, and of rmw_zenoh: names, types, hashes, refusals and sequences. It shares no
code and no definitions with the programs that fly it. Types of the standard packages and all serialisation are those of rosbags.
Like a node of rmw_zenoh it ends when it receives an attachment that is none, with a line that begins with "killed".

It prints "ready" once its tokens are declared, and a line for each command that it executes.
"""

import math
import os
import struct
import sys
import threading
import time

import numpy
import zenoh
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

PORT = int(sys.argv[1])
VEHICLE = sys.argv[2] if len(sys.argv) > 2 else "uav1"
STORE = get_typestore(Stores.ROS2_JAZZY)

DEFINITIONS = {
    "Reference": "geometry_msgs/Point position\nfloat64 heading\n",
    "ReferenceStamped": "std_msgs/Header header\nmrs_msgs/Reference reference\n",
    "VelocityReference": (
        "geometry_msgs/Vector3 velocity\nfloat64 altitude\nfloat64 heading\nfloat64 heading_rate\nbool use_altitude\n"
        "bool use_heading\nbool use_heading_rate\n"),
    "VelocityReferenceStamped": "std_msgs/Header header\nmrs_msgs/VelocityReference reference\n",
    "TrackerStatus": (
        "bool active\nbool callbacks_enabled\nuint8 state\nbool have_goal\nbool tracking_trajectory\n"
        "int32 trajectory_length\nint32 trajectory_idx\nmrs_msgs/ReferenceStamped trajectory_reference\n"),
    "ControllerStatus": "bool active\n",
    "ControlManagerDiagnostics": (
        "builtin_interfaces/Time stamp\nstring uav_name\nbool output_enabled\nbool flying_normally\n"
        "bool joystick_active\nbool bumper_active\nfloat64 desired_uav_state_rate\nstring active_tracker\n"
        "mrs_msgs/TrackerStatus tracker_status\nstring active_controller\n"
        "mrs_msgs/ControllerStatus controller_status\nstring[] available_controllers\nstring[] available_trackers\n"
        "bool[] human_switchable_controllers\nbool[] human_switchable_trackers\n"),
    "EstimationDiagnostics": (
        "std_msgs/Header header\nstring child_frame_id\ngeometry_msgs/Pose pose\ngeometry_msgs/Twist velocity\n"
        "geometry_msgs/Accel acceleration\nfloat64 agl_height\nfloat64 max_flight_z\nstring sm_state\n"
        "string current_state_estimator\nstring estimator_horizontal\nstring estimator_vertical\n"
        "string estimator_heading\nstring estimator_agl_height\nuint32 estimation_rate\nuint32 estimator_iteration\n"
        "string[] running_state_estimators\nstring[] switchable_state_estimators\nstring platform_config\n"
        "string custom_config\n"),
    "Float64Stamped": "std_msgs/Header header\nfloat64 value\n",
    "HwApiStatus": "builtin_interfaces/Time stamp\nbool connected\nbool armed\nbool offboard\nstring mode\n",
}
SERVICES = {
    "std_srvs/srv/Trigger": ("", "bool success\nstring message\n"),
    "std_srvs/srv/SetBool": ("bool data\n", "bool success\nstring message\n"),
    "mrs_msgs/srv/Vec4": ("float64[4] goal\n", "bool success\nstring message\n"),
}
# As Jazzy's tools compute them.
HASHES = {
    "std_srvs/srv/Trigger": "eeff2cd6fa5ad9d27cdf4dec64818317839b62f212a91e6b5304b634b2062c5f",
    "std_srvs/srv/SetBool": "abe9e4bb6b41b40e6789712c00ec8871923e089af3f667a79992a428cff2da0a",
    "mrs_msgs/srv/Vec4": "f5be046275a8c7c23ae92e229d8a80575cd7c52d3ada4bfc314ebc2a45bbc2f0",
    "mrs_msgs/msg/VelocityReferenceStamped": "ff3cb15a2a03d6521933ff17b77c6dadd70e952a37fab3c634831e0d7d70796f",
    "mrs_msgs/msg/ControlManagerDiagnostics": "31bffff4a91f3b54972736caf693021037187c6f0d419beec5f35eee5818a9ff",
    "mrs_msgs/msg/EstimationDiagnostics": "2297316cdf9fe0edcd3c1f435417c09756866e52f6d7e7b60d91c475559ec922",
    "mrs_msgs/msg/HwApiStatus": "daf06f76c80fc88deabb89af07512495f4e378d3ca7f5545d43a14218575de1c",
    "mrs_msgs/msg/Float64Stamped": "edf271703813beb4b6c4d910a816934be2d4ab4dd2566e9c9aef894392f48733",
    "nav_msgs/msg/Odometry": "3cc97dc7fb7502f8714462c526d369e35b603cfc34d946e3f2eda2766dfec6e0",
    "sensor_msgs/msg/BatteryState": "4bee5dfce981c98faa6828b868307a0a73f992ed0789f374ee96c8f840e69741",
    "sensor_msgs/msg/NavSatFix": "62223ab3fe210a15976021da7afddc9e200dc9ec75231c1b6a557fc598a65404",
}

for name, text in DEFINITIONS.items():
    STORE.register(get_types_from_msg(text, f"mrs_msgs/msg/{name}"))
for name, sides in SERVICES.items():
    package, _, base = name.split("/")
    for side, text in zip(("_Request", "_Response"), sides):
        made = get_types_from_msg(text, f"{package}/msg/{base}{side}")
        STORE.register({f"{package}/srv/{base}{side}": made[f"{package}/msg/{base}{side}"]})
for name, expected in HASHES.items():
    if "/msg/" in name and STORE.hash_rihs01(name) != f"RIHS01_{expected}":
        sys.exit(f"the hash of {name} is {STORE.hash_rihs01(name)}")


def say(*words):
    print(*words, flush=True)


def of(name, **fields):
    """A message; what is not given is zero."""
    known = dict(STORE.fielddefs[name][1])
    values = {}
    for field, desc in known.items():
        if field in fields:
            values[field] = fields.pop(field)
        elif desc[0].name == "BASE":
            base = desc[1][0]
            values[field] = "" if base == "string" else False if base == "bool" else (
                0.0 if base.startswith("float") else 0)
        elif desc[0].name == "NAME":
            values[field] = of(desc[1])
        else:
            inner, count = desc[1]
            numbers = inner[0].name == "BASE" and inner[1][0] != "string"
            values[field] = numpy.zeros(count if desc[0].name == "ARRAY" else 0, inner[1][0]) if numbers else []
    if fields:
        raise KeyError(f"{name} has no {', '.join(fields)}")
    return STORE.types[name](**values)


def stamp():
    now = time.time_ns()
    return of("builtin_interfaces/msg/Time", sec=now // 10**9, nanosec=now % 10**9)


def header(frame):
    return of("std_msgs/msg/Header", stamp=stamp(), frame_id=frame)


def in_dds(name):
    package, role, base = name.split("/")
    return f"{package}::{role}::dds_::{base}_"


def checked(attachment, what):
    """The sequence and the sender of an attachment. Another one ends the process, as it does with rmw_zenoh."""
    raw = b"" if attachment is None else bytes(attachment)
    if len(raw) != 33 or raw[16] != 16:
        say("killed", what, "with an attachment of", len(raw), "bytes")
        os._exit(1)
    return raw[:8], raw[16:]


class Node:
    def __init__(self):
        config = zenoh.Config()
        config.insert_json5("mode", '"client"')
        config.insert_json5("scouting/multicast/enabled", "false")
        config.insert_json5("connect/endpoints", f'["tcp/127.0.0.1:{PORT}"]')
        self.session = zenoh.open(config)
        self.identity = str(self.session.info.zid())
        self.kept = []
        self.count = 0
        for number, name in enumerate(sorted({"control_manager", "estimation_manager", "hw_api", "uav_manager"})):
            self.declare(f"@ros2_lv/0/{self.identity}/{number}/{number}/NN/%/%{VEHICLE}/{name}")

    def declare(self, token):
        self.kept.append(self.session.liveliness().declare_token(token))

    def endpoint(self, kind, name, type_):
        """Declares its token; its key."""
        self.count += 1
        node = name.split("/")[0]
        dds, hash_ = in_dds(type_), f"RIHS01_{HASHES[type_]}"
        quality = "::,10:,:,:,," if kind in ("SS", "SC") else "::,1:,:,:,,"
        self.declare(
            f"@ros2_lv/0/{self.identity}/0/{100 + self.count}/{kind}/%/%{VEHICLE}/{node}/%{VEHICLE}%"
            f"{name.replace('/', '%')}/{dds}/{hash_}/{quality}")
        return f"0/{VEHICLE}/{name}/{dds}/{hash_}"

    def publisher(self, name, type_):
        return Publisher(self, self.endpoint("MP", name, type_), type_)

    def serve(self, name, type_, answer):
        def reply(query):
            sequence, sender = checked(query.attachment, f"a request to {name}")
            request = STORE.deserialize_cdr(bytes(query.payload), type_ + "_Request")
            success, words = answer(request)
            say("executed" if success else "refused", name, words)
            response = of(type_ + "_Response", success=success, message=words)
            query.reply(
                query.key_expr, bytes(STORE.serialize_cdr(response, type_ + "_Response")),
                attachment=sequence + struct.pack("<q", time.time_ns()) + sender)

        self.kept.append(self.session.declare_queryable(self.endpoint("SS", name, type_), reply, complete=True))

    def subscribe(self, name, type_, take):
        def receive(sample):
            checked(sample.attachment, f"a message of {name}")
            take(STORE.deserialize_cdr(bytes(sample.payload), type_))

        self.kept.append(self.session.declare_subscriber(self.endpoint("MS", name, type_), receive))


class Publisher:
    def __init__(self, node, key, type_):
        self.type, self.sequence, self.sender = type_, 0, os.urandom(16)
        self.publisher = node.session.declare_publisher(key)

    def put(self, **fields):
        self.sequence += 1
        attachment = struct.pack("<qqB", self.sequence, time.time_ns(), 16) + self.sender
        self.publisher.put(bytes(STORE.serialize_cdr(of(self.type, **fields), self.type)), attachment=attachment)


class Vehicle:
    """Where it is, and what it does about it. A tracker of one line: towards the goal, or along the stick."""

    LIMIT = 2.0

    def __init__(self):
        self.lock = threading.Lock()
        self.armed = self.offboard = self.output = False
        self.tracker = "NullTracker"
        self.place, self.speed = numpy.zeros(3), numpy.zeros(3)
        self.goal = None
        self.stick, self.stick_until = numpy.zeros(3), 0.0

    # What it is told.

    def arm(self, request):
        with self.lock:
            if not request.data and self.place[2] > 0.1:
                return False, "can not disarm in the air"
            self.armed = bool(request.data)
            return True, "armed" if request.data else "disarmed"

    def switch(self, request):
        with self.lock:
            if request.data and not self.armed:
                return False, ""
            self.output = bool(request.data)
            return True, "output switched"

    def go_offboard(self, _):
        with self.lock:
            if not self.armed:
                return False, "Cannot switch to offboard, not armed."
            self.offboard = True
            return True, "offboard"

    def take_off(self, _):
        with self.lock:
            if not self.armed:
                return False, "can not takeoff, UAV not armed!"
            if not self.offboard:
                return False, "can not takeoff, UAV not in offboard mode!"
            if not self.output:
                return False, "can not takeoff, Control Manager's output is disabled!"
            if self.tracker != "NullTracker":
                return False, "can not takeoff, need 'NullTracker' to be active!"
            self.tracker, self.goal = "LandoffTracker", self.place + [0, 0, 1.5]
            return True, "taking off"

    def land(self, _):
        with self.lock:
            if self.tracker == "NullTracker":
                return False, "can not land, 'NullTracker' is active!"
            self.tracker, self.goal = "LandoffTracker", self.place * [1, 1, 0]
            return True, "landing initiated"

    def hover(self, _):
        with self.lock:
            self.goal, self.stick_until = None, 0
            return True, "initiating hover"

    def go_to(self, request):
        with self.lock:
            if self.tracker != "MpcTracker":
                return False, f"the tracker '{self.tracker}' does not implement the 'setReference()' function!"
            if not numpy.isfinite(request.goal).all():
                return False, "incoming reference is not finite!!!"
            self.goal, self.stick_until = numpy.array(request.goal[:3]), 0
            return True, "reference set"

    def steer(self, message):
        velocity = message.reference.velocity
        with self.lock:
            if self.tracker == "MpcTracker":
                self.stick = numpy.array([velocity.x, velocity.y, velocity.z])
                self.stick_until, self.goal = time.monotonic() + 0.5, None

    # What it does.

    def step(self, seconds):
        with self.lock:
            wanted = numpy.zeros(3)
            if self.goal is not None:
                way = self.goal - self.place
                distance = numpy.linalg.norm(way)
                if distance < 0.02:
                    self.arrive()
                else:
                    wanted = way / distance * min(self.LIMIT, 1.5 * distance + 0.1)
            elif time.monotonic() < self.stick_until:
                wanted = self.stick
            change = wanted - self.speed
            size = numpy.linalg.norm(change)
            self.speed = self.speed + change * min(1, 4 * seconds / size if size else 0)
            self.place = self.place + self.speed * seconds
            self.place[2] = max(0, self.place[2])

    def arrive(self):
        is_landing = self.tracker == "LandoffTracker" and self.goal[2] < 0.1
        self.goal = None
        if is_landing:
            self.tracker, self.armed, self.output = "NullTracker", False, False
            self.offboard = False
            say("landed")
        elif self.tracker == "LandoffTracker":
            self.tracker = "MpcTracker"
            say("flying")


def main():
    node, vehicle = Node(), Vehicle()
    trigger, switch = "std_srvs/srv/Trigger", "std_srvs/srv/SetBool"
    node.serve("hw_api/arming", switch, vehicle.arm)
    node.serve("control_manager/toggle_output", switch, vehicle.switch)
    node.serve("hw_api/offboard", trigger, vehicle.go_offboard)
    node.serve("uav_manager/takeoff", trigger, vehicle.take_off)
    node.serve("uav_manager/land", trigger, vehicle.land)
    node.serve("control_manager/hover", trigger, vehicle.hover)
    node.serve("control_manager/goto", "mrs_msgs/srv/Vec4", vehicle.go_to)
    node.subscribe("control_manager/velocity_reference", "mrs_msgs/msg/VelocityReferenceStamped", vehicle.steer)
    odometry = node.publisher("estimation_manager/odom_main", "nav_msgs/msg/Odometry")
    estimation = node.publisher("estimation_manager/diagnostics", "mrs_msgs/msg/EstimationDiagnostics")
    height = node.publisher("estimation_manager/height_agl", "mrs_msgs/msg/Float64Stamped")
    control = node.publisher("control_manager/diagnostics", "mrs_msgs/msg/ControlManagerDiagnostics")
    hardware = node.publisher("hw_api/status", "mrs_msgs/msg/HwApiStatus")
    battery = node.publisher("hw_api/battery_state", "sensor_msgs/msg/BatteryState")
    gnss = node.publisher("hw_api/gnss", "sensor_msgs/msg/NavSatFix")
    say("ready")

    frame, period, ticks = f"{VEHICLE}/gps_garmin_origin", 0.01, 0
    due = before = time.monotonic()
    while True:
        now = time.monotonic()
        vehicle.step(min(now - before, 0.1))
        before = now
        x, y, z = (float(value) for value in vehicle.place)
        point = of("geometry_msgs/msg/Point", x=x, y=y, z=z)
        linear = of("geometry_msgs/msg/Vector3", **dict(zip("xyz", map(float, vehicle.speed))))
        pose = of(
            "geometry_msgs/msg/Pose", position=point, orientation=of("geometry_msgs/msg/Quaternion", w=1.0))
        twist = of("geometry_msgs/msg/Twist", linear=linear)
        odometry.put(
            header=header(frame), child_frame_id=f"{VEHICLE}/fcu",
            pose=of("geometry_msgs/msg/PoseWithCovariance", pose=pose),
            twist=of("geometry_msgs/msg/TwistWithCovariance", twist=twist))
        if ticks % 2 == 0:
            hardware.put(stamp=stamp(), connected=True, armed=vehicle.armed, offboard=vehicle.offboard, mode="")
            height.put(header=header(frame), value=z)
        if ticks % 10 == 0:
            tracker = of(
                "mrs_msgs/msg/TrackerStatus", active=True, callbacks_enabled=vehicle.tracker != "LandoffTracker",
                have_goal=vehicle.goal is not None)
            flies = vehicle.tracker == "MpcTracker"
            control.put(
                stamp=stamp(), uav_name=VEHICLE, output_enabled=vehicle.output, flying_normally=flies,
                active_tracker=vehicle.tracker, tracker_status=tracker,
                active_controller="Se3Controller" if flies else "MpcController")
            estimation.put(
                header=header(frame), pose=pose, velocity=twist, agl_height=z, max_flight_z=30.0,
                current_state_estimator="gps_garmin")
            battery.put(header=header(""), voltage=15.8, current=12.5, percentage=math.nan)
            gnss.put(header=header(f"{VEHICLE}/fcu"), latitude=47.397743, longitude=8.545594, altitude=340.0 + z)
        ticks += 1
        due = max(due + period, time.monotonic() - 0.1)
        time.sleep(max(0, due - time.monotonic()))


main()
