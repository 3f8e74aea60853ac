@testable import FlightControl
@testable import JoystickMode
import ModeKit
import Testing
import UAVLink

@testable import TextScreen

@MainActor
@Suite("Golden screens of the joystick")
struct JoystickGoldenTests {
    private func check(_ state: JoystickScreenState, _ name: String, _ size: GoldenSize) throws {
        let screen = JoystickScreen { _ in }
        screen.show(state)
        try Golden.check(screen, "joystick-\(name)", size)
    }

    /// A vehicle in flight that no pilot steers.
    private var flying: JoystickScreenState {
        var state = JoystickScreenState()
        state.vehicle = "uav1 flying"
        state.advice = "Enter takes control"
        state.source = "keyboard, held keys"
        state.heightMetres = 2.5
        state.poseAge = .milliseconds(14)
        var map = JoystickScreenState.Map(
            position: Vector3(x: 12.3, y: -4.2, z: 2.5), headingRadians: Heading.radians(degrees: 90))
        map.predicted = map.position
        state.map = map
        return state
    }

    private var engaged: JoystickScreenState {
        var state = flying
        state.control = .init("ENGAGED", .success)
        state.advice = "steering; Space hovers, Enter stops steering and releases control"
        state.isSending = true
        state.sticks = StickPosition(leftX: -1, leftY: 0, rightX: 0, rightY: 1)
        state.asked = Motion(
            velocityMetresPerSecond: Vector3(x: 2, y: 0, z: 0),
            headingRateRadiansPerSecond: Heading.radians(degrees: 45))
        state.sentHertz = 100
        state.appliedHertz = 99.6
        state.map?.velocity = Vector3(x: -0.4, y: 1.9, z: 0)
        state.map?.predicted = Vector3(x: 12.29, y: -4.17, z: 2.5)
        state.map?.trail = (0..<60).map { step in
            Vector3(x: 12.3 + Double(60 - step) * 0.05, y: -4.2 - Double(60 - step) * 0.1, z: 2.5)
        }
        return state
    }

    @Test("nothing known yet", arguments: GoldenSize.allCases)
    func empty(_ size: GoldenSize) throws { try check(JoystickScreenState(), "empty", size) }

    @Test("released, the vehicle flies", arguments: GoldenSize.allCases)
    func released(_ size: GoldenSize) throws { try check(flying, "released", size) }

    @Test("waiting for sticks in the middle", arguments: GoldenSize.allCases)
    func waiting(_ size: GoldenSize) throws {
        var state = flying
        state.control = .init("WAITING", .warning)
        state.advice = "centre the sticks: climb, forward"
        state.pending = "control engages by itself once the sticks are centred; Enter or Start cancels"
        state.source = "Xbox Wireless Controller"
        state.sticks = StickPosition(leftY: 0.4, rightY: -0.62)
        try check(state, "waiting", size)
    }

    @Test("steering with held keys", arguments: GoldenSize.allCases)
    func held(_ size: GoldenSize) throws { try check(engaged, "engaged-held", size) }

    @Test("steering by steps, with a landing asked for in the world frame", arguments: GoldenSize.allCases)
    func steps(_ size: GoldenSize) throws {
        var state = engaged
        state.source = "keyboard, steps"
        state.sourceNote = .init("this terminal does not report key releases: each press is one step", .warning)
        state.frame = .world
        state.layout = .mode1
        state.sticks = StickPosition(rightX: 1)
        try check(state, "engaged-steps", size)
    }

    @Test("stopped by an unplugged controller", arguments: GoldenSize.allCases)
    func stopped(_ size: GoldenSize) throws {
        var state = flying
        state.source = "no controller"
        state.sourceNote = .init("connect a game controller, or press c for the keyboard", .warning)
        state.lastStop = .init("steering ended: the game controller was unplugged; hover accepted in 3 ms", .warning)
        try check(state, "stopped", size)
    }

    @Test("over plain SSH: what is asked and what arrives", arguments: GoldenSize.allCases)
    func ssh(_ size: GoldenSize) throws {
        var state = engaged
        state.link = .ssh
        state.sentHertz = 0.8
        state.appliedHertz = 0.7
        state.poseAge = .milliseconds(740)
        state.map?.predicted = Vector3(x: 12.0, y: -2.8, z: 2.5)
        try check(state, "ssh", size)
    }

    @Test("asking before the take-off", arguments: GoldenSize.allCases)
    func question(_ size: GoldenSize) throws {
        var state = flying
        state.vehicle = "uav1 disarmed"
        state.heightMetres = 0
        state.question = ConfirmationRequest(
            title: "Arm the motors of uav1, uav2 and take off?", facts: [], action: "take off",
            otherwise: "it stays on the ground")
        try check(state, "take-off", size)
    }

    @Test("no area is too small or odd to draw on")
    func small() {
        let screen = JoystickScreen { _ in }
        var state = engaged
        state.question = ConfirmationRequest(title: "Land?", facts: [])
        state.map?.trail.append(Vector3(x: .nan, y: .infinity, z: -.infinity))
        state.map?.predicted = Vector3(x: 1e300, y: .nan, z: 0)
        state.heightMetres = -1e300
        screen.show(state)
        for rows in 0...20 {
            for columns in [0, 1, 2, 7, 20, 40, 41, 79] {
                var canvas = Canvas(ScreenSize(rows: rows, columns: columns))
                Golden.draw(screen, on: &canvas, in: canvas.area)
            }
        }
    }

    @Test("the area of an 80x24 terminal that the frame leaves shows control, rates and the last stop")
    func framed() {
        let screen = JoystickScreen { _ in }
        var state = engaged
        state.lastStop = .init("steering ended: the hover key; hover accepted in 3 ms", .success)
        screen.show(state)
        var canvas = Canvas(ScreenSize(rows: 19, columns: 80))
        Golden.draw(screen, on: &canvas, in: canvas.area)
        let text = canvas.lines.joined(separator: "\n")
        for words in [
            "ENGAGED", "udp Hz set 100, sent 100, applied 100", "steering ended: the hover key", "2.00 m/s", "body:",
        ] {
            #expect(text.contains(words), "\(words)")
        }
    }
}
