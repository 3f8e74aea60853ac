@testable import FlightControl
@testable import ModeKit
@testable import Workspace
import FlightRecorder
import GameController
import IntegrationKit
import LoginMode
import Testing
import TextScreen
import UAVTestKit
import VehicleAccess

/// What is drawn over and below every screen.
@MainActor
@Suite("Questions, help and notices in the frame")
struct WorkspaceOverlayTests {
    private let frame: WorkspaceScreen
    private let intents = Intents()

    @MainActor
    private final class Intents { var all: [WorkspaceIntent] = [] }

    init() {
        let intents = intents
        frame = WorkspaceScreen { intents.all.append($0) }
    }

    private func lines(_ rows: Int = 15, _ columns: Int = 60) -> [String] {
        frame.resize(to: ScreenSize(rows: rows, columns: columns))
        var canvas = Canvas(ScreenSize(rows: rows, columns: columns))
        frame.draw(on: &canvas, in: canvas.area)
        return canvas.lines
    }

    private func ask(
        _ question: Workspace.Confirmation.Question, title: String = "Quit in flight", text: String = "text"
    ) {
        var state = WorkspaceState()
        state.confirmation = Confirmation(question: question, title: title, text: text, action: "do it")
        frame.show(state)
    }

    // MARK: Questions

    @Test(
        arguments: [
            (Workspace.Confirmation.Question.emergencyLand, "no landing"), (.quit, "uavlink stays open"),
            (.fly(.takeOff), "it stays on the ground"), (.fly(.disarm), "the motors stay as they are"),
        ])
    func `every question names both answers, and has a question mark`(
        _ question: Workspace.Confirmation.Question, _ otherwise: String
    ) {
        ask(question)
        let shown = lines()
        #expect(shown.contains { $0.contains("─ Quit in flight? ─") }, "\(shown)")
        #expect(shown.contains { $0.contains("y: do it   n or Esc: \(otherwise)") }, "\(shown)")
    }

    @Test func `all vehicles are commanded by Enter, and by no other key`() {
        ask(.commandAll, title: "Command all 2 vehicles?")
        let shown = lines().joined(separator: " ")
        #expect(
            shown.contains("Enter, y: do it") && shown.contains("any other key: only the selected vehicle is commanded")
        )
        #expect(shown.contains("─ Command all 2 vehicles? ─"))
        frame.handle(.key(KeyEvent(.enter, phase: .repeating)))
        frame.handle(.key(KeyEvent(.enter)))
        frame.handle(.key(.typed("x")))
        // Whatever it takes Space for, it hovers too.
        frame.handle(.key(.typed(" ")))
        #expect(intents.all == [.confirm, .decline, .decline, .hover])
    }

    @Test func `a question that is longer than the screen scrolls`() {
        ask(.quit, text: (0..<20).map { "line \($0)" }.joined(separator: "\n"))
        #expect(lines().contains { $0.contains("line 0") } && lines().contains { $0.contains("▼ ") })
        for _ in 0..<30 { frame.handle(.key(KeyEvent(.down))) }
        #expect(lines().contains { $0.contains("line 19") } && lines().contains { $0.contains("▲ ") })
        frame.handle(.mouse(MouseEvent(.wheelUp, row: 5, column: 5)))
        #expect(!lines().contains { $0.contains("line 19") } && intents.all.isEmpty)
    }

    @Test func `a question keeps its place while only its text changes`() {
        func text(_ battery: Int) -> String {
            (["battery \(battery) %"] + (1..<20).map { "line \($0)" }).joined(separator: "\n")
        }
        ask(.quit, text: text(91))
        _ = lines()
        frame.handle(.key(KeyEvent(.end)))
        #expect(lines().contains { $0.contains("line 19") })
        ask(.quit, text: text(90))
        #expect(lines().contains { $0.contains("line 19") }, "\(lines())")
        ask(.quit, title: "Quit and lose the route", text: text(90))
        #expect(lines().contains { $0.contains("battery 90 %") }, "\(lines())")
    }

    @Test func `the reason of a take-over is typed above the answers, on the smallest screen too`() {
        var state = WorkspaceState()
        state.confirmation = Confirmation(
            question: .takeCommand, title: "Take over", text: String(repeating: "anna flies ", count: 40),
            action: "take over", reason: "by bob")
        frame.show(state)
        for (rows, columns) in [(12, 40), (15, 60)] {
            let shown = lines(rows, columns)
            #expect(shown.contains { $0.contains("│ by bob") } && shown.contains { $0.contains("Enter: take over") })
            #expect(shown.contains { $0.contains("▼ ") }, "\(shown)")
        }
    }

    // MARK: Help

    @Test func `the help has the values that the lines above a narrow screen have no space for`() {
        var vehicle = VehicleBar(title: "uav1")
        (vehicle.state, vehicle.control, vehicle.battery) = ("flying to a goal", "nobody", "87 % 23.4 V")
        (vehicle.isSimulated, vehicle.batteryShare) = (true, 0.87)
        var link = LinkBar(link: "udp", grade: .good)
        (link.percent, link.age, link.lossUp, link.lossDown) = (98, "12 ms", "0 %", "1.5 %")
        var state = WorkspaceState()
        (state.vehicle, state.link) = (vehicle, link)
        let details = WorkspaceBars.details(state, columns: 40)
        #expect(details.contains(KeyHelp("control", "nobody")) && details.contains(KeyHelp("loss", "↑0 % ↓1.5 %")))
        #expect(!details.contains { $0.keys == "battery" || $0.keys == "vehicle" || $0.keys == "round trip" })
        #expect(WorkspaceBars.details(state, columns: 120).isEmpty)
        frame.show(state)
        _ = lines(12, 40)
        frame.handle(.key(KeyEvent(.function(1))))
        for letter in "nobody" { frame.handle(.key(.typed(letter))) }
        let shown = lines(12, 40).joined(separator: "\n")
        #expect(shown.contains("What it shows") && shown.contains("control       nobody"), "\(shown)")
    }

    @Test func `a filter that nothing matches says so, and how to clear it`() {
        frame.handle(.key(.typed("?")))
        _ = lines()
        for letter in "xyzq" { frame.handle(.key(.typed(letter))) }
        let shown = lines().joined(separator: "\n")
        #expect(shown.contains("no key matches 'xyzq'") && shown.contains("Ctrl-U"), "\(shown)")
        frame.handle(.key(KeyEvent(.character("u"), .control)))
        #expect(lines().contains { $0.contains("Everywhere") } && !lines().contains { $0.contains("no key matches") })
        // A filter as long as it may be takes no more letters, and stays open.
        for _ in 0..<30 { frame.handle(.key(.typed("x"))) }
        #expect(lines().contains { $0.contains("no key matches") })
    }

    @Test func `the line of keys below the help follows its filter, and scrolls only where there is more`() {
        frame.handle(.key(.typed("?")))
        #expect(lines().last == "↑ ↓ scroll  Esc close the help")
        for letter in "xyzq" { frame.handle(.key(.typed(letter))) }
        #expect(lines().last == "Ctrl-U clear the filter  Esc close the help")
        #expect(lines().contains { $0.contains("Ctrl-U clears the filter, Esc closes") })
    }

    @Test func `the help says how many lines are above and below`() {
        frame.handle(.key(.typed("?")))
        #expect(lines().contains { $0.contains("▼ ") } && !lines().contains { $0.contains("▲ ") })
        frame.handle(.key(KeyEvent(.down)))
        #expect(lines().contains { $0.contains("▲ 1 more") })
        frame.handle(.key(KeyEvent(.end)))
        #expect(lines().contains { $0.contains("▲ ") } && !lines().contains { $0.contains("▼ ") })
    }

    // MARK: Notices and bars

    @Test func `a notice that is too long ends with a word, and says where the rest is`() {
        var state = WorkspaceState()
        state.notice = Notice(
            .error, "the vehicle refused goto: the goal is outside of the safety area, too high or too low")
        frame.show(state)
        #expect(lines()[13] == "✗ the vehicle refused goto: the goal is …  F1: all of it")
        state.notice = Notice(.error, "the vehicle refused goto")
        frame.show(state)
        #expect(lines()[13] == "✗ the vehicle refused goto")
    }

    @Test func `the battery does not stand over who has control`() {
        var state = WorkspaceState()
        var vehicle = VehicleBar(title: "hexa1:uav1")
        (vehicle.position, vehicle.state, vehicle.battery) = ("2/3", "flying", "87 % 23.4 V")
        (vehicle.batteryShare, vehicle.control) = (0.87, "anna@the-laptop-in-the-field, 12.3 s")
        (state.vehicle, state.link) = (vehicle, LinkBar(link: "udp"))
        frame.show(state)
        let bar = lines()[1]
        #expect(bar.hasSuffix("▮▮▮▮▮ 87 % 23.4 V") && bar.contains("… ▮") && bar.contains("control anna"), "\(bar)")
    }

    @Test(arguments: ["taking off", "flying, goto", "on trajectory", "was in EMERGENCY", "was flying to a goal"])
    func `on the narrowest terminal the vehicle's state is whole, and the battery's share`(_ words: String) {
        var state = WorkspaceState()
        var vehicle = VehicleBar(title: "uav1 on hexa1 (simulated)")
        (vehicle.state, vehicle.battery, vehicle.batteryShare) = (words, "17 % 14.8 V", 0.17)
        (vehicle.isSimulated, vehicle.control) = (true, "nobody")
        (state.vehicle, state.link) = (vehicle, LinkBar(link: "udp"))
        frame.resize(to: ScreenSize(rows: 12, columns: 40))
        frame.show(state)
        var canvas = Canvas(ScreenSize(rows: 12, columns: 40))
        frame.draw(on: &canvas, in: canvas.area)
        let bar = canvas.lines[1]
        #expect(bar.contains(" SIM  \(words) ") && bar.contains("LOW 17 %") && bar.hasPrefix("uav"), "\(bar)")
    }

    // MARK: Log-out

    @Test func `a log-out ends a recording, and names its file; without one it ends nothing`() async throws {
        let (timeSource, folder) = (FakeTimeSource(), try TemporaryFolder())
        let recordings = Recordings(path: nil, clock: timeSource.fake)
        let link = FakeLink(clock: timeSource.fake)
        try await link.connect(within: .seconds(1))
        let fleet = Fleet(timeSource: timeSource)
        let vehicle = fleet.add(
            profile: VehicleProfile(name: "uav1"), link: try recordings.around(link, vehicle: "uav1"))
        let catalog = ModeCatalog(
            .init(
                fleet: fleet, environment: [:],
                login: .init(
                    fleet: fleet, configuration: ConfigurationFile(path: "/dev/null", environment: [:]),
                    environment: [:]),
                abilities: TerminalAbilities(), makeGamepads: { NoControllers() }, timeSource: timeSource,
                recordings: recordings))
        #expect(catalog.losses(of: vehicle).isEmpty)
        let file = try recordings.start("uav1", at: folder.file("f.bag"))
        #expect(catalog.losses(of: vehicle) == ["the recording to \(file)"])
        // Its thread waits for the fake clock.
        _ = try await timeSource.fake.run(through: { await recordings.stop("uav1") })
        #expect(catalog.losses(of: vehicle).isEmpty)
        await fleet.removeAll()
    }
}

private final class NoControllers: Gamepads {
    let state = GamepadsState.none
    func close() {}
}
