#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import Testing

/// Unit tests do not sleep on the machine's clock: how long that takes depends on what else the machine does.
///
/// With `UAVLINK_TEST_WALL_CLOCK=refused` in the environment, as it is for unit tests, a task that does is an issue of its
/// test, whether the test sleeps or the code under test.
enum WallClockWaits {
    static let areRefused = getenv("UAVLINK_TEST_WALL_CLOCK").map { String(cString: $0) } == "refused"

    static func note(_ duration: Duration) {
        guard areRefused else { return }
        Issue.record("a unit test sleeps for \(duration) on the machine's clock; give the code a FakeClock")
    }

    /// Ends a process of unit tests in which nothing happens any more.
    static func hang() {
        guard areRefused else { return }
        let text = "error: a unit test hangs: no task of this process can go on, and none has for a minute\n"
        text.withCString { _ = write(STDERR_FILENO, $0, strlen($0)) }
        exit(70)
    }
}
