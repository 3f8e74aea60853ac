@testable import Workspace
import Synchronization
import TextScreen

/// A terminal in memory: a test types at it and reads its screen. It knows the few sequences that the painter sends.
final class FakeTerminal: ScreenTerminal {
    private struct State {
        var log: [String] = []
        var cells: [[Character]] = FakeTerminal.blank
        var row = 0
        var column = 0
        var bells = 0
        var readers: [Int: Reader] = [:]
        var newestReader = 0
        var erasures = 0
    }

    /// A waiter for a text.
    private struct Reader {
        var text: String
        var continuation: CheckedContinuation<Bool, Never>
    }

    private static let blank = Array(repeating: Array(repeating: Character(" "), count: 80), count: 24)

    let size = ScreenSize(rows: 24, columns: 80)
    private let state = Mutex(State())
    let input = Keyboard()

    /// What the test types at. It is read at once.
    final class Keyboard: Sendable {
        private struct State {
            var newestFrame: @Sendable () -> Int = { 0 }
            var now: @Sendable () -> Int64 = { 0 }
            var queue: InputQueue?
        }

        private let state = Mutex(State())

        func begin(
            _ queue: InputQueue, after newestFrame: @escaping @Sendable () -> Int,
            at now: @escaping @Sendable () -> Int64
        ) {
            state.withLock { ($0.queue, $0.newestFrame, $0.now) = (queue, newestFrame, now) }
        }

        /// Types what is read at once.
        func yield(_ events: InputEvent...) {
            let (queue, newestFrame, now) = state.withLock { ($0.queue, $0.newestFrame, $0.now) }
            let (frame, readAt) = (newestFrame(), now())
            for event in events { queue?.push(TerminalInput(event, frame: frame, readAt: readAt)) }
        }

        /// The terminal is closed.
        func finish() { state.withLock { $0.queue }?.end() }
    }

    var log: [String] { state.withLock { $0.log } }
    /// How often the whole screen was erased, which is how the painter begins anew.
    var erasures: Int { state.withLock { $0.erasures } }
    var text: String { state.withLock { Self.text(of: $0) } }

    func enter() { state.withLock { $0.log.append("enter") } }
    func leave() { state.withLock { $0.log.append("leave") } }
    func suspend() { state.withLock { $0.log.append("suspend") } }
    /// Whether a thread can be started that reads from it; set before it is used.
    nonisolated(unsafe) var hasReader = true

    func read(
        into queue: InputQueue, after newestFrame: @escaping @Sendable () -> Int,
        at now: @escaping @Sendable () -> Int64
    ) throws(TerminalDevice.Failure) {
        guard hasReader else { throw .noThread("keyboard") }
        input.begin(queue, after: newestFrame, at: now)
    }

    /// Another program wrote over the screen.
    func wipe() { state.withLock { $0.cells = Self.blank } }

    func write(_ bytes: [UInt8]) {
        let done = state.withLock { state in
            var rest = Substring(String(decoding: bytes, as: UTF8.self))
            while let character = rest.popFirst() {
                if character == "\u{1B}" { Self.obey(&rest, &state) } else { Self.put(character, &state) }
            }
            let text = Self.text(of: state)
            let done = state.readers.filter { text.contains($0.value.text) }
            for number in done.keys { state.readers[number] = nil }
            return done.values.map(\.continuation)
        }
        for continuation in done { continuation.resume(returning: true) }
    }

    private static func obey(_ rest: inout Substring, _ state: inout State) {
        guard rest.popFirst() == "[" else { return }
        let parameters = rest.prefix { !$0.isLetter }
        rest = rest.dropFirst(parameters.count)
        switch rest.popFirst() {
        case "H":
            let numbers = parameters.split(separator: ";").map { Int($0) ?? 1 }
            (state.row, state.column) = numbers.count == 2 ? (numbers[0] - 1, numbers[1] - 1) : (0, 0)
        case "J":
            state.cells = blank
            state.erasures += 1
        default: break
        }
    }

    private static func put(_ character: Character, _ state: inout State) {
        if character == "\u{7}" { return state.bells += 1 }
        guard state.row < 24, state.column < 80 else { return }
        state.cells[state.row][state.column] = character
        state.column += character.cells
    }

    /// Returns when the screen shows this, which a thread of the front end's own writes; `false` when the test's time is up.
    func shows(_ text: String) async -> Bool {
        let number = state.withLock { state in
            state.newestReader += 1
            return state.newestReader
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isThere: Bool? = state.withLock { state in
                    if Task.isCancelled { return false }
                    if Self.text(of: state).contains(text) { return true }
                    state.readers[number] = Reader(text: text, continuation: continuation)
                    return nil
                }
                if let isThere { continuation.resume(returning: isThere) }
            }
        } onCancel: {
            let reader = state.withLock { $0.readers.removeValue(forKey: number) }
            reader?.continuation.resume(returning: false)
        }
    }

    /// How often the bell rang.
    var bells: Int { state.withLock { $0.bells } }

    private static func text(of state: State) -> String { state.cells.map { String($0) }.joined(separator: "\n") }
}
