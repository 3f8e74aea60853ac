internal import Synchronization
package import SystemIO
internal import Threads
package import UAVLink

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// An ``EmulatedRobot`` behind a pseudo terminal, with a thread of its own.
package final class BlunoEmulator: Sendable {
    private struct State {
        var robot: EmulatedRobot
        /// Whether it neither reads nor writes.
        var isDeaf = false
        var isEnding = false
        var hasEnded = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    /// The path of the port to open: `/dev/pts/5`.
    package let path: String
    private let near: OwnedDescriptor
    /// Kept open, so that the port's settings and the pseudo terminal outlive the programs that open it.
    private let far: OwnedDescriptor
    private let waker: Waker
    private let clock: any MonotonicClock
    private let state: Mutex<State>

    private static let step: Duration = .milliseconds(10)

    /// Opens a pseudo terminal and switches the robot on.
    ///
    /// - Throws: ``SystemIO/SocketError`` if the system has no more pseudo terminals, descriptors or threads.
    package init(
        _ settings: EmulatedRobot.Settings = .init(), clock: any MonotonicClock = SystemMonotonicClock()
    ) throws(SocketError) {
        var (nearNumber, farNumber): (Int32, Int32) = (-1, -1)
        guard openpty(&nearNumber, &farNumber, nil, nil, nil) == 0 else {
            throw SocketError(
                .systemFailure, "cannot open a pseudo terminal: \(SystemError.text(errno))",
                hint: "close programs with terminals")
        }
        (near, far) = (OwnedDescriptor(nearNumber), OwnedDescriptor(farNumber))
        near.closeOnExec()
        far.closeOnExec()
        near.makeNonBlocking()
        var name = [CChar](repeating: 0, count: 128)
        var raw = termios()
        guard ttyname_r(farNumber, &name, name.count) == 0, tcgetattr(farNumber, &raw) == 0 else {
            throw SocketError(.systemFailure, "the pseudo terminal has no name", hint: "is /dev/pts mounted?")
        }
        path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // What the robot says must not come back to it as an echo.
        cfmakeraw(&raw)
        tcsetattr(farNumber, TCSANOW, &raw)
        waker = try Waker()
        self.clock = clock
        state = Mutex(State(robot: EmulatedRobot(settings, now: Self.seconds(clock.now))))
        guard DedicatedThread.start({ [self] in run() }) else {
            throw SocketError(.systemFailure, "cannot create a thread", hint: "raise 'ulimit -u'")
        }
    }

    /// The robot as it is now.
    package var robot: EmulatedRobot { state.withLock { $0.robot } }

    /// Neither reads nor writes from now on, as a board that hangs; what is sent to it fills the port.
    package func deafen(_ isDeaf: Bool = true) { state.withLock { $0.isDeaf = isDeaf } }

    /// Unplugs it: the port is gone when this returns.
    package func end() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                state.isEnding = true
                if !state.hasEnded { state.waiters.append(continuation) }
                return state.hasEnded
            }
            waker.wake()
            if isOver { continuation.resume() }
        }
    }

    private func run() {
        var poller = Poller()
        var buffer = [UInt8](repeating: 0, count: 1024)
        while !state.withLock({ $0.isEnding }) {
            let isDeaf = state.withLock { $0.isDeaf }
            poller.reset()
            let wakerPlace = poller.add(waker.descriptor)
            // A negative descriptor is never ready.
            let place = poller.add(isDeaf ? -1 : near.number)
            poller.waitPrecisely(Self.step)
            if poller.isReady(wakerPlace) { waker.clear() }
            let now = Self.seconds(clock.now)
            state.withLock { state in
                state.robot.advance(to: now)
                guard !isDeaf else { return }
                if poller.isReady(place) {
                    let count = read(near.number, &buffer, buffer.count)
                    if count > 0 { state.robot.receive(buffer.prefix(count)) }
                }
                let output = state.robot.takeOutput()
                // What nobody reads is lost, as on a real board.
                if !output.isEmpty { _ = write(near.number, output, output.count) }
            }
        }
        // As an unplugged board: whoever has it open is told.
        shut()
        let waiters = state.withLock { state in
            state.hasEnded = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Puts a closed pipe in the pseudo terminal's place, which closes it while its owner lives on.
    private func shut() {
        guard let pipe = try? OwnedDescriptor.pipe() else { return }
        dup2(pipe.reading.number, near.number)
        near.closeOnExec()
    }

    private static func seconds(_ time: MonotonicTime) -> Double { Double(time.nanoseconds) / 1e9 }
}
