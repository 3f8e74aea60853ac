@testable import LatencyLabMode
@testable import ModeKit
import Testing

@testable import TextScreen

/// What keys and the mouse do in the laboratory.
@MainActor
@Suite("Keys of the latency laboratory")
struct LatencyLabKeyTests {
    private final class Sent { var intents: [LatencyLabIntent] = [] }
    private let sent = Sent()

    private func screen(_ state: LatencyLabScreenState) -> LatencyLabScreen {
        let sent = sent
        let screen = LatencyLabScreen { sent.intents.append($0) }
        screen.show(state)
        var canvas = Canvas(ScreenSize(rows: 24, columns: 80))
        Golden.draw(screen, on: &canvas, in: canvas.area)
        #expect(sent.intents.popLast() == .resize(rows: 24, columns: 80))
        return screen
    }

    private func press(_ screen: LatencyLabScreen, _ keys: KeyEvent.Key...) -> Bool {
        keys.reduce(true) { $0 && screen.handle(.key(KeyEvent($1))) }
    }

    private func letters(_ screen: LatencyLabScreen, _ text: String) -> Bool {
        text.reduce(true) { $0 && screen.handle(.key(.typed($1))) }
    }

    @Test("choosing")
    func choosing() {
        let screen = screen(LatencyLabSamples.choosing)
        #expect(press(screen, .up, .down, .tab, .left, .right, .enter, .delete) && letters(screen, "csr"))
        #expect(
            sent.intents == [
                .move(-1), .move(1), .move(1), .change(-1), .change(1), .take, .remove, .typeCondition, .start,
                .showResults,
            ])
        #expect(press(screen, .home, .end, .pageUp, .pageDown))
        #expect(sent.intents.suffix(4) == [.move(-1_000_000), .move(1_000_000), .move(-10), .move(10)])
        // The frame's: back to the menu, and hover.
        #expect(!press(screen, .escape) && !letters(screen, " "))
        #expect(screen.handle(.mouse(MouseEvent(.wheelDown, row: 5, column: 5))) && sent.intents.last == .move(1))
    }

    @Test("while it measures, Esc ends it; once it is being ended, Esc is the frame's")
    func measuring() {
        var state = LatencyLabSamples.measuring
        let screen = screen(state)
        #expect(press(screen, .escape) && letters(screen, "x"))
        #expect(sent.intents == [.stop, .stop])
        #expect(!letters(screen, "s") && !letters(screen, " ") && !press(screen, .enter))
        state.progress.isEnding = true
        screen.show(state)
        #expect(!press(screen, .escape))
    }

    @Test("reading")
    func reading() {
        let screen = screen(LatencyLabSamples.reading(.table))
        #expect(press(screen, .tab, .left, .right, .up, .down, .pageUp, .pageDown) && letters(screen, "mw3n"))
        #expect(screen.handle(.key(KeyEvent(.tab, .shift))) && press(screen, .escape))
        #expect(
            sent.intents == [
                .nextPage(1), .nextCondition(-1), .nextCondition(1), .scroll(-1), .scroll(1), .scroll(-10), .scroll(10),
                .nextKind(1), .save, .page(.stages), .newMeasurement, .nextPage(-1), .newMeasurement,
            ])
        #expect(press(screen, .home, .end))
        #expect(sent.intents.suffix(2) == [.scroll(-1_000_000), .scroll(1_000_000)])
        #expect(screen.keys.contains(KeyHelp("Home End", "first, last line")))
        #expect(!letters(screen, "7") && !letters(screen, " "))
        let area = ScreenArea(rows: 24, columns: 80)
        let reading = LatencyLabSamples.reading(.table).results
        #expect(reading.map { LatencyResultsDrawing.maximumScroll($0, in: area) > 0 } == true)
    }

    @Test("a click chooses a line, or a page; beside them it does nothing")
    func mouse() {
        func click(_ screen: LatencyLabScreen, _ row: Int, _ column: Int) -> Bool {
            screen.handle(.mouse(MouseEvent(.press, row: row, column: column)))
        }
        let choosing = screen(LatencyLabSamples.choosing)
        #expect(click(choosing, 4, 20) && !click(choosing, 0, 20) && !click(choosing, 17, 20))
        #expect(sent.intents == [.go(to: 3), .take])
        sent.intents = []
        let reading = screen(LatencyLabSamples.reading(.table))
        #expect(click(reading, 1, 3) && click(reading, 1, 15) && !click(reading, 4, 15))
        #expect(sent.intents == [.page(.table), .page(.distribution)])
    }

    @Test("a question takes y, n and Esc, and Enter decides nothing")
    func question() {
        var state = LatencyLabSamples.choosing
        state.confirmation = ConfirmationRequest(title: "Measure in flight?", facts: [])
        let screen = screen(state)
        #expect(press(screen, .enter) && sent.intents.isEmpty)
        #expect(letters(screen, "yn") && press(screen, .escape))
        #expect(sent.intents == [.confirm, .decline, .decline])
        #expect(!letters(screen, "s"))
    }

    @Test("a line is typed, pasted, completed, taken, given up")
    func prompt() {
        var state = LatencyLabSamples.reading(.table)
        state.prompt = LatencyPrompt(.path, title: "Save as", text: "latency.html", hint: "")
        let screen = screen(state)
        #expect(screen.takesText)
        #expect(screen.handle(.key(KeyEvent(.character("u"), .control))) && letters(screen, "run s"))
        #expect(screen.handle(.paste(".html\nrm")) && press(screen, .tab, .enter, .escape))
        #expect(sent.intents == [.complete("run s.html"), .answer("run s.html"), .cancelPrompt])
        // What was completed stands in the line; what is merely shown anew does not undo what was typed.
        state.prompt?.note = "x"
        screen.show(state)
        #expect(press(screen, .enter) && sent.intents.last == .answer("run s.html"))
        state.prompt?.text = "run s.html.html"
        state.prompt?.revision += 1
        screen.show(state)
        #expect(press(screen, .enter) && sent.intents.last == .answer("run s.html.html"))
    }
}
