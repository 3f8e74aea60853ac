@testable import ModeKit
import Testing
import TextScreen

@MainActor
@Suite("Questions over a screen")
struct DialogLayerTests {
    private static let area = ScreenArea(rows: 11, columns: 60)

    private func lines(_ layer: DialogLayer) -> String {
        var canvas = Canvas(ScreenSize(rows: Self.area.rows, columns: Self.area.columns))
        layer.draw(on: &canvas, in: Self.area)
        return canvas.lines.joined(separator: "\n")
    }

    private func layer(_ question: Question?, _ confirmation: ConfirmationRequest? = nil) -> DialogLayer {
        var layer = DialogLayer()
        layer.resize(to: Self.area)
        layer.show(question, confirmation)
        return layer
    }

    private func prompt(text: String = "", about: String = "", hint: String, note: String = "") -> Question {
        Question(id: "speed", title: "Speed, m/s", text: text, about: about, hint: hint, note: note)
    }

    // MARK: Prompts

    @Test(arguments: ["1.5", "for example 1.5", "example: 1.5", "for example: 1.5"])
    func `a hint is shown as an example, however it is written`(_ hint: String) {
        let shown = lines(layer(prompt(about: "0.1 to 20", hint: hint)))
        #expect(shown.contains("for example: 1.5") && shown.contains("0.1 to 20"), "\(shown)")
        #expect(!lines(layer(prompt(hint: ""))).contains("example"))
    }

    @Test func `Enter on an empty line says what is expected, until something is typed`() {
        var layer = layer(prompt(hint: "1.5", note: "expected a number"))
        for text in ["", "  "] {
            for character in text { _ = layer.handle(.key(.typed(character))) }
            #expect(layer.handle(.key(KeyEvent(.enter))) == .edited)
            let shown = lines(layer)
            #expect(shown.contains("nothing was typed; expected something like 1.5"), "\(shown)")
            #expect(!shown.contains("expected a number"))
        }
        #expect(layer.handle(.key(.typed("2"))) == .edited)
        #expect(!lines(layer).contains("nothing was typed"))
        #expect(layer.handle(.key(KeyEvent(.enter))) == .answer("  2"))
    }

    @Test func `what was wrong with a line is said beside that line only, and again if it is refused again`() {
        var layer = layer(prompt(hint: "1.5"))
        _ = layer.handle(.key(.typed("x")))
        #expect(layer.handle(.key(KeyEvent(.enter))) == .answer("x"))
        layer.show(prompt(hint: "1.5", note: "not a number"), nil)
        #expect(lines(layer).contains("not a number"))
        _ = layer.handle(.key(.typed("y")))
        #expect(!lines(layer).contains("not a number"))
        // Refused for the same reason, nothing is shown anew by the presenter.
        #expect(layer.handle(.key(KeyEvent(.enter))) == .answer("xy"))
        #expect(lines(layer).contains("not a number"))
    }

    @Test func `possible completions stay while the name is typed on`() {
        var layer = layer(prompt(hint: "1.5"))
        layer.show(
            Question(
                id: "file 1", title: "File", text: "ro", hint: "", note: "room_1 room_2", completes: true,
                isCompleted: true), nil)
        _ = layer.handle(.key(.typed("o")))
        #expect(lines(layer).contains("room_1 room_2"), "\(lines(layer))")
    }

    @Test(arguments: [false, true])
    func `Space declines a question that a letter confirms`(needsForce: Bool) {
        var layer = layer(nil, ConfirmationRequest(title: "Send?", facts: [], needsForce: needsForce))
        let outcome = layer.handle(.key(.typed(" ")))
        #expect(outcome == .decline)
    }

    @Test func `the text that stands in the line is the answer if it is not changed`() {
        var layer = layer(prompt(text: "4.0", hint: "1.5"))
        #expect(layer.handle(.key(KeyEvent(.enter))) == .answer("4.0"))
    }

    @Test func `what is typed replaces a value or a name that stands in the line, and goes on with a completed one`() {
        func answer(_ keys: [KeyEvent], to question: Question) -> DialogLayer.Outcome? {
            var layer = layer(question)
            for key in keys { _ = layer.handle(.key(key)) }
            return layer.handle(.key(KeyEvent(.enter)))
        }
        let value = prompt(text: "18.0", hint: "1.5")
        #expect(answer([.typed("2"), .typed("5")], to: value) == .answer("25"))
        #expect(answer([KeyEvent(.backspace), .typed("2")], to: value) == .answer("2"))
        #expect(answer([KeyEvent(.left), .typed("2")], to: value) == .answer("18.20"))
        #expect(answer([KeyEvent(.end), .typed("2")], to: value) == .answer("18.02"))
        let refused = prompt(text: "18,", hint: "1.5", note: "'18,' is not a number")
        #expect(answer([KeyEvent(.backspace), .typed(".")], to: refused) == .answer("18."))
        func file(_ text: String, note: String = "", isCompleted: Bool = false) -> Question {
            Question(
                id: "file", title: "File", text: text, hint: "", note: note, completes: true, isCompleted: isCompleted)
        }
        // A name that was not edited: `r1.kml` must not become `r1.kmlr2.kml`.
        #expect(answer([.typed("b")], to: file("a.csv")) == .answer("b"))
        #expect(answer([KeyEvent(.end), .typed("2")], to: file("a.csv")) == .answer("a.csv2"))
        #expect(answer([.typed("v")], to: file("a.cs", isCompleted: true)) == .answer("a.csv"))
        #expect(answer([.typed("v")], to: file("a.cs", note: "there is no a.cs")) == .answer("a.csv"))
    }

    // MARK: Confirmations

    private func request(_ count: Int = 0, isDangerous: Bool = true, needsForce: Bool = false) -> ConfirmationRequest {
        ConfirmationRequest(
            title: "Replace room.pcd?", facts: (0..<count).map { LabeledValue("fact \($0)", "value") },
            needsForce: needsForce, action: "replace it", otherwise: "it stays as it is", isDangerous: isDangerous)
    }

    @Test func `one form: the key and what it does, the other keys and what stays`() {
        #expect(
            lines(layer(nil, request(isDangerous: false))).contains(
                "Enter, y: replace it   any other key: it stays as it is"))
        #expect(lines(layer(nil, request())).contains("y: replace it   n or Esc: it stays as it is"))
        let forced = lines(layer(nil, request(needsForce: true)))
        #expect(forced.contains("F: replace it despite failed check") && forced.contains("n or Esc: it stays as it is"))
        #expect(layer(nil, request()).help == [KeyHelp("y", "replace it"), KeyHelp("n Esc", "it stays as it is")])
        #expect(layer(nil, request(isDangerous: false)).help?.first == KeyHelp("Enter y", "replace it"))
    }

    @Test func `Enter confirms what moves nothing, any other key declines it; a held or modifier key does neither`() {
        var layer = layer(nil, request(isDangerous: false))
        #expect(layer.handle(.key(KeyEvent(.enter))) == .confirm)
        #expect(layer.handle(.key(.typed("y"))) == .confirm)
        for key in [KeyEvent.typed("x"), .typed("n"), KeyEvent(.escape), KeyEvent(.up), KeyEvent(.enter, .control)] {
            #expect(layer.handle(.key(key)) == .decline, "\(key)")
        }
        for key in [
            KeyEvent(.enter, phase: .repeating), KeyEvent(.enter, phase: .release), KeyEvent(.other(57_441), .shift),
        ] { #expect(layer.handle(.key(key)) == .ignored, "\(key)") }
    }

    @Test func `what is dangerous takes its letter only, and Enter decides nothing`() {
        var layer = layer(nil, request())
        #expect(layer.handle(.key(KeyEvent(.enter))) == .swallowed)
        #expect(layer.handle(.key(.typed("x"))) == .ignored && layer.handle(.key(.typed("F"))) == .ignored)
        #expect(layer.handle(.key(.typed("y"))) == .confirm && layer.handle(.key(.typed("n"))) == .decline)
        var forced = self.layer(nil, request(needsForce: true))
        #expect(forced.handle(.key(.typed("y"))) == .ignored && forced.handle(.key(.typed("F"))) == .force)
        #expect(forced.handle(.key(KeyEvent(.character("f"), .shift))) == .force)
        #expect(forced.handle(.key(.typed("f"))) == .ignored)
    }

    @Test func `a question that is longer than the screen scrolls, and says so`() {
        var layer = layer(nil, request(20, isDangerous: false))
        var seen = lines(layer)
        #expect(
            seen.contains("fact 0") && seen.contains("▼ ") && !seen.contains("▲ ") && seen.contains("Enter, y: replace")
        )
        for _ in 0..<30 { #expect(layer.handle(.key(KeyEvent(.down))) == .edited) }
        #expect(layer.handle(.mouse(MouseEvent(.wheelDown, row: 1, column: 1))) == .edited)
        seen = lines(layer)
        #expect(seen.contains("fact 19") && seen.contains("▲ ") && !seen.contains("▼ "), "\(seen)")
        var next = request(20, isDangerous: false)
        next.title = "Replace hall.pcd?"
        layer.show(nil, next)
        #expect(lines(layer).contains("fact 0"))
    }

    @Test func `what was scrolled to stays while the figures of the same question change`() {
        var layer = layer(nil, request(20))
        for _ in 0..<5 { _ = layer.handle(.key(KeyEvent(.down))) }
        #expect(lines(layer).contains("▲ 5 more"), "\(lines(layer))")
        var changed = request(20)
        changed.facts[2].value = "left 90 %"
        layer.show(nil, changed)
        #expect(lines(layer).contains("▲ 5 more"), "\(lines(layer))")
        // As far down as a shorter text goes.
        layer.show(nil, request(10))
        #expect(lines(layer).contains("▲ 2 more"), "\(lines(layer))")
        // What has failed since stands above.
        layer.show(nil, request(20, needsForce: true))
        #expect(!lines(layer).contains("▲ ") && lines(layer).contains("fact 0"))
    }

    @Test func `pages and both ends of a long question are reached at once, but for a line of text`() {
        var layer = layer(nil, request(20))
        for (key, above) in [(KeyEvent.Key.end, 12), (.home, 0), (.pageDown, 7), (.pageDown, 12), (.pageUp, 5)] {
            _ = layer.handle(.key(KeyEvent(key)))
            let seen = lines(layer)
            #expect(seen.contains("▲ ") == (above > 0) && seen.contains("▼ ") == (above < 12), "\(seen)")
            #expect(above == 0 || seen.contains("▲ \(above) more"), "\(seen)")
        }
        let box = QuestionBox(
            title: "Take over?", lines: (0..<20).map { [.init("line \($0)")] },
            answers: ConfirmationAnswers(.line, action: "take over", otherwise: "no"), hasField: true)
        #expect(box.scrolled(by: .key(KeyEvent(.end)), from: 0, in: Self.area) == nil)
        #expect(box.scrolled(by: .key(KeyEvent(.down)), from: 0, in: Self.area) == 1)
    }

    @Test func `on the smallest screen no line is lost to the gap below a long title`() {
        let area = ScreenArea(rows: 8, columns: 40)
        let finding = FindingLine(text: "the route has changed; the vehicle flies the old one", isFailure: false)
        var layer = layer(
            nil,
            ConfirmationRequest(
                title: "Fly uav1 to the start of its trajectory?", facts: [LabeledValue("length", "27.5 m")],
                findings: [finding], action: "fly there", otherwise: "it does not fly there"))
        layer.resize(to: area)
        var canvas = Canvas(ScreenSize(rows: area.rows, columns: area.columns))
        layer.draw(on: &canvas, in: area)
        let seen = canvas.lines.joined(separator: "\n")
        #expect(seen.contains("! the route has changed; the vehicle") && seen.contains("flies the old one"), "\(seen)")
    }

    @Test func `long titles and values are wrapped, not cut`() {
        let title = "Replace the file /home/anna/missions/field/north/route.kml by the route on the map?"
        let value = "two words and then so many more that the line of the box is too short for them"
        let shown = lines(layer(nil, ConfirmationRequest(title: title, facts: [LabeledValue("why", value)])))
        for word in title.split(separator: " ") + value.split(separator: " ") {
            #expect(shown.contains(word), "\(word): \(shown)")
        }
    }

    @Test func `a click on an answer gives it, wherever it stands`() {
        var layer = layer(
            nil,
            ConfirmationRequest(
                title: "Send?", facts: [], action: "send the trajectory of 12 waypoints to uav1",
                otherwise: "the vehicle keeps the one that it has"))
        let rows = lines(layer).split(separator: "\n", omittingEmptySubsequences: false)
        for (text, outcome) in [("y: send", DialogLayer.Outcome.confirm), ("n or Esc", .decline)] {
            guard let row = rows.firstIndex(where: { $0.contains(text) }) else {
                Issue.record("no '\(text)': \(rows)")
                continue
            }
            let column = rows[row].prefix { $0 != text.first }.count
            #expect(layer.handle(.mouse(MouseEvent(.press, row: row, column: column))) == outcome)
        }
        #expect(layer.handle(.mouse(MouseEvent(.press, row: 0, column: 0))) == .swallowed)
    }
}
