"""A persistent rospy proxy that calls one service: rospy_call.py [--reading TOPIC] SERVICE [NUMBER...]

The service's type is asked for at the service itself; the numbers are its request's goal (mrs_msgs/Vec4 and the like). Messages of a
topic come meanwhile, and are decoded.
"""

import sys

import rospy
import rosservice
import rostopic

from pace import serve_runs

arguments = sys.argv[1:]
topic = arguments[1] if arguments[0] == "--reading" else None
service, *numbers = arguments[2:] if topic else arguments
rospy.init_node("uavlink_bench_proxy", disable_signals=True, disable_rostime=False)
rospy.wait_for_service(service, timeout=20)
service_type = rosservice.get_service_class_by_name(service)
proxy = rospy.ServiceProxy(service, service_type, persistent=True)
numbers = [float(word) for word in numbers]
if len(numbers) > 1:
    request = service_type._request_class(goal=numbers)
elif numbers:
    request = service_type._request_class(goal=numbers[0])
else:
    request = service_type._request_class()


def call():
    proxy(request)


if topic:
    message_type = rostopic.get_topic_class(topic, blocking=True)[0]
    subscriber = rospy.Subscriber(topic, message_type, lambda message: None, tcp_nodelay=True)
    rospy.wait_for_message(topic, message_type, timeout=20)
answer = proxy(request)
sys.stderr.write("%s: %s %s\n" % (service, answer.success, answer.message))
serve_runs(call)
