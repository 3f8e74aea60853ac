@testable import FlightControl
@testable import JoystickMode
@testable import Workspace
import ModeKit
import Testing
import UAVLink

@testable import TextScreen

@MainActor
@Suite("The joystick on small screens")
struct JoystickSmallScreenTests {
    /// The areas that the frame leaves of terminals with 60x15, 40x12 and 80x24 cells.
    nonisolated private static let areas = [
        ScreenSize(rows: 11, columns: 60), ScreenSize(rows: 8, columns: 40), ScreenSize(rows: 20, columns: 80),
    ]
    nonisolated private static let small = Array(areas.prefix(2))

    @Test func `while another pilot has control, Enter is not offered: F12 takes over`() {
        var state = JoystickScreenState()
        #expect(JoystickKeyHelp(state).keys.contains(KeyHelp("Enter", "take control")))
        state.isControlledByOther = true
        #expect(!JoystickKeyHelp(state).keys.contains { $0.keys == "Enter" })
    }

    private var engaged: JoystickScreenState {
        var state = JoystickScreenState()
        state.vehicle = "uav1 flying"
        state.control = .init("ENGAGED", .success)
        state.advice = "steering; Space hovers, Enter stops steering and releases control"
        state.source = "keyboard, steps"
        state.sourceNote = .init("this terminal does not report key releases: each press is one step", .warning)
        state.isSending = true
        state.asked = Motion(
            velocityMetresPerSecond: Vector3(x: 0.5, y: 0, z: -1),
            headingRateRadiansPerSecond: Heading.radians(degrees: 45))
        (state.heightMetres, state.sentHertz, state.appliedHertz) = (12.5, 100, 100)
        var map = JoystickScreenState.Map(position: Vector3(x: 12.3, y: -4.2, z: 2.5), headingRadians: 0)
        map.home = Vector3(x: 0, y: 0, z: 0)
        map.predicted = map.position
        state.map = map
        state.poseAge = .milliseconds(14)
        return state
    }

    private var waiting: JoystickScreenState {
        var state = engaged
        state.control = .init("WAITING", .warning)
        state.advice = "the vehicle is disarmed; centre the sticks: climb, forward"
        state.pending = "control engages by itself once the vehicle flies and the sticks are centred; Enter cancels"
        state.isSending = false
        return state
    }

    /// The rows as one text, so that a line that was wrapped is found.
    private func text(_ state: JoystickScreenState, _ size: ScreenSize) -> String {
        let screen = JoystickScreen { _ in }
        screen.show(state)
        var canvas = Canvas(size)
        Golden.draw(screen, on: &canvas, in: canvas.area)
        return canvas.lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
    }

    @Test(arguments: small)
    func `what is sent, the limits and the frame are there, and no text is cut`(_ size: ScreenSize) {
        let shown = text(engaged, size)
        for words in [
            "ENGAGED uav1 flying", "steering; Space hovers, Enter stops steering and releases control",
            "sends fwd +0.5 left 0.0 up -1.0 m/s, turn +45 deg/s (body)", "limits 2.00 m/s, up 1.00 m/s, 45 deg/s",
        ] { #expect(shown.contains(words), "\(words): \(shown)") }
        #expect(!shown.contains("…") && !shown.contains("┌"), "\(shown)")
    }

    @Test func `with 60x15 cells there is space for the place, the input device and its note`() {
        let shown = text(engaged, Self.areas[0])
        for words in [
            "height 12.5 m, x 12.3 y -4.2, hdg 0, 0.0 m/s", "source keyboard, steps, mode 2",
            "this terminal does not report key releases: each press is one step",
        ] { #expect(shown.contains(words), "\(words): \(shown)") }
    }

    @Test func `with 40x12 cells there is space for the place, the rate and the input device`() {
        var state = engaged
        (state.isSending, state.advice) = (false, "Enter takes control")
        state.control = .init("RELEASED")
        let shown = text(state, Self.areas[1])
        for words in [
            "height 12.5 m, x 12.3 y -4.2, hdg 0 0.0 m/s", "udp Hz set 100", "source keyboard, steps, mode 2",
        ] { #expect(shown.contains(words), "\(words): \(shown)") }
    }

    @Test func `height and position come before the input device, also where not all of their line fits`() {
        let shown = text(waiting, ScreenSize(rows: 9, columns: 40))
        #expect(shown.contains("height 12.5 m, x 12.3 y -4.2") && !shown.contains("source"), "\(shown)")
    }

    @Test func `the help has what a small screen leaves out, and nothing where all of it is there`() {
        let screen = JoystickScreen { _ in }
        screen.show(waiting)
        for size in Self.areas {
            screen.resize(to: ScreenArea(size))
            let details = screen.details
            guard size.columns < 80 else {
                #expect(details.isEmpty, "\(details)")
                continue
            }
            for (label, value) in [
                ("udp Hz", "set 100"), ("source", "keyboard, steps, mode 2"), ("home", "13 m away"),
                ("place", "height 12.5 m, x 12.3 y -4.2, hdg 0, 0.0 m/s"), ("vehicle", "uav1 flying"),
            ] { #expect(details.contains(KeyHelp(label, value)), "\(label): \(details)") }
            #expect(!details.contains { $0.action.isEmpty })
        }
    }

    @Test func `a vehicle in the world frame, and one that takes deflections, say so`() {
        var state = engaged
        state.frame = .world
        #expect(text(state, Self.areas[0]).contains("sends east +0.5 north 0.0 up -1.0 m/s, turn +45 deg/s (world)"))
        (state.frame, state.isDeflection, state.axes, state.isSending) = (.body, true, [.forward], false)
        let shown = text(state, Self.areas[0])
        #expect(shown.contains("sends nothing (body frame, deflection) limits 2.00 m/s"), "\(shown)")
    }

    @Test(arguments: areas)
    func `a request that waits says in whole words what happens by itself and what cancels it`(_ size: ScreenSize) {
        let shown = text(waiting, size)
        // Where the view from above stands beside the text, its rows are apart.
        let texts = [waiting.advice, waiting.pending]
        let words =
            ["2.00 m/s", "body"]
            + (size.columns < 80 ? texts : texts.flatMap { $0.split(separator: " ").map(String.init) })
        for words in words { #expect(shown.contains(words), "\(words): \(shown)") }
        #expect(!shown.contains("…"), "\(shown)")
    }

    @Test(arguments: areas)
    func `why steering ended is wrapped, not cut`(_ size: ScreenSize) {
        var state = engaged
        (state.isSending, state.sourceNote) = (false, nil)
        state.control = .init("RELEASED")
        state.advice = "Enter takes control"
        let why =
            "steering ended: the link failed (no messages received from the vehicle); stop NOT CONFIRMED; "
            + "without setpoints the vehicle stops by itself"
        state.lastStop = .init(why, .error)
        let shown = text(state, size)
        #expect(shown.contains(why) && shown.contains("2.00 m/s"), "\(shown)")
    }

    @Test(arguments: small) func `the vehicle's state is whole, its name may be cut`(_ size: ScreenSize) {
        var state = engaged
        (state.vehicle, state.flight) = ("uav1 on hexa1 (simulated in a hall with a net) taking off", "taking off")
        #expect(text(state, size).contains("… taking off"))
    }

    @Test(arguments: small) func `the progress of a command is there, whatever else is to be said`(_ size: ScreenSize) {
        var state = engaged
        state.control = .init("RELEASED")
        state.advice = "once the vehicle flies, Enter takes control"
        state.lastStop = .init(
            "steering ended: no messages received from the vehicle; stop NOT CONFIRMED; without setpoints the vehicle "
                + "stops by itself", .error)
        state.underWay = "landing: uav1: descending, 1.2 m high"
        let shown = text(state, size)
        #expect(shown.contains("landing: uav1: descending, 1.2 m high (Esc: stop waiting)"), "\(shown)")
    }

    @Test func `while a command is waited for, the line of keys has the one that stops that`() {
        let (frame, screen) = (WorkspaceScreen { _ in }, JoystickScreen { _ in })
        frame.resize(to: ScreenSize(rows: 15, columns: 60))
        frame.put(screen)
        var around = WorkspaceState()
        around.mode = .joystick
        around.vehicle = VehicleBar(title: "uav1")
        frame.show(around)
        var state = engaged
        state.control = .init("RELEASED")
        state.underWay = "landing: uav1: descending, 1.2 m high"
        screen.show(state)
        var canvas = Canvas(frame.size)
        frame.draw(on: &canvas, in: canvas.area)
        let keys = canvas.lines.last ?? ""
        #expect(keys.hasPrefix("F7 hover  F8 emergency  ? help  Esc stop waiting"), "\(keys)")
    }

    @Test func `a screen that is high and narrow has sticks and figures, and no view from above`() {
        let shown = text(engaged, ScreenSize(rows: 24, columns: 50))
        for words in ["forward ─", "limits 2.00 m/s, up 1.00 m/s, 45 deg/s", "frame body: forward is ahead"] {
            #expect(shown.contains(words), "\(words): \(shown)")
        }
        #expect(!shown.contains("…") && !shown.contains("north up"), "\(shown)")
    }

    @Test func `figures of the view from above are left out whole`() {
        var state = engaged
        state.sticks = StickPosition(leftX: -1, leftY: -1, rightX: -1, rightY: -1)
        let shown = text(state, Self.areas[2])
        #expect(shown.contains("◇ predicted ⌂ 13 m") && shown.contains("right -100 fwd -100"), "\(shown)")
        #expect(!shown.contains("…"), "\(shown)")
    }
}
