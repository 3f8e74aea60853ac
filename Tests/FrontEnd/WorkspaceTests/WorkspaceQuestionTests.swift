@testable import FlightControl
@testable import ModeKit
@testable import Workspace
import Testing
import TextScreen

@MainActor
@Suite("Questions in the frame")
struct WorkspaceQuestionTests {
    private let content = FakeScreen()
    private let frame: WorkspaceScreen
    private let intents = Intents()

    @MainActor
    private final class Intents { var all: [WorkspaceIntent] = [] }

    init() {
        let intents = intents
        frame = WorkspaceScreen { intents.all.append($0) }
        frame.put(content)
    }

    @Test("a question is answered by y, n, Esc or Space, and by nothing else")
    func answers() {
        var state = WorkspaceState()
        state.confirmation = Confirmation(question: .emergencyLand, title: "", text: "", action: "land now")
        frame.show(state)
        for key in [KeyEvent(.enter), .typed("q"), KeyEvent(.character("y"), phase: .repeating)] {
            frame.handle(.key(key))
        }
        #expect(intents.all.isEmpty)
        frame.handle(.key(.typed("y")))
        frame.handle(.key(KeyEvent(.escape)))
        #expect(intents.all == [.confirm, .decline])
    }

    @Test(
        "Space declines what y confirms, and hovers",
        arguments: [.emergencyLand, .quit, .fly(.takeOff), .fly(.disarm)] as [Workspace.Confirmation.Question])
    func space(_ question: Workspace.Confirmation.Question) {
        var state = WorkspaceState()
        state.confirmation = Confirmation(question: question, title: "", text: "", action: "do it")
        frame.show(state)
        frame.handle(.key(.typed(" ")))
        #expect(intents.all == [.decline, .hover])
    }

    @Test func `Ctrl-C declines a question and closes the help, and does not quit`() {
        let interrupt = InputEvent.key(KeyEvent(.character("c"), .control))
        frame.handle(.key(.typed("?")))
        frame.handle(interrupt)
        #expect(intents.all.isEmpty && !lines(rows: 24, columns: 80).joined().contains("emergency landing, after"))
        var state = WorkspaceState()
        state.confirmation = Confirmation(question: .emergencyLand, title: "", text: "", action: "land now")
        frame.show(state)
        frame.handle(interrupt)
        #expect(intents.all == [.decline])
    }

    private func lines(rows: Int, columns: Int) -> [String] {
        frame.resize(to: ScreenSize(rows: rows, columns: columns))
        var canvas = Canvas(ScreenSize(rows: rows, columns: columns))
        frame.draw(on: &canvas, in: canvas.area)
        return canvas.lines
    }

    @Test("who takes over types why; Enter takes over, Esc does not, and F7 hovers anyway")
    func takeOver() {
        frame.handle(.key(KeyEvent(.function(12))))
        frame.handle(.key(KeyEvent(.function(12), phase: .repeating)))
        #expect(intents.all == [.takeCommand])
        var state = WorkspaceState()
        state.confirmation = Confirmation(
            question: .takeCommand, title: "Take over", text: "anna flies", action: "take over", reason: "by bob")
        frame.show(state)
        #expect(frame.takesText && !frame.takesControlZ)
        for key in ["y", "n", " ", "?"] { frame.handle(.key(.typed(Character(key)))) }
        frame.handle(.paste("2\nx"))
        frame.handle(.key(KeyEvent(.function(7))))
        // What is shown anew for another reason leaves the text as it is.
        state.notice = Notice(.information, "hover ...")
        frame.show(state)
        frame.handle(.key(KeyEvent(.enter, phase: .repeating)))
        frame.handle(.key(KeyEvent(.enter)))
        frame.handle(.key(KeyEvent(.escape)))
        // The reason that was there is replaced by what is typed.
        #expect(intents.all == [.takeCommand, .hover, .confirmWithReason("yn ?2"), .decline])
        #expect(content.given.isEmpty)
        var canvas = Canvas(ScreenSize(rows: 24, columns: 80))
        frame.draw(on: &canvas, in: canvas.area)
        let rows = canvas.lines
        #expect(rows.contains { $0.contains("anna flies") } && rows.contains { $0.contains("yn ?2") })
        #expect(rows.contains { $0.contains("Enter: take over   Esc: control stays where it is") })
        frame.show(WorkspaceState())
        #expect(!frame.takesText)
    }

    @Test func `a reason stays while the text of the question changes`() {
        var state = WorkspaceState()
        state.confirmation = Confirmation(
            question: .takeCommand, title: "Take over", text: "anna flies", action: "take over", reason: "by bob")
        frame.show(state)
        for letter in "why" { frame.handle(.key(.typed(letter))) }
        state.confirmation?.text = "nobody flies"
        frame.show(state)
        frame.handle(.key(KeyEvent(.enter)))
        #expect(intents.all == [.confirmWithReason("why")])
    }

    @Test func `the reason that a take-over begins with is kept by Enter`() {
        var state = WorkspaceState()
        state.confirmation = Confirmation(
            question: .takeCommand, title: "Take over", text: "anna flies", action: "take over", reason: "by bob")
        frame.show(state)
        frame.handle(.key(KeyEvent(.end)))
        frame.handle(.key(.typed("!")))
        frame.handle(.key(KeyEvent(.enter)))
        #expect(intents.all == [.confirmWithReason("by bob!")])
    }
}
