/// A filter between an untrusted program and libvterm: passes text and complete control sequences of bounded size, and
/// drops the rest. Bytes may arrive in any split.
///
/// libvterm 0.1.4, the version of Debian 12, has these defects (found by FuzzTerminalEmulation and by review). It writes out of
/// bounds or crashes on a sequence of 17 parameters (its array has 16), on an invalid character before a letter (its decoder
/// writes two characters for one byte), on a run of text larger than its stack buffer, and whenever its cursor is off the
/// screen: after restoring a position saved on a larger screen, past the end of a double-width line, beyond margins that a
/// smaller screen no longer has, and after a C1 control character in UTF-8, whose width is -1. It loops forever on a repetition
/// with nothing to repeat, and stores every combining mark of an unbounded run. Therefore:
///
/// | from the program | passed to libvterm |
/// |---|---|
/// | a CSI sequence | at most 15 parameters, none above 9999 |
/// | a repetition (`CSI n b`) | the character again, at most 1000 times |
/// | insert, delete, scroll lines (`CSI n L`, `M`, `S`, `T`) | at most 500 lines, the largest screen |
/// | restore the cursor (`ESC 8`, `CSI u`) | followed by a sequence that moves the cursor onto the screen |
/// | `CSI s` | save the cursor; not left and right margins |
/// | left and right margins (`CSI ?69h`), double-width lines (`ESC # 3`, `4`, `6`) | nothing: current programs do not need them |
/// | OSC 0, 1, 2 (titles) | the first 1024 bytes, when the string is terminated |
/// | other OSC, DCS, APC, PM, SOS | nothing: clipboard, hyperlinks and images are not supported |
/// | combining marks | at most 4 in a row |
/// | C1 control characters in UTF-8 | nothing |
/// | invalid UTF-8 | U+FFFD |
struct SequenceFilter {
    static let maximumParameters = 15
    static let largestParameter = 9999
    static let maximumRepetitions = 1000
    /// The most lines of a terminal, see ``TerminalSize``.
    static let mostLines = 500
    static let longestTitle = 1024
    static let maximumMarks = 4
    private static let longestSequence = 256
    /// U+FFFD.
    private static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]
    private static let saveCursor: [UInt8] = Array("\u{1B}7".utf8)
    /// Followed by an invalid status report request, which has no effect: libvterm moves its cursor onto the screen after
    /// every CSI sequence.
    private static let restoreCursor: [UInt8] = Array("\u{1B}8\u{1B}[0n".utf8)
    /// SS2, SS3, DCS, SOS, CSI, OSC, PM, APC.
    private static let introducers: Set<UInt8> = [0x4E, 0x4F, 0x50, 0x58, 0x5B, 0x5D, 0x5E, 0x5F]

    private enum State {
        case ground
        case escape
        case control
        case string
    }

    private var state = State.ground
    /// The current sequence, without its ESC.
    private var sequence: [UInt8] = []
    private var sawEscape = false
    /// The bytes of the current multi-byte character.
    private var character: [UInt8] = []
    private var expected = 0
    private var marks = 0
    /// The last character without its marks, for a repetition.
    private var newest: [UInt8] = []

    /// Filters bytes; returns those to pass on.
    mutating func pass(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.underestimatedCount)
        for byte in bytes {
            switch state {
            case .ground: ground(byte, &out)
            case .escape: escape(byte, &out)
            case .control: control(byte, &out)
            case .string: string(byte, &out)
            }
        }
        return out
    }

    private mutating func begin(_ next: State) {
        state = next
        sequence.removeAll(keepingCapacity: true)
    }

    // MARK: Text

    private mutating func ground(_ byte: UInt8, _ out: inout [UInt8]) {
        if byte < 0x80 {
            if expected > 0 { endCharacter(&out) }
            marks = 0
            if byte == 0x1B { return begin(.escape) }
            out.append(byte)
            if byte >= 0x20 { newest = [byte] }
        } else if byte & 0xC0 == 0x80, expected > 0 {
            character.append(byte)
            if character.count == expected { endCharacter(&out) }
        } else {
            if expected > 0 { endCharacter(&out) }
            character = [byte]
            expected = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
            if expected == 1 { endCharacter(&out) }
        }
    }

    private mutating func endCharacter(_ out: inout [UInt8]) {
        defer {
            character.removeAll(keepingCapacity: true)
            expected = 0
        }
        guard let scalar = String(validating: character, as: UTF8.self)?.unicodeScalars.first else {
            marks = 0
            newest = Self.replacement
            out += newest
            return
        }
        guard scalar.properties.generalCategory != .control else { return }
        let isMark = Self.isMark(scalar)
        marks = isMark ? marks + 1 : 0
        if !isMark { newest = character }
        if marks <= Self.maximumMarks { out += character }
    }

    /// Whether a scalar has no width.
    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .spacingMark, .format, .lineSeparator, .paragraphSeparator:
            return true
        // The vowels and finals of Hangul syllables have no width either.
        default: return (0x1160...0x11FF).contains(scalar.value) || (0xD7B0...0xD7FF).contains(scalar.value)
        }
    }

    // MARK: Sequences

    private mutating func escape(_ byte: UInt8, _ out: inout [UInt8]) {
        switch byte {
        case 0x20...0x2F:
            sequence.append(byte)
            if sequence.count > Self.longestSequence { sequence.removeLast() }
        case 0x5B where sequence.isEmpty: begin(.control)
        case 0x50 where sequence.isEmpty, 0x58 where sequence.isEmpty, 0x5D where sequence.isEmpty,
            0x5E where sequence.isEmpty, 0x5F where sequence.isEmpty:
            begin(.string)
            sequence.append(byte)
            sawEscape = false
        case 0x30...0x7E:
            // Known sequences have at most one intermediate byte. Even after one, libvterm treats an introducer byte as the
            // start of a new sequence, and would continue parsing where this filter considers the sequence complete.
            if sequence.isEmpty, byte == 0x38 {
                out += Self.restoreCursor
            } else if sequence.isEmpty
                || (sequence.count == 1 && !Self.introducers.contains(byte) && !isDoubleWidth(final: byte))
            {
                out += [0x1B] + sequence + [byte]
            }
            state = .ground
        default: interrupted(by: byte, &out)
        }
    }

    private func isDoubleWidth(final byte: UInt8) -> Bool { sequence == [0x23] && [0x33, 0x34, 0x36].contains(byte) }

    /// ESC starts a new sequence, CAN and SUB abort; other control characters within a sequence are executed.
    private mutating func interrupted(by byte: UInt8, _ out: inout [UInt8]) {
        switch byte {
        case 0x1B: begin(.escape)
        case 0x18, 0x1A: state = .ground
        case 0..<0x20: out.append(byte)
        case 0x7F: break
        default:
            state = .ground
            ground(byte, &out)
        }
    }

    private mutating func control(_ byte: UInt8, _ out: inout [UInt8]) {
        switch byte {
        case 0x20...0x3F:
            // Longer than any known sequence: parsed to its end and dropped.
            if sequence.count <= Self.longestSequence { sequence.append(byte) }
        case 0x40...0x7E:
            state = .ground
            if byte == 0x62 {
                repetition(&out)
            } else if sequence.isEmpty, byte == 0x73 {
                out += Self.saveCursor
            } else if sequence.isEmpty, byte == 0x75 {
                out += Self.restoreCursor
            } else if setsMargins(final: byte) {
                return
            } else if [0x4C, 0x4D, 0x53, 0x54].contains(byte), let lines = count(atMost: Self.mostLines) {
                out += [0x1B, 0x5B] + Array(String(max(1, lines)).utf8) + [byte]
            } else if sequence.count <= Self.longestSequence {
                Self.write(sequence, final: byte, &out)
            }
        default: interrupted(by: byte, &out)
        }
    }

    /// Whether the sequence is DECSLRM, or sets or resets its mode DECLRMM, of which libvterm reads only the first parameter.
    private func setsMargins(final byte: UInt8) -> Bool {
        switch byte {
        case 0x73: return sequence.first.map { (0x30...0x3B).contains($0) } ?? false
        case 0x68, 0x6C:
            guard sequence.first == 0x3F else { return false }
            let digits = sequence.dropFirst().prefix { (0x30...0x39).contains($0) }
            return digits.drop { $0 == 0x30 }.elementsEqual([0x36, 0x39])
        default: return false
        }
    }

    private func repetition(_ out: inout [UInt8]) {
        guard let count = count(atMost: Self.maximumRepetitions) else { return }
        for _ in 0..<max(1, count) { out += newest }
    }

    /// The only parameter of the sequence, 0 when it is empty; `nil` when there is anything but digits.
    private func count(atMost most: Int) -> Int? {
        guard sequence.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return sequence.reduce(0) { min($0 * 10 + Int($1 - 0x30), most) }
    }

    private static func write(_ sequence: [UInt8], final: UInt8, _ out: inout [UInt8]) {
        out += [0x1B, 0x5B]
        var parameters = 1
        var number: Int?
        func end(_ out: inout [UInt8]) {
            if let number { out += String(number).utf8 }
            number = nil
        }
        for byte in sequence {
            switch byte {
            case 0x30...0x39 where parameters <= maximumParameters:
                number = min((number ?? 0) * 10 + Int(byte - 0x30), largestParameter)
            case 0x30...0x39: break
            case 0x3A, 0x3B:
                end(&out)
                parameters += 1
                if parameters <= maximumParameters { out.append(byte) }
            default:
                end(&out)
                out.append(byte)
            }
        }
        end(&out)
        out.append(final)
    }

    private mutating func string(_ byte: UInt8, _ out: inout [UInt8]) {
        switch byte {
        case 0x18, 0x1A: state = .ground
        case 0x07: endString(&out)
        case 0x5C where sawEscape: endString(&out)
        case 0x1B: sawEscape = true
        default:
            // A sequence within an unterminated string aborts the string, as in xterm.
            if sawEscape {
                begin(.escape)
                return escape(byte, &out)
            }
            if byte >= 0x20, sequence.count < Self.longestTitle { sequence.append(byte) }
        }
    }

    private mutating func endString(_ out: inout [UInt8]) {
        state = .ground
        guard sequence.count > 2, sequence[0] == 0x5D, (0x30...0x32).contains(sequence[1]), sequence[2] == 0x3B else {
            return
        }
        out += [0x1B] + sequence + [0x07]
    }
}
