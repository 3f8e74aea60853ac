import Foundation
import Testing

@testable import TerminalEmulation

@Suite("Emulated terminal: hostile input")
struct EmulatorHostilityTests {
    @Test(
        "numbers out of all range, broken and endless sequences",
        arguments: [
            "^[999999999999999999999;99999999999H*", "^[-1;-1H", "^[2147483647b", "^[;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;m",
            "^[38;5;999m^[48;2;999;999;999mx", "^[99999L^[99999M^[99999P^[99999@^[99999X^[99999S^[99999T",
            "^[0;0r^[9;1r",
            "^]2;no end", "^P$q\"p^\\", "^[?9999h", "^[8;10000;10000t", "^#8^[?3h", "\u{9B}2J\u{85}\u{90}", "^(0lqk^(B",
            "^[5\"p^[!p^c", "^[1000000I^[1000000Z^[1000000C^[1000000a^[1000000d",
        ])
    func strangeSequences(_ text: String) throws {
        let bench = try Bench()
        for _ in 0..<3 { bench.feed(text) }
        bench.feed("\u{18}^\\^c^[2J^[Hfine")
        #expect(bench.screen == ["fine"])
    }

    @Test("the cursor stays on the screen, whatever margins and origin a program sets: found by FuzzTerminalEmulation")
    func cursorInside() throws {
        let emulator = try #require(TerminalEmulator(TerminalSize(rows: 8, columns: 20)))
        let found = try #require(
            Data(
                base64Encoded:
                    "G1syOzVyG1s1OzFIGwEA//0+YxtbNW4bWz82bgtbMlQbIzgbWz8zaBtbPzY5aBtbMjs5cxtbNWIbWz82aBs3GwoKG00bTRtbM0wbWzJNG1s0QBtbNFAbWzlYG1syUzEwMTVoG1s/MTAwNGj4+PEbAQD//T5jG1s1bhtbPzZuC1syVBsjOBtbPzNoG1s/NjloG1syOzlzG1s1YhtbPzZoGzcbOBtbIXAbY/gF"
            ))
        for byte in found {
            emulator.feed([byte])
            guard let cursor = emulator.picture().cursor else { continue }
            let isInside = (0..<8).contains(cursor.row) && (0..<20).contains(cursor.column)
            #expect(isInside, "\(cursor)")
            if !isInside { return }
        }
    }

    @Test("more lines than the scrolling region has")
    func linesBeyondTheRegion() throws {
        for final in ["L", "M", "S", "T"] {
            var filter = SequenceFilter()
            #expect(filter.pass("\u{1B}[3\(final)".utf8) == Array("\u{1B}[3\(final)".utf8))
            #expect(filter.pass("\u{1B}[\(final)".utf8) == Array("\u{1B}[1\(final)".utf8))
            let most = "\u{1B}[\(SequenceFilter.mostLines)\(final)"
            #expect(filter.pass("\u{1B}[99999999999999999999\(final)".utf8) == Array(most.utf8))
            let bench = try Bench()
            bench.feed("one\r\ntwo^[2;3r^[2;1H^[9\(final)")
            #expect(bench.screen.first == "one")
        }
        // Five numbers with T are not lines.
        var filter = SequenceFilter()
        #expect(filter.pass("\u{1B}[1;2;3;4;5T".utf8) == Array("\u{1B}[1;2;3;4;5T".utf8))
    }

    @Test("an introducer behind an intermediate byte introduces nothing: found by FuzzTerminalEmulation (a hang)")
    func introducerWithIntermediate() throws {
        for introducer in ["[", "]", "P", "X", "^", "_", "N", "O"] {
            var filter = SequenceFilter()
            #expect(filter.pass("\u{1B}/\(introducer)b".utf8) == Array("b".utf8))
        }
        let bench = try Bench()
        bench.feed("^[?1h\u{1B}?\u{1B}/[bl^[4@")
        #expect(bench.screen == ["bl"])
    }

    @Test("lines lost with the cursor at the top: found by FuzzTerminalEmulation (a crash at the next character)")
    func fewerLines() throws {
        let emulator = try #require(TerminalEmulator(TerminalSize(rows: 8, columns: 20)))
        let sequences = [
            "[?1h", "=", "[H", "[2J", "(B", "[mtop - 12:00 up", "(B", "[m", "[39;49m", "(B", "[m", "[39;49m", "[K\n",
            "[7m  P1ID USER ", "(B", "[m", "[3A;49m",
        ]
        for sequence in sequences { emulator.feed("\u{1B}\(sequence)".utf8) }
        emulator.resize(TerminalSize(rows: 2, columns: 20))
        #expect(emulator.picture().cursor?.row == 0)
        emulator.feed("\u{1B}[K\u{1B}[Ja".utf8)
        #expect(emulator.picture().lines.count == 2)
    }

    @Test("a scrolling region that no longer fits: found by FuzzTerminalEmulation (libvterm wrote outside its memory)")
    func regionBeyondTheScreen() throws {
        let emulator = try #require(TerminalEmulator(TerminalSize(rows: 8, columns: 20)))
        emulator.feed("one\r\ntwo\u{1B}[4;5r\u{1B}[5;3H".utf8)
        emulator.resize(TerminalSize(rows: 4, columns: 20))
        let cursor = try #require(emulator.picture().cursor)
        #expect(cursor.row < 4 && cursor.column == 2)
        emulator.feed("\n\n\n\u{1B}M\n\nend".utf8)
        #expect(emulator.picture().lines.contains { $0.text.contains("end") })
    }

    @Test("a cursor saved on a larger screen: found by FuzzTerminalEmulation (a crash at the next character)")
    func savedCursorBeyondTheScreen() throws {
        for (save, restore) in [("7", "8"), ("[s", "[u"), ("[?1049h", "[?1049l"), ("[?1048h", "[?1048l")] {
            let bench = try Bench(rows: 8, columns: 20)
            bench.feed("one^[8;20H^\(save)")
            bench.emulator.resize(TerminalSize(rows: 3, columns: 10))
            bench.feed("^\(restore)^[4ha^#8^[4lb")
            let cursor = try #require(bench.emulator.picture().cursor)
            #expect(cursor.row < 3 && cursor.column < 10, "\(save)")
        }
    }

    @Test("behind a cursor that is restored comes what has libvterm bring it onto the screen, before any text")
    func restoredCursor() {
        for restore in ["8", "[u"] {
            var filter = SequenceFilter()
            #expect(filter.pass("\u{1B}\(restore)a".utf8) == Array("\u{1B}8\u{1B}[0na".utf8), "\(restore)")
        }
    }

    @Test("broken characters, and control characters in UTF-8, do not reach libvterm (it writes outside its memory)")
    func brokenCharacters() {
        var filter = SequenceFilter()
        #expect(filter.pass([0xE2, 0x82, 0x61]) == Array("\u{FFFD}a".utf8))
        #expect(filter.pass([0xE2, 0x82]) == [])
        #expect(filter.pass([0xAC]) == Array("€".utf8))
        #expect(filter.pass([0xC0, 0x9B, 0xFD, 0xED, 0xA0, 0x80, 0x62]).last == 0x62)
        #expect(
            filter.pass([0x61, 0xC0, 0x9B, 0x62, 0x9B, 0x63])
                == Array("a\u{FFFD}b\u{FFFD}c".utf8))
        #expect(filter.pass("a\u{9B}2J\u{85}b".utf8) == Array("a2Jb".utf8))
    }

    @Test("neither lines of double width nor left and right margins, behind which libvterm's cursor would stand")
    func widthsAndMargins() throws {
        for sequence in ["#3", "#4", "#6", "[?69h", "[?069;7l", "[?69:1h", "[3;9s", "[;s"] {
            var filter = SequenceFilter()
            #expect(filter.pass("\u{1B}\(sequence)a".utf8) == Array("a".utf8), "\(sequence)")
        }
        for sequence in ["#5", "#8", "[?6h", "[?7l", "[?1069h", "[4h", "[?5s"] {
            var filter = SequenceFilter()
            #expect(filter.pass("\u{1B}\(sequence)".utf8) == Array("\u{1B}\(sequence)".utf8), "\(sequence)")
        }
        let bench = try Bench()
        bench.feed("one^[stwo^[u2^#6")
        #expect(bench.screen == ["one2wo"])
    }

    @Test("a row of text without an end in one piece does not end the program's stack")
    func endlessText() throws {
        let bench = try Bench()
        bench.feed("日" + String(repeating: "^[1000b", count: 300) + "\r\nend")
        #expect(bench.screen.last == "end")
    }

    @Test("a repetition repeats text, and nothing when there is none")
    func repetition() throws {
        let bench = try Bench()
        bench.feed("^[5b日^[2bx^[3b")
        #expect(bench.screen == ["日日日xxxx"])
        bench.feed("\r\ne\u{301}^[b^[999999999999b")
        #expect(bench.linesAbove > 0)
    }

    @Test("what is not known is dropped whole, and text around it stays")
    func unknownStrings() throws {
        let bench = try Bench(columns: 40)
        bench.feed(
            "a^]52;c;aGVsbG8=\u{7}b^]8;;http://x^\\c^P1$r^\\d^_Gx^\\e^[" + String(repeating: "1;", count: 500) + "mf")
        #expect(bench.screen == ["abcdef"])
        #expect(bench.output.isEmpty)
    }

    @Test("no cell holds a character that a terminal would obey")
    func noControls() throws {
        let bench = try Bench(rows: 10, columns: 60)
        bench.emulator.feed([UInt8](0...255))
        bench.feed("^c")
        bench.feed("a\u{202E}b\u{200B}c\u{9B}2Jd\u{FEFF}e\u{2028}f\u{AD}g\u{85}h")
        for line in bench.emulator.picture().lines {
            for scalar in line.text.unicodeScalars {
                let category = scalar.properties.generalCategory
                #expect(![.control, .format, .lineSeparator, .paragraphSeparator].contains(category))
            }
        }
    }

    @Test("any size at any time")
    func sizes() throws {
        let bench = try Bench()
        for size in [(0, 0), (-5, 1), (2, 4), (500, 1000), (9999, 9999), (3, 200), (200, 4), (24, 80)] {
            bench.feed("日本日本日本日本 text\r\n^[?1049h日本^[999;999H日")
            bench.emulator.resize(TerminalSize(rows: size.0, columns: size.1))
            bench.feed("^[?1049l日^[r\n\n日")
            let picture = bench.emulator.picture(linesBelow: 3)
            #expect(picture.lines.count == bench.emulator.size.rows)
            #expect(
                picture.lines.allSatisfy { $0.cells.count <= bench.emulator.size.columns || picture.linesBelow > 0 })
        }
    }
}
