internal import Foundation
internal import Synchronization
internal import TextScreen

/// Brings canvases to the terminal on a thread of its own: a terminal that is slow or stuck delays nobody, and the newest
/// canvas wins.
final class ScreenWriter: Sendable {
    private struct State {
        var canvas: Canvas?
        var request: [UInt8] = []
        var needsAll = false
        var isHeld = false
        var isWriting = false
        var isEnded = false
    }

    /// Starts a thread; `false` when the system has none left.
    typealias StartThread = (@escaping @Sendable () -> Void) -> Bool

    private let terminal: any ScreenTerminal
    private let depth: ColorDepth
    private let state = Mutex(State())
    private let wake = DispatchSemaphore(value: 0)

    init(terminal: any ScreenTerminal, depth: ColorDepth) {
        self.terminal = terminal
        self.depth = depth
    }

    /// Begins to write.
    ///
    /// - Throws: ``TerminalDevice/Failure/noThread(_:)``.
    func start(_ startThread: StartThread) throws(TerminalDevice.Failure) {
        guard startThread({ [self] in run() }) else { throw .noThread("screen") }
    }

    /// Shows this canvas next.
    func show(_ canvas: Canvas) {
        state.withLock { $0.canvas = canvas }
        wake.signal()
    }

    /// Sends bytes that ask the terminal something.
    func ask(_ bytes: [UInt8]) {
        // A terminal that is stuck is not asked twice.
        state.withLock { if $0.request.isEmpty { $0.request = bytes } }
        wake.signal()
    }

    /// Nothing is known to be on the screen any more: the next canvas is painted whole.
    func invalidate() { state.withLock { $0.needsAll = true } }

    /// Writes nothing until ``release()``; returns when nothing is being written, or after ``stuckWait``.
    func hold() {
        state.withLock { $0.isHeld = true }
        let deadline = Date(timeIntervalSinceNow: Self.stuckWait)
        while state.withLock({ $0.isWriting }), Date() < deadline { usleep(1000) }
    }

    /// Goes on; the next canvas is painted whole.
    func release() {
        state.withLock { state in
            state.isHeld = false
            state.needsAll = true
        }
        wake.signal()
    }

    /// Ends the thread.
    func end() {
        state.withLock { $0.isEnded = true }
        wake.signal()
    }

    /// A terminal that takes nothing for so many seconds is given up.
    private static let stuckWait = 0.5

    private enum Work {
        case nothing
        case write(Canvas?, request: [UInt8], all: Bool)
        case end
    }

    private func next() -> Work {
        state.withLock { state in
            if state.isEnded { return .end }
            guard !state.isHeld, state.canvas != nil || !state.request.isEmpty else { return .nothing }
            let work = Work.write(state.canvas, request: state.request, all: state.needsAll)
            // A request alone paints nothing: the next canvas is still to be whole.
            if state.canvas != nil { state.needsAll = false }
            state.canvas = nil
            state.request = []
            state.isWriting = true
            return work
        }
    }

    private func run() {
        var painter = Painter(depth: depth)
        while true {
            wake.wait()
            switch next() {
            case .end: return
            case .nothing: continue
            case .write(let canvas, let request, let all):
                if all { painter.invalidate() }
                var bytes = request
                if let canvas { bytes += painter.frame(canvas) }
                if !bytes.isEmpty { terminal.write(bytes) }
                state.withLock { $0.isWriting = false }
            }
        }
    }
}
