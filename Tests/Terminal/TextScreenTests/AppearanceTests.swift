@testable import TextScreen
import Testing

@Suite("Appearance")
struct AppearanceTests {
    private func painted(_ line: String, _ style: Style = .plain, _ appearance: Appearance) -> String {
        var canvas = Canvas(ScreenSize(rows: 1, columns: 30))
        canvas.write(line, row: 0, style)
        var painter = Painter(appearance)
        return String(decoding: painter.frame(canvas), as: UTF8.self)
    }

    @Test(
        "a locale without UTF-8 gets ASCII, an unset one does not",
        arguments: [
            ([:], false), (["LANG": "C"], true), (["LANG": "en_US.UTF-8"], false), (["LANG": "cs_CZ.ISO-8859-2"], true),
            (["LANG": "C", "LC_ALL": "C.utf8"], false), (["LANG": "en_US.UTF-8", "LC_CTYPE": "POSIX"], true),
            (["LANG": "en_US.UTF-8", "LC_ALL": ""], false), (["LANG": "en_US.UTF-8", "TERM": "linux"], true),
            (["LANG": "en_US.UTF-8", "TERM": "xterm"], false),
        ])
    func locale(_ environment: [String: String], _ isASCII: Bool) {
        #expect(Appearance(environment: environment).isASCII == isASCII)
        #expect(Appearance(environment: environment, isASCII: !isASCII).isASCII == !isASCII)
    }

    @Test("in ASCII every character has a replacement of the same width")
    func ascii() {
        let appearance = Appearance(depth: .none, isASCII: true)
        let bytes = painted("┌─●◐▁█⠿⠁→_5°_e\u{301}_語_é_x", .plain, appearance)
        #expect(bytes.utf8.allSatisfy { $0 < 0x80 })
        #expect(bytes.contains("+-*+_##.>_5") && bytes.contains("deg_e_??_?_x"))
        for scalar in UInt32(0xA0)...0xFFFF {
            guard let character = Unicode.Scalar(scalar).map(Character.init), character.cells > 0 else { continue }
            #expect(ASCIIText.replacement(of: character).count == character.cells)
        }
    }

    @Test func `a text outside of a canvas is spelled in ASCII, too`() {
        #expect(Appearance(depth: .none).spelled("±0.1 ⠿°") == "±0.1 ⠿°")
        #expect(Appearance(depth: .none, isASCII: true).spelled("±0.1 ⠿°\n") == "+/-0.1 # deg\n")
    }

    @Test func `a terminal without a name, and one that can only print lines, get a sentence`() {
        #expect(TerminalDevice.failure(ofType: nil)?.description.contains("TERM") == true)
        #expect(TerminalDevice.failure(ofType: "")?.hint.contains("set TERM") == true)
        #expect(TerminalDevice.failure(ofType: "dumb")?.description.contains("TERM=dumb") == true)
        #expect(TerminalDevice.failure(ofType: "xterm") == nil)
    }

    @Test("a theme changes the tones, and none has no colour")
    func themes() {
        #expect(painted("x", .tone(.danger), Appearance(depth: .full)).contains("38;2;213;94;0"))
        #expect(painted("x", .tone(.danger), Appearance(depth: .full, theme: .light)).contains("38;2;170;62;0"))
        #expect(
            painted("x", .tone(.danger), Appearance(depth: .full, theme: .highContrast)).contains("38;2;255;135;95"))
        let none = Appearance(environment: ["TERM": "xterm-256color"], theme: .none)
        #expect(!painted("x", .tone(.danger), none).contains("38;"))
    }

    /// Contrast as in WCAG 2.1.
    private func luminance(_ look: Palette.Look) -> Double {
        func linear(_ value: UInt8) -> Double {
            let share = Double(value) / 255
            guard share > 0.03928 else { return share / 12.92 }
            // x^2.4 = x^2 * x^(2/5); the fifth root by Newton's method.
            let base = (share + 0.055) / 1.055
            var root = 1.0
            for _ in 0..<60 { root -= (root * root * root * root * root - base) / (5 * root * root * root * root) }
            return base * base * root * root
        }
        return 0.2126 * linear(look.red) + 0.7152 * linear(look.green) + 0.0722 * linear(look.blue)
    }

    @Test(
        "tones can be read: 4.5 to 1 on white in the light theme, 7 to 1 on black with high contrast",
        arguments: Tone.allCases)
    func contrast(_ tone: Tone) {
        let light = luminance(Palette.look(tone, .light))
        #expect(1.05 / (light + 0.05) >= 4.5)
        let bright = luminance(Palette.look(tone, .highContrast))
        #expect((bright + 0.05) / 0.05 >= 7)
    }
}
