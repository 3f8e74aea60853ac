internal import Synchronization
internal import Threads

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Game controllers through SDL2: its database of mappings, plugging in and out at any time, on a thread of its own that
/// looks more than 250 times a second.
///
/// Only SDL's part for controllers is used: no window, no signal handlers, and controllers are heard although no window of
/// ours has the focus.
public final class SDLGamepads: Gamepads {
    /// Where further mappings are, and a virtual controller's lines come from.
    public struct Settings: Hashable, Sendable {
        /// A file of mappings (`gamecontrollerdb.txt`) that are added to SDL's own; one that is not there is left out.
        public var mappingsFile: String?
        /// A named pipe or file with lines that move a virtual game controller, for tests and demonstrations. The pipe is
        /// made when nothing of that name is there.
        public var virtualController: String?

        /// SDL's own mappings, real controllers only.
        public init(mappingsFile: String? = nil, virtualController: String? = nil) {
            self.mappingsFile = mappingsFile
            self.virtualController = virtualController
        }
    }

    private struct Held {
        var state = GamepadsState.starting
        var misunderstood: String?
    }

    /// What the thread and the owner share; the thread does not hold the owner.
    private final class Shared: Sendable {
        let held = Mutex(Held())
        let isClosed = Atomic<Bool>(false)
    }

    private let shared = Shared()

    /// SDL has one list of devices and one queue of events for the process: a second user would take the first one's. So
    /// this one word is the process's, as SDL is; whoever finds it taken waits until the other is closed.
    private static let isTaken = Atomic<Bool>(false)

    /// Looks 333 times a second, less what a look takes.
    private static let pauseNanoseconds = 3_000_000

    /// Begins to look for controllers; returns at once.
    public init(_ settings: Settings = Settings()) {
        let shared = shared
        let hasStarted = OwnThread.start { Self.run(settings, shared) }
        if !hasStarted {
            Self.set(.unusable("no thread could be started for game controllers; raise 'ulimit -u'"), shared)
        }
    }

    deinit { close() }

    /// The newest known.
    public var state: GamepadsState { shared.held.withLock { $0.state } }

    /// The newest line for the virtual controller that was not understood.
    public var misunderstood: String? { shared.held.withLock { $0.misunderstood } }

    /// Lets go of the controllers; the thread ends within a few milliseconds.
    public func close() { shared.isClosed.store(true, ordering: .relaxed) }

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
                    if let line = devices.misunderstood { held.misunderstood = line }
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
