internal import Synchronization
internal import Threads

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Game controllers through SDL2, with its database of mappings and hot-plugging, on a dedicated thread that polls more than
/// 250 times a second.
///
/// Only SDL's controller subsystem is used: no window, no signal handlers; events are received without window focus.
package final class SDLGamepads: Gamepads {
    /// Additional mappings and a virtual controller.
    package struct Settings: Hashable, Sendable {
        /// A file of mappings (`gamecontrollerdb.txt`) added to SDL's own; ignored when it does not exist.
        package var mappingsFile: String?
        /// A named pipe or file with lines that control a virtual game controller, for tests and demonstrations. The pipe is
        /// created when nothing of that name exists.
        package var virtualController: String?

        /// Creates settings; by default SDL's own mappings and real controllers only.
        package init(mappingsFile: String? = nil, virtualController: String? = nil) {
            self.mappingsFile = mappingsFile
            self.virtualController = virtualController
        }
    }

    private struct Held {
        var state = GamepadsState.starting
        var lastInvalidLine: String?
    }

    /// The state shared by the thread and the owner; the thread does not retain the owner.
    private final class Shared: Sendable {
        let held = Mutex(Held())
        let isClosed = Atomic<Bool>(false)
    }

    private let shared = Shared()

    /// Whether an instance uses SDL. SDL has one device list and one event queue per process, which two users would
    /// take from each other; a second instance waits until the first is closed.
    private static let isTaken = Atomic<Bool>(false)

    /// The pause between polls: 333 per second, less the time that a poll takes.
    private static let pauseNanoseconds = 3_000_000

    /// Starts the search for controllers; returns at once.
    package init(_ settings: Settings = Settings()) {
        let shared = shared
        let hasStarted = DedicatedThread.start { Self.run(settings, shared) }
        if !hasStarted {
            Self.set(.unusable("cannot create a thread for game controllers; raise 'ulimit -u'"), shared)
        }
    }

    deinit { close() }

    /// The newest state.
    package var state: GamepadsState { shared.held.withLock { $0.state } }

    /// The last invalid line for the virtual controller.
    package var lastInvalidLine: String? { shared.held.withLock { $0.lastInvalidLine } }

    /// Closes the controllers; the thread ends within a few milliseconds.
    package func close() { shared.isClosed.store(true, ordering: .relaxed) }

    private static func run(_ settings: Settings, _ shared: Shared) {
        func isClosed() -> Bool { shared.isClosed.load(ordering: .relaxed) }
        while !isTaken.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged {
            guard !isClosed() else { return }
            pause()
        }
        defer { isTaken.store(false, ordering: .releasing) }
        do {
            let devices = try SDLDevices(settings)
            while !isClosed() {
                let state = devices.look()
                shared.held.withLock { held in
                    held.state = state
                    if let line = devices.lastInvalidLine { held.lastInvalidLine = line }
                }
                pause()
            }
            devices.end()
            set(.none, shared)
        } catch {
            set(.unusable(error.text), shared)
        }
    }

    private static func set(_ state: GamepadsState, _ shared: Shared) { shared.held.withLock { $0.state = state } }

    private static func pause() {
        var time = timespec(tv_sec: 0, tv_nsec: pauseNanoseconds)
        nanosleep(&time, nil)
    }
}
