extension PersistentCalls {
    /// What Python reads first: the length of the program in a line of its own, and the program.
    public static let input = Array("\(program.utf8.count)\n\(program)".utf8)

    /// As a roboticist would write it: one node, persistent proxies, one publisher. ASCII only: its length is counted in characters.
    ///
    /// Whatever else is printed, by rospy too, goes to standard error. A call without an answer for 30 s ends the process, since it
    /// would not notice that its input has ended. The log of the node is in a folder of its own, which is removed.
    static let program = #"""
        import binascii, io, os, shutil, sys, tempfile, threading, time
        answers = os.fdopen(os.dup(1), 'w')
        os.dup2(2, 1)
        logs = tempfile.mkdtemp(prefix='uavlink-laboratory-')
        os.environ['ROS_LOG_DIR'] = logs
        busy = [None]
        def leave(status):
            shutil.rmtree(logs, ignore_errors=True)
            os._exit(status)
        def watch():
            while True:
                time.sleep(1)
                since = busy[0]
                if since is not None and time.monotonic() - since > 30:
                    leave(3)
        threading.Thread(target=watch, daemon=True).start()
        busy[0] = time.monotonic()
        try:
            import rospy, roslib.message
            rospy.init_node('uavlink_laboratory', anonymous=True, disable_signals=True, disable_rosout=True)
        except Exception as error:
            sys.stderr.write('%s: %s\n' % (type(error).__name__, error))
            leave(1)
        proxies, publishers = {}, {}
        def bytes_of(text):
            return b'' if text == '-' else binascii.unhexlify(text)
        def hex_of(data):
            return binascii.hexlify(data).decode() or '-'
        def publisher(topic, kind):
            if topic not in publishers:
                message = roslib.message.get_message_class(kind)
                if message is None:
                    raise Exception('no message type ' + kind)
                publishers[topic] = (rospy.Publisher(topic, message, queue_size=1, tcp_nodelay=True), message)
            return publishers[topic]
        def call(name, kind, request):
            if name not in proxies:
                service = roslib.message.get_service_class(kind)
                if service is None:
                    raise Exception('no service type ' + kind)
                proxies[name] = (rospy.ServiceProxy(name, service, persistent=True), service)
            proxy, service = proxies[name]
            message = service._request_class()
            message.deserialize(bytes_of(request))
            began = time.perf_counter_ns()
            try:
                response = proxy(message)
            except Exception:
                proxies.pop(name, None)
                proxy.close()
                raise
            waited = time.perf_counter_ns() - began
            data = io.BytesIO()
            response.serialize(data)
            return '=', waited, hex_of(data.getvalue())
        def steer(topic, kind, data):
            out, message = publisher(topic, kind)
            value = message()
            value.deserialize(bytes_of(data))
            out.publish(value)
            return '>', 0, str(out.impl.seq)
        def open_topic(topic, kind):
            out, _ = publisher(topic, kind)
            end = time.monotonic() + 5
            while out.get_num_connections() == 0 and time.monotonic() < end:
                time.sleep(0.01)
            return '+', 0, str(out.get_num_connections())
        def cost():
            return '%', 0, str(time.process_time_ns())
        actions = {'call': call, 'steer': steer, 'open': open_topic, 'cost': cost}
        answers.write('0 + 0 0 0\n')
        answers.flush()
        while True:
            busy[0] = None
            line = sys.stdin.readline()
            began = time.perf_counter_ns()
            busy[0] = time.monotonic()
            if not line:
                break
            words = line.split()
            try:
                sign, waited, data = actions[words[1]](*words[2:])
            except Exception as error:
                sign, waited, data = '!', 0, hex_of(str(error).encode())
            inside = 0 if sign == '%' else time.perf_counter_ns() - began
            try:
                answers.write('%s %s %d %d %s\n' % (words[0], sign, inside, waited, data))
                answers.flush()
            except (IndexError, OSError):
                break
        rospy.signal_shutdown('the input has ended')
        leave(0)

        """#
}
