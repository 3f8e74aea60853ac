import FuzzKit
import TerminalEmulation

/// Any bytes as what a program writes to its terminal, with changes of size and keys in between: nothing that a terminal
/// would obey gets into the picture, all of it stays within its bounds, and the text of it is the same in any split.
@main enum FuzzTerminalEmulation: FuzzTarget {
    static func test(_ bytes: [UInt8]) {
        guard let emulator = TerminalEmulator(TerminalSize(rows: 8, columns: 20)) else { return }
        // The first byte says how long the pieces are, so that sequences are split everywhere.
        let step = Int(bytes.first ?? 0) % 31 + 1
        var rest = bytes.dropFirst()
        while !rest.isEmpty {
            let piece = rest.prefix(step)
            rest = rest.dropFirst(step)
            // 0xF8 is in no UTF-8: it stands for what the user does.
            if let at = piece.firstIndex(of: 0xF8) { act(on: emulator, Int(piece.last ?? 0) + at) }
            emulator.feed(piece)
        }
        check(emulator)
        emulator.beginAnew()
        check(emulator)
        var (whole, split) = (PlainTextFilter(), PlainTextFilter())
        let text = whole.feed(bytes)
        precondition(bytes.map { split.feed([$0]) }.joined().unicodeScalars.elementsEqual(text.unicodeScalars))
    }

    private static func act(on emulator: TerminalEmulator, _ number: Int) {
        switch number % 5 {
        case 0: emulator.resize(TerminalSize(rows: number % 40, columns: number % 90))
        case 1: emulator.press(TerminalKey(.up, .control))
        case 2: emulator.paste("a\nb\u{1B}[201~")
        case 3: emulator.mouse(TerminalMouse(.press, row: number, column: number))
        default: _ = emulator.find("a", from: number, upwards: number.isMultiple(of: 2))
        }
        check(emulator)
    }

    private static func check(_ emulator: TerminalEmulator) {
        for below in [0, 3, Int.max] {
            let picture = emulator.picture(linesBelow: below)
            precondition(picture.lines.count == emulator.size.rows)
            if let cursor = picture.cursor {
                precondition((0..<emulator.size.rows).contains(cursor.row))
                precondition((0..<emulator.size.columns).contains(cursor.column))
            }
            for cell in picture.lines.flatMap(\.cells) {
                precondition(cell.width <= 2)
                for scalar in cell.character.unicodeScalars {
                    switch scalar.properties.generalCategory {
                    case .control, .format, .lineSeparator, .paragraphSeparator: preconditionFailure("\(scalar.value)")
                    default: break
                    }
                }
            }
        }
        precondition(emulator.takeOutput().count < 1 << 17)
        precondition(emulator.modes.title.count <= 256)
    }
}
