import ModeKit
@testable import FlightControl
@testable import MenuMode
@testable import Workspace
import Testing
import TextScreen

@MainActor
@Suite("Golden screens of the frame")
struct WorkspaceGoldenTests {
    private func screen(_ change: (inout WorkspaceState) -> Void = { _ in }) -> WorkspaceScreen {
        let screen = WorkspaceScreen { _ in }
        let menu = MenuScreen { _ in }
        var items = MenuScreenState()
        items.items = [
            MenuItem(.joystick, title: "Joystick", explanation: "manual flight: keyboard or game controller")
        ]
        menu.show(items)
        screen.put(menu)
        var state = WorkspaceState()
        state.mode = .menu
        var link = LinkBar(link: "udp", grade: .good)
        (link.percent, link.roundTrip, link.age, link.lossUp, link.lossDown) = (
            98, "0.4 ms", "12 ms", "0 %", "1.5 %"
        )
        var vehicle = VehicleBar(title: "hexa1:uav1")
        (vehicle.position, vehicle.state, vehicle.battery) = ("2/3", "flying, goto", "87 % 23.4 V")
        vehicle.control = "nobody"
        vehicle.batteryShare = 0.87
        (state.link, state.vehicle) = (link, vehicle)
        change(&state)
        screen.show(state)
        return screen
    }

    private func check(_ screen: WorkspaceScreen, _ name: String, _ size: GoldenSize) throws {
        var canvas = Canvas(size.size)
        screen.draw(on: &canvas, in: canvas.area)
        try Golden.check(canvas, name, size)
    }

    @Test("a good link, a notice", arguments: GoldenSize.allCases)
    func good(_ size: GoldenSize) throws {
        try check(
            screen { $0.notice = Notice(.success, "hexa1:uav1: hover accepted in 0.6 ms") }, "frame", size)
    }

    @Test("a lost link, an empty battery, all commanded, a question", arguments: GoldenSize.allCases)
    func bad(_ size: GoldenSize) throws {
        let screen = screen { state in
            var link = LinkBar(link: "ssh", grade: .lost)
            link.age = "12.4 s"
            state.link = link
            state.vehicle?.batteryShare = 0.08
            state.vehicle?.battery = "8 % 19.1 V"
            state.vehicle?.state = "EMERGENCY"
            state.vehicle?.isAlarming = true
            state.commandsAll = true
            state.confirmation = Confirmation(
                question: .emergencyLand, title: "Emergency landing",
                text: "a:uav1, b:uav2 lands immediately at its position and accepts no other command. F7 only hovers.",
                action: "land now")
        }
        try check(screen, "frame-lost", size)
    }

    @Test("command is taken from another pilot", arguments: GoldenSize.allCases)
    func takeOver(_ size: GoldenSize) throws {
        let screen = screen { state in
            state.vehicle?.control = "anna@laptop, 12.3 s"
            state.vehicle?.isControlledByOther = true
            state.confirmation = Confirmation(
                question: .takeCommand, title: "Take over",
                text: "anna@laptop has had control of hexa1:uav1 for 12.3 s and is steering: the vehicle will stop. "
                    + "The reason is sent to all pilots:",
                action: "take over", reason: "from the front end")
        }
        try check(screen, "frame-take-over", size)
    }

    @Test("help", arguments: GoldenSize.allCases)
    func help(_ size: GoldenSize) throws {
        let screen = screen()
        screen.resize(to: size.size)
        screen.handle(.key(.typed("?")))
        try check(screen, "frame-help", size)
    }

    @Test("the title and the state of the link are whole, and loss is shown in both directions or not")
    func header() {
        for columns in 40...100 {
            for mode in [Mode.menu, .mapTrajectory, .joystick, .latencyLab] {
                for grade in [LinkBar.Grade.good, .silent, .lost] {
                    let screen = screen { state in
                        state.mode = mode
                        state.link?.grade = grade
                        state.link?.percent = 100
                        state.link?.roundTrip = "22 ms (p99 72)"
                    }
                    var canvas = Canvas(ScreenSize(rows: 24, columns: columns))
                    screen.draw(on: &canvas, in: canvas.area)
                    let line = canvas.lines[0]
                    let link = grade == .good ? "● udp 100 %" : grade == .silent ? "✗ udp NO TELEMETRY" : "✗ udp LOST"
                    #expect(line.contains("\(mode.title)  ") && line.contains(link), "\(columns): \(line)")
                    #expect(line.contains("↑") == line.contains("↓"), "\(columns): \(line)")
                    #expect(!line.contains("rtt") || line.contains("rtt 22 ms (p99 72)"), "\(columns): \(line)")
                }
            }
        }
    }

    @Test(
        "who has control is shown without the time, and then without the label, before it is cut",
        arguments: [
            ("root@vm, 2.4 s", 80, "flying  control root@vm, 2.4 s"),
            ("root@vm, 2.4 s", 60, "flying  control root@vm "),
            ("this measurement", 60, "flying  this measurement"),
        ])
    func control(_ who: String, _ columns: Int, _ shown: String) {
        let screen = screen { state in
            state.vehicle?.title = "hexa1:uav1"
            state.vehicle?.position = ""
            state.vehicle?.state = "flying"
            state.vehicle?.isSimulated = true
            state.vehicle?.control = who
        }
        var canvas = Canvas(ScreenSize(rows: 15, columns: columns))
        screen.draw(on: &canvas, in: canvas.area)
        #expect(canvas.lines[1].contains(shown), "\(canvas.lines[1])")
    }

    @Test("no vehicle logged in, and a terminal that is too small")
    func edges() throws {
        let screen = screen { state in
            state.link = nil
            state.vehicle = nil
        }
        try check(screen, "frame-nobody", .small)
        var canvas = Canvas(ScreenSize(rows: 4, columns: 30))
        screen.draw(on: &canvas, in: canvas.area)
        #expect(canvas.lines[0].hasPrefix("terminal too small"))
    }
}
