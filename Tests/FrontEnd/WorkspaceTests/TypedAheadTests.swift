@testable import JoystickMode
@testable import ModeKit
@testable import Workspace
import FlightControl
import MenuMode
import Testing
import TextScreen
import UAVTestKit

/// A joystick screen that asks whether to take off, as its Presenter does.
@MainActor
private final class AskingJoystick {
    private(set) var answers: [Bool] = []
    private(set) var hovers = 0
    lazy var screen: JoystickScreen = JoystickScreen { [weak self] intent in self?.obey(intent) }

    private func obey(_ intent: JoystickIntent) {
        switch intent {
        case .takeOff: show(asks: true)
        case .answer(let isYes):
            answers.append(isYes)
            show(asks: false)
        case .hover: hovers += 1
        default: break
        }
    }

    private func show(asks: Bool) {
        var state = JoystickScreenState()
        if asks { state.question = ConfirmationRequest(title: "Take off?", facts: [], action: "take off") }
        screen.show(state)
    }
}

@MainActor
@Suite("Keys typed before a question was on the screen", .timeLimit(.minutes(1)))
struct TypedAheadTests {
    private let joystick = AskingJoystick()
    private let frame: WorkspaceScreen
    private let intents = Intents()

    @MainActor
    private final class Intents { var all: [WorkspaceIntent] = [] }

    init() {
        let intents = intents
        frame = WorkspaceScreen { intents.all.append($0) }
        frame.resize(to: ScreenSize(rows: 24, columns: 80))
        frame.put(joystick.screen)
        frame.wasDrawn(inFrame: 7)
    }

    private func type(_ letters: String, seen number: Int) {
        for letter in letters { frame.handle(.key(.typed(letter)), seen: number) }
    }

    @Test("t and y typed at once only ask; y takes off once the question was written")
    func takeOff() {
        type("ty", seen: 7)
        #expect(joystick.answers.isEmpty)
        frame.wasDrawn(inFrame: 8)
        type("y", seen: 7)
        #expect(joystick.answers.isEmpty)
        frame.wasDrawn(inFrame: 9)
        type("y", seen: 8)
        #expect(joystick.answers == [true])
    }

    @Test("a question that was answered and is asked again must be shown again")
    func again() {
        type("t", seen: 7)
        frame.wasDrawn(inFrame: 8)
        type("nty", seen: 8)
        #expect(joystick.answers == [false])
        frame.wasDrawn(inFrame: 9)
        type("y", seen: 9)
        #expect(joystick.answers == [false, true])
    }

    @Test("what stops or declines acts at once")
    func stops() {
        type("t", seen: 7)
        frame.handle(.key(KeyEvent(.function(7))), seen: 7)
        frame.handle(.key(KeyEvent(.function(8))), seen: 7)
        #expect(intents.all == [.hover, .emergencyLand])
        frame.handle(.key(KeyEvent(.escape)), seen: 7)
        type("t", seen: 7)
        frame.handle(.key(KeyEvent(.character("c"), .control)), seen: 7)
        type("t ", seen: 7)
        #expect(joystick.answers == [false, false, false] && joystick.hovers == 1)
    }

    @Test("the same for the questions over every screen, and a reason is typed meanwhile, but not sent")
    func overEveryScreen() {
        var state = WorkspaceState()
        state.confirmation = Confirmation(question: .quit, title: "Quit", text: "", action: "quit")
        frame.show(state)
        type("y", seen: 7)
        #expect(intents.all.isEmpty)
        frame.wasDrawn(inFrame: 8)
        type("y", seen: 8)
        #expect(intents.all == [.confirm])
        state.confirmation = Confirmation(
            question: .takeCommand, title: "Take over", text: "", action: "take over", reason: "")
        frame.show(state)
        type("why", seen: 8)
        frame.handle(.key(KeyEvent(.enter)), seen: 8)
        #expect(intents.all == [.confirm])
        frame.wasDrawn(inFrame: 9)
        frame.handle(.key(KeyEvent(.enter)), seen: 9)
        #expect(intents.all == [.confirm, .confirmWithReason("why")])
    }

    @Test("an emergency landing does not wait for a terminal that is slow or too small")
    func emergency() {
        var state = WorkspaceState()
        state.confirmation = Confirmation(question: .emergencyLand, title: "Land", text: "", action: "land now")
        frame.show(state)
        type("y", seen: 7)
        #expect(intents.all == [.confirm])
        frame.resize(to: ScreenSize(rows: 5, columns: 20))
        frame.wasDrawn(inFrame: 8)
        var canvas = Canvas(ScreenSize(rows: 5, columns: 20))
        frame.draw(on: &canvas, in: ScreenArea(ScreenSize(rows: 5, columns: 20)))
        #expect(canvas.lines.joined(separator: " ").contains("EMERGENCY"))
        type("y", seen: 8)
        #expect(intents.all == [.confirm, .confirm])
    }

    @Test("a terminal that is too small shows no question, and none is answered there")
    func tooSmall() {
        type("t", seen: 7)
        frame.resize(to: ScreenSize(rows: 5, columns: 20))
        frame.wasDrawn(inFrame: 8)
        type("y", seen: 8)
        #expect(joystick.answers.isEmpty)
        frame.handle(.key(KeyEvent(.escape)), seen: 8)
        #expect(joystick.answers == [false])
    }

    @Test("a terminal that is too small to show what a key does takes only those that stop or lead back")
    func unseen() {
        frame.resize(to: ScreenSize(rows: 5, columns: 20))
        type("t", seen: 7)
        frame.resize(to: ScreenSize(rows: 24, columns: 80))
        frame.wasDrawn(inFrame: 8)
        type("y", seen: 8)
        #expect(joystick.answers.isEmpty)
        frame.resize(to: ScreenSize(rows: 5, columns: 20))
        type(" ", seen: 8)
        #expect(joystick.hovers == 1)
        frame.handle(.key(KeyEvent(.function(7))), seen: 8)
        #expect(intents.all == [.hover])
    }

    @Test("in the program loop, the keys of one read do not answer the question that the first of them opens")
    func programLoop() async throws {
        let (terminal, timeSource) = (FakeTerminal(), FakeTimeSource())
        let fleet = Fleet(timeSource: timeSource)
        let frontEnd = FrontEnd(
            terminal: terminal,
            settings: .init(
                appearance: Appearance(depth: .indexed), timeSource: timeSource, fleet: fleet, firstMode: .menu,
                losses: { ["a route"] }
            ) { _, stage in
                MenuBuilder(.init(fleet: fleet, modes: [.joystick])).build(on: stage) { presenter in
                    MenuScreen { presenter.handle($0) }
                }
            })
        func shows(_ text: String) async -> Bool {
            await timeSource.fake.run(for: .milliseconds(200))
            return await terminal.shows(text)
        }
        let run = Task { try await frontEnd.run() }
        #expect(await shows("What do you want to do?"))
        terminal.input.yield(.key(KeyEvent(.function(10))), .key(.typed("y")))
        #expect(await shows("Lost when you quit: a route"))
        // Once a second frame is written, the first one is known to be.
        terminal.wipe()
        terminal.input.yield(.resize(terminal.size))
        #expect(await shows("Lost when you quit: a route"))
        #expect(terminal.log == ["enter"])
        terminal.input.yield(.key(.typed("y")))
        try await timeSource.fake.run(through: { try await run.value })
        #expect(terminal.log == ["enter", "leave"])
    }
}
