"""A service called through rosbridge with roslibpy: rosbridge_call.py SERVICE X Y Z HEADING

The server is a second process (rosbridge_server.py) on a free port of the loopback; ROS answers behind it.
"""

import os
import subprocess
import sys

import roslibpy

from pace import serve_runs

service_name, *numbers = sys.argv[1:]
server = subprocess.Popen(
    [sys.executable, os.path.join(os.path.dirname(os.path.abspath(__file__)), "rosbridge_server.py")],
    stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
port = int(server.stdout.readline().split()[-1])
ros = roslibpy.Ros(host="127.0.0.1", port=port)
ros.run(timeout=20)
service = roslibpy.Service(ros, service_name, "mrs_msgs/Vec4")
request = roslibpy.ServiceRequest({"goal": [float(word) for word in numbers]})


def call():
    answer = service.call(request, timeout=5)
    if not answer["success"]:
        sys.exit("%s was refused: %s" % (service_name, answer["message"]))


try:
    call()
    serve_runs(call)
finally:
    ros.terminate()
    # It ends with its standard input.
    server.stdin.close()
