import Synchronization
import TextScreen

@testable import TextFrontEnd

/// A terminal in memory: a test types at it and reads its screen. It knows the few sequences that the painter sends.
final class FakeTerminal: ScreenTerminal {
    private struct State {
        var log: [String] = []
        var cells: [[Character]] = FakeTerminal.blank
        var row = 0
        var column = 0
    }

    private static let blank = Array(repeating: Array(repeating: Character(" "), count: 80), count: 24)

    let size = ScreenSize(rows: 24, columns: 80)
    private let state = Mutex(State())
    private let stream: AsyncStream<InputEvent>
    let input: AsyncStream<InputEvent>.Continuation

    init() { (stream, input) = AsyncStream<InputEvent>.makeStream() }

    var log: [String] { state.withLock { $0.log } }
    var text: String { state.withLock { $0.cells.map { String($0) }.joined(separator: "\n") } }

    func enter() { state.withLock { $0.log.append("enter") } }
    func leave() { state.withLock { $0.log.append("leave") } }
    func suspend() { state.withLock { $0.log.append("suspend") } }
    func events() -> AsyncStream<InputEvent> { stream }

    /// Another program wrote over the screen.
    func wipe() { state.withLock { $0.cells = Self.blank } }

    func write(_ bytes: [UInt8]) {
        state.withLock { state in
            var rest = Substring(String(decoding: bytes, as: UTF8.self))
            while let character = rest.popFirst() {
                if character == "\u{1B}" { Self.obey(&rest, &state) } else { Self.put(character, &state) }
            }
        }
    }

    private static func obey(_ rest: inout Substring, _ state: inout State) {
        guard rest.popFirst() == "[" else { return }
        let parameters = rest.prefix { !$0.isLetter }
        rest = rest.dropFirst(parameters.count)
        switch rest.popFirst() {
        case "H":
            let numbers = parameters.split(separator: ";").map { Int($0) ?? 1 }
            (state.row, state.column) = numbers.count == 2 ? (numbers[0] - 1, numbers[1] - 1) : (0, 0)
        case "J": state.cells = blank
        default: break
        }
    }

    private static func put(_ character: Character, _ state: inout State) {
        guard state.row < 24, state.column < 80 else { return }
        state.cells[state.row][state.column] = character
        state.column += character.cells
    }

    /// Waits until the screen shows this.
    func waits(for text: String) async -> Bool {
        for _ in 0..<2000 {
            if self.text.contains(text) { return true }
            try? await Task.sleep(for: .milliseconds(1))
        }
        return false
    }
}
