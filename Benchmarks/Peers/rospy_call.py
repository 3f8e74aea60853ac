"""A persistent rospy proxy that calls one service: rospy_call.py SERVICE [NUMBER...]

The service's type is asked for at the service itself; the numbers are its request's goal (mrs_msgs/Vec4 and the like).
"""

import sys

import rospy
import rosservice

from pace import serve_runs

service = sys.argv[1]
rospy.init_node("uavlink_bench_proxy", disable_signals=True, disable_rostime=False)
rospy.wait_for_service(service, timeout=20)
service_type = rosservice.get_service_class_by_name(service)
proxy = rospy.ServiceProxy(service, service_type, persistent=True)
numbers = [float(word) for word in sys.argv[2:]]
if len(numbers) > 1:
    request = service_type._request_class(goal=numbers)
elif numbers:
    request = service_type._request_class(goal=numbers[0])
else:
    request = service_type._request_class()


def call():
    proxy(request)


answer = proxy(request)
sys.stderr.write("%s: %s %s\n" % (service, answer.success, answer.message))
serve_runs(call)
