#!/usr/bin/env python3
"""A ground of others: djitellopy (PyPI) flies the emulated Tello at the address that is given.

It binds the ports 8889 and 8890 itself, so it runs in a network of its own. Prints one JSON object at the end.
"""
import json
import os
import sys
import time
import types


class Absent(types.ModuleType):
    """Stands for a module that djitellopy imports for video only."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {})


for name in ("av", "cv2", "numpy"):
    sys.modules[name] = Absent(name)

from djitellopy import Tello, TelloException  # noqa: E402

Tello.LOGGER.setLevel("ERROR")
drone = Tello(host=sys.argv[1], retry_count=1)
seen = {}
# How much longer this machine takes than a usual one: see MachinePace in Tests/IntegrationKit.
PACE = max(1.0, float(os.environ.get("UAVLINK_TEST_PACE", "1")))


def wait_for(what, condition):
    """The state comes ten times a second; a busy machine may take its time."""
    end = time.monotonic() + 20 * PACE
    while not condition():
        if time.monotonic() > end:
            raise SystemExit(f"no {what}: {drone.get_current_state()}")
        time.sleep(0.05)


drone.connect()
seen["battery"] = drone.query_battery()
seen["sdk"] = drone.query_sdk_version()
seen["serial"] = drone.query_serial_number()
seen["state"] = drone.get_battery()
drone.enable_mission_pads()
drone.set_mission_pad_detection_direction(0)
wait_for("pad", lambda: drone.get_mission_pad_id() == 1)
drone.set_speed(100)
drone.takeoff()
wait_for("height", lambda: drone.get_distance_tof() > 50)
drone.move_forward(60)
drone.rotate_clockwise(90)
wait_for("turn", lambda: drone.get_yaw() >= 85)
drone.go_xyz_speed(50, 0, 20, 100)
drone.curve_xyz_speed(50, 50, 0, 100, 0, 0, 60)
drone.flip_left()
drone.send_rc_control(0, 0, 20, 0)
time.sleep(0.3)
drone.send_rc_control(0, 0, 0, 0)
try:
    drone.send_control_command("forward 10")
    seen["refusal"] = None
except TelloException as error:
    seen["refusal"] = str(error)
# The pad is not below it any more.
try:
    drone.go_xyz_speed_mid(0, 0, 80, 100, 1)
    seen["lost_pad"] = None
except TelloException as error:
    seen["lost_pad"] = str(error)
drone.land()
wait_for("landing", lambda: drone.get_distance_tof() <= 10)
seen["done"] = True
print(json.dumps(seen))
