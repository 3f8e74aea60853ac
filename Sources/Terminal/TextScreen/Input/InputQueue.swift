internal import Synchronization

/// The input of a terminal on its way from the reader's thread to the program: in order, but a key that stops the vehicle comes
/// first, and what was typed before it and still waits is dropped, so that it cannot move the vehicle after the stop.
public final class InputQueue: Sendable {
    /// The most events that wait. Nobody types so far ahead; a text that is typed by a program may have more characters.
    public static let longest = 1 << 16

    private typealias Reader = CheckedContinuation<TerminalInput?, Never>

    private struct State {
        var stops: [TerminalInput] = []
        /// What waits, from ``first`` on.
        var waiting: [TerminalInput] = []
        var first = 0
        var reader: Reader?
        var spaceStops = false
        var isEnded = false

        var count: Int { waiting.count - first }

        mutating func pop() -> TerminalInput? {
            if !stops.isEmpty { return stops.removeFirst() }
            guard first < waiting.count else { return nil }
            let next = waiting[first]
            first += 1
            // Taking one away at a time would move all others.
            if first == waiting.count || first >= 1024 {
                waiting.removeFirst(first)
                first = 0
            }
            return next
        }

        mutating func removeAll() {
            waiting.removeAll()
            first = 0
        }

        /// Drops what was typed; returns how much that was.
        mutating func dropTyped() -> Int {
            let kept = waiting[first...].filter { !$0.event.isTyped }
            defer { (waiting, first) = (kept, 0) }
            return count - kept.count
        }
    }

    private let stops: @Sendable (KeyEvent) -> Bool
    private let steers: @Sendable (KeyEvent) -> Bool
    private let state = Mutex(State())

    /// An empty queue.
    ///
    /// - Parameters:
    ///   - stops: whether a key stops the vehicle wherever it is pressed.
    ///   - steers: whether a key only steers, so that Space after it is no text.
    public init(
        stops: @escaping @Sendable (KeyEvent) -> Bool = { _ in false },
        steers: @escaping @Sendable (KeyEvent) -> Bool = { _ in false }
    ) {
        (self.stops, self.steers) = (stops, steers)
    }

    /// Whether it has ended.
    public var isEnded: Bool { state.withLock { $0.isEnded } }

    /// Sets whether Space stops the vehicle on the present screen. It comes first only if nothing but steering waits: any other key
    /// may begin a text, of which Space is a part.
    public func setSpaceStops(_ stops: Bool) { state.withLock { $0.spaceStops = stops } }

    /// Adds an event, from any thread.
    public func push(_ input: TerminalInput) {
        let (reader, next): (Reader?, TerminalInput?) = state.withLock { state in
            guard !state.isEnded else { return (nil, nil) }
            add(input, to: &state)
            guard let reader = state.reader, let next = state.pop() else { return (nil, nil) }
            state.reader = nil
            return (reader, next)
        }
        reader?.resume(returning: next)
    }

    private func add(_ input: TerminalInput, to state: inout State) {
        var input = input
        guard isStop(input.event, state) else {
            if state.count >= Self.longest {
                input.dropped += state.dropTyped()
                if state.count >= Self.longest { state.removeAll() }
            }
            return state.waiting.append(input)
        }
        input.dropped += state.dropTyped()
        // The same again changes nothing but the order, so that no more of them wait than there are stop keys.
        if let index = state.stops.firstIndex(where: { $0.event == input.event }) {
            input.dropped += state.stops.remove(at: index).dropped
        }
        state.stops.append(input)
    }

    private func isStop(_ event: InputEvent, _ state: State) -> Bool {
        guard case .key(let key) = event, key.phase != .release else { return false }
        if stops(key) { return true }
        guard state.spaceStops, key.isPress(of: .character(" ")) else { return false }
        return state.waiting[state.first...].allSatisfy { waiting in
            guard case .key(let key) = waiting.event else { return !waiting.event.isTyped }
            return key.phase == .release || steers(key)
        }
    }

    private enum Step {
        case ready(TerminalInput?)
        case wait
    }

    /// The next event; waits for one. After the end, and when the task is cancelled, the stops that wait, and then `nil`. One task at a
    /// time may call it.
    public func next() async -> TerminalInput? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { (reader: Reader) in
                let step: Step = state.withLock { state in
                    if let next = state.pop() { return .ready(next) }
                    if state.isEnded { return .ready(nil) }
                    state.reader = reader
                    return .wait
                }
                if case .ready(let next) = step { reader.resume(returning: next) }
            }
        } onCancel: {
            end()
        }
    }

    /// Ends it: what waits is dropped, but not the stops. Safe to call twice.
    public func end() {
        let reader: Reader? = state.withLock { state in
            state.isEnded = true
            state.removeAll()
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(returning: nil)
    }
}

extension InputEvent {
    /// Whether the user typed, pasted or clicked something; letting go of a key or a button is not meant.
    fileprivate var isTyped: Bool {
        switch self {
        case .key(let key): key.phase != .release
        case .mouse(let mouse): mouse.action != .release
        case .paste: true
        case .focus, .resize, .kittyKeyboard, .deviceAttributes: false
        }
    }
}
