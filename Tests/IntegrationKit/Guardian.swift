/// A small Python program that stands between the tests and every process they start.
///
/// It runs the command as its child, hands its own standard input on to it, and when that input ends, however the test
/// process ended, it ends the command and all that the command started. So a test that fails or crashes leaves nothing
/// behind. Its first line of output is `@pid N`, the command's process id.
enum Guardian {
    static let python = "/usr/bin/python3"

    /// Every process of the tests waits for its start: so it imports next to nothing, which takes a quarter of the time of
    /// `subprocess`, `threading` and `ctypes`.
    static let program = """
        import _signal as signal, posix as os, select, sys, time
        pace = \(MachinePace.factor)
        adopts = False
        try:
            import _ctypes
            prctl = _ctypes.dlsym(_ctypes.dlopen(None, 2), 'prctl')
            # PR_SET_CHILD_SUBREAPER: orphans below become ours
            adopts = _ctypes.call_cdeclfunction(prctl, (36, 1, 0, 0, 0)) == 0
        except Exception:
            pass
        def descendants():
            parents, dead = {}, set()
            try:
                for entry in os.listdir('/proc'):
                    if entry.isdigit():
                        try:
                            stat = os.open('/proc/%s/stat' % entry, os.O_RDONLY)
                            try:
                                fields = os.read(stat, 4096).rpartition(b')')[2].split()
                            finally:
                                os.close(stat)
                            if fields[0] == b'Z':
                                dead.add(int(entry))
                            parents.setdefault(int(fields[1]), []).append(int(entry))
                        except (OSError, IndexError):
                            pass
            except OSError:
                return [] if status is not None else [child]
            found, todo = [], [os.getpid()]
            while todo:
                for pid in parents.get(todo.pop(), []):
                    if pid not in dead:
                        found.append(pid)
                    todo.append(pid)
            return found
        def reap():
            global status
            if status is None:
                pid, code = os.waitpid(child, os.WNOHANG)
                if pid == child:
                    status = os.waitstatus_to_exitcode(code)
            return status is not None
        # Without a child we have no descendant, and need not look through all processes of the machine.
        def none_left():
            global status
            try:
                while True:
                    pid, code = os.waitpid(-1, os.WNOHANG)
                    if pid == child:
                        status = os.waitstatus_to_exitcode(code)
                    elif pid == 0:
                        return False
            except ChildProcessError:
                return adopts
        def end_all():
            for number, patience in ((signal.SIGTERM, 3.0 * pace), (signal.SIGKILL, 2.0 * pace)):
                until = time.monotonic() + patience
                while time.monotonic() < until:
                    # Twice: one that changes its parent while we look is missed once.
                    alive = [] if none_left() else descendants() or descendants()
                    if not alive:
                        return
                    if number is not None:
                        for pid in alive:
                            try:
                                os.kill(pid, number)
                            except OSError:
                                pass
                        number = None if number == signal.SIGTERM else number
                    time.sleep(0.02)
                    reap()
        status = None
        reading, writing = os.pipe()
        # Who ends the tests by their process group (Ctrl-C, timeout) must not end us before what we started.
        ours = [(number, signal.signal(number, signal.SIG_IGN)) for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)]
        child = os.fork()
        if child == 0:
            try:
                os.dup2(reading, 0)
                os.closerange(3, 65536)
                for number, before in ours + [(signal.SIGPIPE, signal.SIG_DFL), (signal.SIGXFSZ, signal.SIG_DFL)]:
                    signal.signal(number, before)
                # Said by the child itself before it becomes the command: said by us, it could come after the command's own output.
                os.write(1, b'@pid %d\\n' % os.getpid())
                os.execv(sys.argv[1], sys.argv[1:])
            except OSError as error:
                os.write(2, ('%s: %s\\n' % (sys.argv[1], error.strerror)).encode())
            finally:
                os._exit(127)
        os.close(reading)
        os.set_blocking(writing, False)
        poll = select.poll()
        try:
            watched = os.pidfd_open(child)
            poll.register(watched, select.POLLIN)
        except (AttributeError, OSError):
            watched = None
        poll.register(0, select.POLLIN)
        data = b''
        while not reap():
            ready = dict(poll.poll(None if watched is not None else 50))
            if data and writing in ready:
                try:
                    data = data[os.write(writing, data):]
                except BlockingIOError:
                    pass
                except OSError:
                    data = b''
                if not data:
                    poll.unregister(writing)
                    poll.register(0, select.POLLIN)
            elif 0 in ready:
                more = os.read(0, 65536)
                if not more:
                    end_all()
                    os._exit(0)
                data += more
                # Nothing more is read before the command has taken this; but an end of input is seen.
                poll.modify(0, 0)
                poll.register(writing, select.POLLOUT)
        end_all()
        os._exit(status if status >= 0 else 128 - status)
        """
}
