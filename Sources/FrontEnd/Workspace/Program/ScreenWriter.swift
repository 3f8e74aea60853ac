internal import Dispatch
#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import Synchronization
internal import TextScreen

/// Writes canvases to the terminal on a dedicated thread, so that a slow or blocked terminal delays nothing else;
/// newest-wins.
final class ScreenWriter: Sendable {
    private struct State {
        var canvas: Canvas?
        /// The number of the newest canvas.
        var newest = 0
        /// The number of the newest one that was written.
        var written = 0
        var request: [UInt8] = []
        var needsFullRepaint = false
        var rings = false
        var isHeld = false
        var isWriting = false
        var isEnded = false
    }

    /// Starts a thread; `false` when it cannot be started.
    typealias StartThread = (@escaping @Sendable () -> Void) -> Bool

    private let terminal: any ScreenTerminal
    private let appearance: Appearance
    private let state = Mutex(State())
    private let wake = DispatchSemaphore(value: 0)

    init(terminal: any ScreenTerminal, appearance: Appearance) {
        self.terminal = terminal
        self.appearance = appearance
    }

    /// Starts the thread.
    ///
    /// - Throws: ``TerminalDevice/Failure/noThread(_:)``.
    func start(_ startThread: StartThread) throws(TerminalDevice.Failure) {
        guard startThread({ [self] in run() }) else { throw .noThread("screen") }
    }

    /// Sets the next canvas to write; returns the number of this frame.
    func show(_ canvas: Canvas) -> Int {
        let number = state.withLock { state in
            state.canvas = canvas
            state.newest &+= 1
            return state.newest
        }
        wake.signal()
        return number
    }

    /// The number of the newest frame that was written; 0 before the first one.
    var newestFrame: Int { state.withLock { $0.written } }

    /// Queues a request to the terminal.
    func ask(_ bytes: [UInt8]) {
        // A blocked terminal gets one request only.
        state.withLock { if $0.request.isEmpty { $0.request = bytes } }
        wake.signal()
    }

    /// Rings the terminal's bell; once, however often it is called meanwhile.
    func ring() {
        state.withLock { $0.rings = true }
        wake.signal()
    }

    /// Marks the screen's contents as unknown: the next canvas is painted completely.
    func invalidate() { state.withLock { $0.needsFullRepaint = true } }

    /// Stops writing until ``release()``; returns when no write is in progress, or after ``holdTimeout``.
    func hold() {
        state.withLock { $0.isHeld = true }
        let deadline = ContinuousClock.now + Self.holdTimeout
        while state.withLock({ $0.isWriting }), ContinuousClock.now < deadline { usleep(1000) }
    }

    /// Resumes writing; the next canvas is painted completely.
    func release() {
        state.withLock { state in
            state.isHeld = false
            state.needsFullRepaint = true
        }
        wake.signal()
    }

    /// Ends the thread.
    func end() {
        state.withLock { $0.isEnded = true }
        wake.signal()
    }

    /// How long ``hold()`` waits for a write in progress.
    private static let holdTimeout: Duration = .milliseconds(500)

    private enum Work {
        case nothing
        case write(Canvas?, request: [UInt8], all: Bool, frame: Int)
        case end
    }

    private func next() -> Work {
        state.withLock { state in
            if state.isEnded { return .end }
            guard !state.isHeld, state.canvas != nil || !state.request.isEmpty || state.rings else { return .nothing }
            let bell: [UInt8] = state.rings ? [0x07] : []
            let work = Work.write(
                state.canvas, request: state.request + bell, all: state.needsFullRepaint, frame: state.newest)
            state.rings = false
            // A request alone paints nothing: the next canvas must still be complete.
            if state.canvas != nil { state.needsFullRepaint = false }
            state.canvas = nil
            state.request = []
            state.isWriting = true
            return work
        }
    }

    private func run() {
        var painter = Painter(appearance)
        while true {
            wake.wait()
            switch next() {
            case .end: return
            case .nothing: continue
            case .write(let canvas, let request, let all, let frame):
                if all { painter.invalidate() }
                var bytes = request
                if let canvas { bytes += painter.frame(canvas) }
                if !bytes.isEmpty { terminal.write(bytes) }
                state.withLock { state in
                    state.isWriting = false
                    // Without a canvas the newest one was written before.
                    state.written = frame
                }
            }
        }
    }
}
