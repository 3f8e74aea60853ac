// Turns a terminal's screen, as text with escape sequences from standard input, into an SVG picture on standard output.
//
//   tmux capture-pane -e -p | PictureTerminal COLUMNS ROWS TITLE
#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif
import TerminalEmulation

func fail(_ text: String) -> Never {
    let bytes = Array("PictureTerminal: \(text)\n".utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
    exit(2)
}

let arguments = CommandLine.arguments
guard arguments.count == 4, let columns = Int(arguments[1]), let rows = Int(arguments[2]),
    (1...400).contains(columns), (1...200).contains(rows)
else { fail("expected columns, rows and a title") }

var input: [UInt8] = []
while let line = readLine(strippingNewline: true) {
    if !input.isEmpty { input += [0x0D, 0x0A] }
    input += Array(line.utf8)
}
guard let terminal = TerminalEmulator(TerminalSize(rows: rows, columns: columns)) else {
    fail("the terminal cannot be emulated")
}
terminal.feed(input)
print(ScreenPicture(terminal.picture().lines, columns: columns, title: arguments[3]).svg, terminator: "")
