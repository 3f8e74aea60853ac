import FlightControl
import ModeKit
import Testing
import TextScreen
import UAVLink

@testable import JoystickMode
@testable import MenuMode
@testable import TelemetryMode

/// A machine that takes velocities along three axes and does not know its place: what the screens leave out, and say.
@MainActor
@Suite("Golden screens of a vehicle that is no MRS one")
struct ToyGoldenTests {
    private let toy = VehicleCapabilities(
        machine: "velocity toy", commands: [.takeoff, .hover],
        steering: .init(axes: [.forward, .sideways, .turn], frames: .body, unit: .deflection, most: nil),
        telemetry: [.velocity, .flight, .battery])

    @Test("the menu", arguments: GoldenSize.allCases)
    func menu(_ size: GoldenSize) throws {
        let screen = MenuScreen { _ in }
        var state = MenuScreenState()
        state.items = [
            MenuItem(.joystick, title: "Joystick", explanation: "manual flight: keyboard or game controller"),
            MenuItem(.telemetry, title: "Telemetry", explanation: "telemetry values, trail and rates"),
            MenuItem(.mapTrajectory, title: "Map trajectory", explanation: "route on a map"),
        ]
        state.items[2].obstacle = toy.lack(of: .init(commands: .uploadTrajectory, telemetry: .pose))
        screen.show(state)
        try Golden.check(screen, "menu-toy", size)
    }

    @Test("the joystick", arguments: GoldenSize.allCases)
    func joystick(_ size: GoldenSize) throws {
        let screen = JoystickScreen { _ in }
        var state = JoystickScreenState()
        state.vehicle = "toy1 flying"
        state.advice = "Enter takes control"
        state.source = "keyboard, held keys"
        state.axes = toy.steering?.axes ?? []
        state.isDeflection = true
        (state.hasLanding, state.hasFrames, state.hasHeight) = (false, false, false)
        state.mapObstacle = toy.lack(of: .init(telemetry: .pose))
        screen.show(state)
        try Golden.check(screen, "joystick-toy", size)
        let keys = screen.keys.map(\.keys)
        #expect(keys.contains("q e") && keys.contains("t"))
        #expect(!keys.contains("r f") && !keys.contains("L") && !keys.contains("G"))
    }

    /// Of a machine that knows its speed and its height only, the pilot sees these in the place of the legend of the map.
    @Test("its motion stands below the view that it lacks", arguments: GoldenSize.allCases)
    func motion(_ size: GoldenSize) {
        var state = JoystickScreenState()
        state.mapObstacle = "no position"
        (state.velocity, state.velocityAge) = (Vector3(x: 0.3, y: -0.4, z: 0.2), .milliseconds(70))
        state.heightMetres = 0.8
        func lines() -> [String] {
            let screen = JoystickScreen { _ in }
            screen.show(state)
            var canvas = Canvas(size.size)
            Golden.draw(screen, on: &canvas, in: canvas.area)
            return canvas.lines
        }
        #expect(lines().contains { $0.contains("0.5 m/s, up +0.2 m/s, height 0.8 m") }, "\(lines())")
        #expect(lines().contains { $0.contains("70 ms ago") })
        // What climbs not at all has no climb.
        state.axes = [.forward]
        #expect(lines().contains { $0.contains("0.5 m/s, height 0.8 m") }, "\(lines())")
        (state.velocity, state.velocityAge) = (nil, nil)
        #expect(!lines().contains { $0.contains("ms ago") })
    }

    @Test("telemetry", arguments: GoldenSize.allCases)
    func telemetry(_ size: GoldenSize) throws {
        let now = MonotonicTime(nanoseconds: 1_000_000_000)
        var telemetry = Telemetry(vehicle: "toy1")
        telemetry.velocityMetresPerSecond = Sample(Vector3(x: 0.5, y: 0, z: 0.1), at: now)
        telemetry.battery = Sample(Battery(voltageVolts: 3.8, remaining: 0.7), at: now)
        let words = TelemetryFormatter(telemetry, of: toy, now: now)
        var state = TelemetryScreenState()
        state.vehicle = "toy1"
        state.panels = TelemetryPanel.showing(toy.telemetry)
        state.motion = words.motion
        state.vehicleLines = words.vehicle(batteryLeft: nil)
        let screen = TelemetryScreen { _ in }
        screen.show(state)
        try Golden.check(screen, "telemetry-toy", size)
    }
}
