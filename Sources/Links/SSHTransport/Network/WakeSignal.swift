#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import Synchronization
internal import SystemIO
internal import UAVLink

/// A self-pipe: any thread raises it, and the thread that polls it wakes up.
final class WakeSignal: Sendable {
    /// The descriptor to poll for reading.
    let readEnd: Int32
    private let writeEnd: Int32
    private let isRaised = Mutex(false)

    init() throws(LinkError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw LinkError(.internalFault, "cannot create a pipe for the SSH thread: \(SystemError.text(errno))")
        }
        for end in ends {
            _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        readEnd = ends[0]
        writeEnd = ends[1]
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    /// Wakes the polling thread; raising it again before it is lowered has no effect.
    func raise() {
        isRaised.withLock { raised in
            guard !raised else { return }
            raised = true
            var byte: UInt8 = 0
            _ = write(writeEnd, &byte, 1)
        }
    }

    /// Clears the signal; called by the polling thread before it checks what changed.
    func lower() {
        isRaised.withLock { raised in
            guard raised else { return }
            raised = false
            var byte: UInt8 = 0
            _ = read(readEnd, &byte, 1)
        }
    }
}
