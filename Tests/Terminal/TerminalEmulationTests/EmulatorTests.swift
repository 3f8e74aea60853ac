import Foundation
import Testing

@testable import TerminalEmulation

/// A terminal and what one asks it in a test.
struct Bench {
    let emulator: TerminalEmulator

    init(rows: Int = 6, columns: Int = 20) throws {
        emulator = try #require(TerminalEmulator(TerminalSize(rows: rows, columns: columns)))
    }

    /// Feeds text; `^` stands for ESC.
    func feed(_ text: String) { emulator.feed(text.replacing("^", with: "\u{1B}").utf8) }

    /// The screen without empty lines at its end.
    var screen: [String] { screen(linesBelow: 0) }

    func screen(linesBelow: Int) -> [String] {
        let lines = emulator.picture(linesBelow: linesBelow).lines.map(\.text)
        return Array(lines[..<((lines.lastIndex { !$0.isEmpty } ?? -1) + 1)])
    }

    /// How many lines are in the scrollback, while the first screen is shown.
    var linesAbove: Int { emulator.picture(linesBelow: .max).linesBelow }

    func cell(_ row: Int, _ column: Int) -> TerminalCell {
        let cells = emulator.picture().lines[row].cells
        return column < cells.count ? cells[column] : .blank
    }

    var output: String { String(decoding: emulator.takeOutput(), as: UTF8.self).replacing("\u{1B}", with: "^") }

    func press(_ key: TerminalKey.Key, _ modifiers: TerminalKey.Modifiers = []) -> String {
        emulator.press(TerminalKey(key, modifiers))
        return output
    }
}

@Suite("Emulated terminal: the screen")
struct EmulatorScreenTests {
    @Test("a line that is too long goes on in the next one")
    func wrapping() throws {
        let bench = try Bench(columns: 10)
        bench.feed("0123456789abc")
        #expect(bench.screen == ["0123456789", "abc"])
        #expect(bench.emulator.picture().cursor == .init(row: 1, column: 3))
    }

    @Test("a scroll region moves alone and leaves no lines in the scrollback")
    func scrollRegion() throws {
        let bench = try Bench(rows: 5)
        bench.feed("a\r\nb\r\nc\r\nd\r\ne^[2;4r^[4;1H\r\nX")
        #expect(bench.screen == ["a", "c", "d", "X", "e"])
        #expect(bench.linesAbove == 0)
    }

    @Test("the other screen comes and goes, and the first one is as it was")
    func alternateScreen() throws {
        let bench = try Bench()
        bench.feed("shell$ vim^[?1049h^[2J^[Hfile")
        #expect(bench.emulator.modes.usesAlternateScreen)
        #expect(bench.screen == ["file"])
        for number in 0..<20 { bench.feed("\r\nline \(number)") }
        bench.feed("^[?1049l")
        #expect(!bench.emulator.modes.usesAlternateScreen)
        #expect(bench.linesAbove == 0)
        #expect(bench.screen == ["shell$ vim"])
    }

    @Test("wide characters take two cells, combining marks none")
    func widths() throws {
        let bench = try Bench()
        bench.feed("日本x e\u{301}!")
        #expect(bench.screen == ["日本x e\u{301}!"])
        #expect(bench.cell(0, 0).width == 2)
        #expect(bench.cell(0, 1).width == 0)
        #expect(bench.cell(0, 4).character == "x")
        #expect(bench.cell(0, 6) == TerminalCell("e\u{301}"))
        #expect(bench.cell(0, 7).character == "!")
    }

    @Test("colours and attributes")
    func styles() throws {
        let bench = try Bench()
        bench.feed("^[1;31mA^[0;4;38;5;200;48;2;1;2;3mB^[0;7;9mC^[0;3;94mD^[mE")
        #expect(bench.cell(0, 0).style == TerminalStyle(.indexed(1), on: .standard, .bold))
        #expect(bench.cell(0, 1).style == TerminalStyle(.indexed(200), on: .rgb(1, 2, 3), .underline))
        #expect(bench.cell(0, 2).style == TerminalStyle(.standard, on: .standard, [.reverse, .strike]))
        #expect(bench.cell(0, 3).style == TerminalStyle(.indexed(12), on: .standard, .italic))
        #expect(bench.cell(0, 4).style == .plain)
    }

    @Test("a character in pieces is one character", arguments: 1...3)
    func splitCharacters(_ at: Int) throws {
        let bench = try Bench()
        let bytes = Array("ž日😀".utf8)
        for start in stride(from: 0, to: bytes.count, by: at) {
            bench.emulator.feed(bytes[start..<min(start + at, bytes.count)])
        }
        #expect(bench.screen == ["ž日😀"])
    }

    @Test("a program on the other screen that another size was given to leaves nothing of its own behind")
    func otherScreenAfterAnotherSize() throws {
        let bench = try Bench(rows: 4)
        bench.feed("one\r\ntwo\r\n$ vi^[?1049h^[2J^[Hfile\r\n~\r\n~\r\n~")
        #expect(bench.screen == ["file", "~", "~", "~"])
        bench.emulator.resize(TerminalSize(rows: 6, columns: 20))
        bench.feed("^[2J^[Hfile\r\n~\r\n~\r\n~\r\n~\r\n:q!")
        #expect(bench.screen == ["file", "~", "~", "~", "~", ":q!"])
        bench.feed("^[?1049l")
        bench.feed("\r\n$ ")
        #expect(bench.screen == ["one", "two", "$ vi", "$"])
    }

    @Test("what changes after the whole screen has does not hide the rest of it")
    func changeAfterAnotherSize() throws {
        let bench = try Bench(rows: 4, columns: 10)
        bench.feed("0123456789\r\nb\r\nc")
        #expect(bench.screen == ["0123456789", "b", "c"])
        bench.emulator.resize(TerminalSize(rows: 4, columns: 5))
        bench.feed("^[3;1Hd")
        #expect(bench.screen == ["01234", "b", "d"])
    }

    @Test("lines that leave at the top come back when one looks up, and when the screen gets higher")
    func scrollback() throws {
        let bench = try Bench(rows: 4)
        for number in 1...10 { bench.feed("line \(number)\r\n") }
        #expect(bench.screen == ["line 8", "line 9", "line 10"])
        #expect(bench.screen(linesBelow: 3) == ["line 5", "line 6", "line 7", "line 8"])
        let up = bench.emulator.picture(linesBelow: 100)
        #expect(up.lines.first?.text == "line 1")
        #expect(up.linesBelow == 7)
        #expect(up.firstLine == 0)
        #expect(up.cursor == nil)
        bench.emulator.resize(TerminalSize(rows: 6, columns: 20))
        #expect(bench.screen == ["line 6", "line 7", "line 8", "line 9", "line 10"])
        bench.emulator.resize(TerminalSize(rows: 3, columns: 12))
        #expect(bench.screen == ["line 9", "line 10"])
        #expect(bench.linesAbove == 8)
    }

    @Test("a wide character at the edge of a line that comes back does no harm")
    func wideCharacterComesBack() throws {
        let bench = try Bench(rows: 3, columns: 8)
        bench.feed("abcdef日\r\n2\r\n3\r\n4\r\n5")
        bench.emulator.resize(TerminalSize(rows: 8, columns: 7))
        #expect(bench.screen == ["abcdef", "2", "3", "4", "5"])
    }

    @Test("the scrollback keeps ten thousand lines, and a million cells")
    func scrollbackBound() throws {
        let bench = try Bench(rows: 2)
        for number in 0..<Scrollback.mostLines + 10 { bench.feed("\(number)\r\n") }
        #expect(bench.linesAbove == Scrollback.mostLines)
        // 9 lines stand above the first kept one: one of the 10 beyond is still on the screen.
        #expect(bench.screen(linesBelow: .max).first == "9")
        var scrollback = Scrollback()
        let line = TerminalLine(String(repeating: "x", count: 1000))
        for _ in 0..<1001 { scrollback.push(line) }
        #expect(scrollback.count == 1000)
        #expect(scrollback.forgotten == 1)
    }

    @Test("searching goes up and down, whatever the case")
    func searching() throws {
        let bench = try Bench(rows: 3)
        for word in ["alpha", "Beta", "gamma", "beta", "delta"] { bench.feed("\(word)\r\n") }
        let emulator = bench.emulator
        #expect(emulator.find("BETA", from: emulator.lineCount, upwards: true) == 3)
        #expect(emulator.find("beta", from: 3, upwards: true) == 1)
        #expect(emulator.find("beta", from: 1, upwards: true) == nil)
        #expect(emulator.find("beta", from: 1, upwards: false) == 3)
        #expect(emulator.find("beta", from: 3, upwards: false) == nil)
        #expect(emulator.find("", from: 3, upwards: true) == nil)
        #expect(emulator.find("alpha", from: .max, upwards: true) == 0)
        #expect(emulator.find("alpha", from: .min, upwards: false) == 0)
        #expect(TerminalLine("日a日A").places(of: "a") == [1..<2, 3..<4])
    }
}

@Suite("Emulated terminal: keys and answers")
struct EmulatorInputTests {
    @Test("keys as xterm sends them")
    func keys() throws {
        let bench = try Bench()
        #expect(bench.press(.character("č")) == "č")
        #expect(bench.press(.character("c"), .control) == "\u{3}")
        #expect(bench.press(.character("j"), .control) == "\n")
        #expect(bench.press(.character("i"), .control) == "\t")
        #expect(bench.press(.character(" "), .control) == "\0")
        #expect(bench.press(.character("x"), .alt) == "^x")
        #expect(bench.press(.enter) == "\r")
        #expect(bench.press(.enter, .shift) == "\r")
        #expect(bench.press(.tab, .shift) == "^[Z")
        #expect(bench.press(.backspace) == "\u{7F}")
        #expect(bench.press(.escape) == "^")
        #expect(bench.press(.up) == "^[A")
        #expect(bench.press(.right, .control) == "^[1;5C")
        #expect(bench.press(.delete) == "^[3~")
        #expect(bench.press(.pageUp) == "^[5~")
        #expect(bench.press(.function(1)) == "^OP")
        #expect(bench.press(.function(12)) == "^[24~")
        #expect(bench.press(.function(13)) == "")
    }

    @Test("cursor keys change with the mode that vim and less switch on")
    func applicationCursorKeys() throws {
        let bench = try Bench()
        #expect(bench.press(.up) == "^[A")
        bench.feed("^[?1h")
        #expect(bench.press(.up) == "^OA")
    }

    @Test("questions are answered")
    func answers() throws {
        let bench = try Bench()
        bench.feed("ab^[6n^[c")
        let answer = bench.output
        #expect(answer.hasPrefix("^[1;3R^[?"))
        #expect(bench.output.isEmpty)
    }

    @Test("a program that asks on and on without reading does not fill the memory")
    func answersAreBounded() throws {
        let bench = try Bench()
        for _ in 0..<100_000 { bench.feed("^[6n") }
        #expect(bench.emulator.takeOutput().count <= VTermEvents.mostAnswers)
    }

    @Test("a paste is marked where that is wanted, and cannot end itself")
    func pasting() throws {
        let bench = try Bench()
        #expect(!bench.emulator.wantsBracketedPaste)
        bench.emulator.paste("a\nb\r\nc")
        #expect(bench.output == "a\rb\rc")
        bench.feed("^[?2004h")
        #expect(bench.emulator.wantsBracketedPaste)
        #expect(bench.output.isEmpty)
        bench.emulator.paste("x\u{1B}[201~; rm y\u{3}\tz")
        #expect(bench.output == "^[200~x[201~; rm y\tz^[201~")
    }

    @Test("the mouse is reported only to a program that asked for it")
    func mouse() throws {
        let bench = try Bench()
        bench.emulator.mouse(TerminalMouse(.press, row: 1, column: 2))
        #expect(bench.output.isEmpty)
        #expect(bench.emulator.modes.mouse == .none)
        bench.feed("^[?1000h^[?1006h")
        #expect(bench.emulator.modes.mouse == .clicks)
        bench.emulator.mouse(TerminalMouse(.release, row: 1, column: 2))
        _ = bench.output
        bench.emulator.mouse(TerminalMouse(.press, button: 2, row: 1, column: 2))
        #expect(bench.output == "^[<2;3;2M")
        bench.emulator.mouse(TerminalMouse(.wheelUp, row: 500, column: -3))
        #expect(bench.output == "^[<64;1;6M")
    }

    @Test("title and bell")
    func titleAndBell() throws {
        let bench = try Bench()
        bench.feed("^]2;vehicle\u{7}\u{7}")
        #expect(bench.emulator.modes.title == "vehicle")
        #expect(bench.emulator.modes.bells == 1)
        bench.feed("^]2;" + String(repeating: "long ", count: 1000) + "\u{202E}\u{7}")
        #expect(bench.emulator.modes.title.count <= VTermEvents.longestTitle)
    }

    @Test("another program begins with the modes off and what was there above")
    func beginningAnew() throws {
        let bench = try Bench()
        bench.feed("one\r\ntwo^[?1049h^[?1000h^[?2004h^[?1h^[31mvim^[?25l^]2;half a tit")
        bench.emulator.beginAnew()
        bench.feed("three")
        #expect(bench.screen == ["one", "two", "three"])
        #expect(bench.emulator.modes.mouse == .none)
        #expect(!bench.emulator.wantsBracketedPaste)
        #expect(bench.cell(2, 0).style == .plain)
        #expect(bench.emulator.picture().cursor == .init(row: 2, column: 5))
        #expect(bench.output.isEmpty)
        #expect(bench.press(.up) == "^[A")
    }
}
