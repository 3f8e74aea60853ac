/// A small Python program that stands between the tests and every process they start.
///
/// It runs the command as its child, hands its own standard input on to it, and when that input ends, however the test
/// process ended, it ends the command and all that the command started. So a test that fails or crashes leaves nothing
/// behind. Its first line of output is `@pid N`, the command's process id.
enum Guardian {
    static let python = "/usr/bin/python3"

    static let program = """
        import ctypes, os, signal, subprocess, sys, threading, time
        pace = \(MachinePace.factor)
        try:
            ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER: orphans below become ours
        except Exception:
            pass
        def descendants():
            parents, dead = {}, set()
            try:
                for entry in os.listdir('/proc'):
                    if entry.isdigit():
                        try:
                            with open('/proc/%s/stat' % entry) as stat:
                                fields = stat.read().rpartition(')')[2].split()
                            if fields[0] == 'Z':
                                dead.add(int(entry))
                            parents.setdefault(int(fields[1]), []).append(int(entry))
                        except OSError:
                            pass
            except OSError:
                return []
            found, todo = [], [os.getpid()]
            while todo:
                for pid in parents.get(todo.pop(), []):
                    if pid not in dead:
                        found.append(pid)
                    todo.append(pid)
            return found
        def end_all():
            for number, patience in ((signal.SIGTERM, 3.0 * pace), (signal.SIGKILL, 2.0 * pace)):
                until = time.monotonic() + patience
                while time.monotonic() < until:
                    # Twice: one that changes its parent while we look is missed once.
                    alive = descendants() or descendants()
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
                    child.poll()
        # Said by the child itself before it becomes the command: said by us, it could come after the command's own output.
        child = subprocess.Popen(
            sys.argv[1:], stdin=subprocess.PIPE, preexec_fn=lambda: os.write(1, b'@pid %d\\n' % os.getpid()))
        def feed():
            while True:
                data = os.read(0, 65536)
                if not data:
                    end_all()
                    os._exit(0)
                try:
                    os.write(child.stdin.fileno(), data)
                except OSError:
                    pass
        threading.Thread(target=feed, daemon=True).start()
        status = child.wait()
        end_all()
        os._exit(status if status >= 0 else 128 - status)
        """
}
