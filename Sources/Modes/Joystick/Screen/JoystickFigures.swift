internal import FlightControl
internal import ModeKit
internal import ReportKit
internal import UAVLink

/// The figures of the joystick screen as text: what is sent, the limits, the frame, the rates, the input device.
struct JoystickFigures {
    let state: JoystickScreenState

    private typealias Axes = VehicleCapabilities.Steering.Axes

    /// The velocity sent, along the axes that the vehicle has.
    var velocity: String { velocity(forward: "forward") }

    private func velocity(forward: String) -> String {
        let velocity = state.asked.velocityMetresPerSecond
        let names = state.frame == .body ? (forward, "left") : ("east", "north")
        let parts: [(Axes, String, Double)] = [
            (.forward, names.0, velocity.x), (.sideways, names.1, velocity.y), (.climb, "up", velocity.z),
        ]
        let words = parts.filter { state.axes.contains($0.0) }.map { "\($0.1) \(Self.signed($0.2))" }
        return words.isEmpty ? "" : words.joined(separator: " ") + " m/s"
    }

    /// The yaw rate sent; empty for a vehicle that does not turn.
    var turn: String {
        guard state.axes.contains(.turn) else { return "" }
        let degrees = Heading.degrees(radians: state.asked.headingRateRadiansPerSecond)
        return "\(Self.signed(degrees, 0)) deg/s"
    }

    /// All that is sent, with its frame: `fwd +0.5 left 0.0 up 0.0 m/s, turn +45 deg/s (body)`.
    var setpoint: String {
        let unit = state.isDeflection ? ", deflection" : ""
        guard state.isSending else { return "nothing (\(frameWord) frame\(unit))" }
        let parts = [velocity(forward: "fwd"), turn.isEmpty ? "" : "turn \(turn)"].filter { !$0.isEmpty }
        return "\(parts.joined(separator: ", ")) (\(frameWord)\(unit))"
    }

    /// The speed limits along the axes that the vehicle has.
    var limits: String {
        let limits = state.limits
        let parts: [(Bool, String)] = [
            (
                !state.axes.isDisjoint(with: [.forward, .sideways]),
                "\(Self.text(limits.horizontalMetresPerSecond)) m/s"
            ),
            (state.axes.contains(.climb), "up \(Self.text(limits.verticalMetresPerSecond)) m/s"),
            (
                state.axes.contains(.turn),
                "\(Self.text(Heading.degrees(radians: limits.turningRadiansPerSecond), 0)) deg/s"
            ),
        ]
        return parts.filter(\.0).map(\.1).joined(separator: ", ")
    }

    /// The frame of velocities, and what it means.
    var frame: String {
        if state.isDeflection { return "\(frameWord); deflection, no speed control" }
        return state.frame == .body ? "\(frameWord): forward is ahead" : "\(frameWord): forward is east"
    }

    private var frameWord: String { state.frame == .body ? "body" : "world" }

    /// The configured, sent and applied setpoint rates, for comparing links.
    var rate: String {
        let asked = "set \(Self.text(state.rateHertz, 0))"
        return state.isSending
            ? "\(asked), sent \(Self.hertz(state.sentHertz)), applied \(Self.hertz(state.appliedHertz))" : asked
    }

    /// The input device, the assignment of its axes, and how long it takes to a setpoint.
    var source: String {
        let delay = state.keyDelay.map { ", \($0.inMilliseconds.formatted(decimals: 0)) ms" } ?? ""
        return "\(state.source), mode \(state.layout.rawValue)\(delay)"
    }

    /// Height, place and speed, for a screen without the view from above; empty when none is known.
    var place: [String] {
        var parts: [String] = []
        if let height = state.heightMetres { parts.append("height \(Self.text(height, 1)) m") }
        if let map = state.map {
            let (velocity, degrees) = (map.velocity, Heading.degrees(radians: map.headingRadians))
            let speed = (velocity.x * velocity.x + velocity.y * velocity.y).squareRoot()
            parts.append("x \(Self.text(map.position.x, 1)) y \(Self.text(map.position.y, 1))")
            parts.append("hdg \(Self.text(degrees, 0))")
            parts.append("\(Self.text(speed, 1)) m/s")
        } else {
            parts += motion
        }
        return parts
    }

    /// All that the screen says, by label: for the help, where not all of it is drawn.
    var details: [KeyHelp] {
        let home = state.map.flatMap { map in map.home.map { $0 - map.position } }
        let way = home.map { "\(Self.text(($0.x * $0.x + $0.y * $0.y).squareRoot(), 0)) m away" }
        let values: [(String, String)] = [
            ("vehicle", state.vehicle), ("state", state.control.text), ("next", state.advice),
            ("then", state.pending), ("sends", setpoint), ("limits", limits),
            ("place", place.joined(separator: ", ")), ("home", way ?? ""), ("\(state.link.rawValue) Hz", rate),
            ("source", source), ("in progress", state.underWay ?? ""), ("last", state.lastStop?.text ?? ""),
            ("note", state.sourceNote?.text ?? ""),
        ]
        return values.filter { !$0.1.isEmpty }.map { KeyHelp($0.0, $0.1) }
    }

    /// Speed over ground and climb of a vehicle without a position; empty when none is known.
    var motion: [String] {
        guard let velocity = state.velocity else { return [] }
        let speed = (velocity.x * velocity.x + velocity.y * velocity.y).squareRoot()
        let speeds = ["\(Self.text(speed, 1)) m/s"]
        return state.axes.contains(.climb) ? speeds + ["up\(Self.spaced(velocity.z)) m/s"] : speeds
    }

    private static func spaced(_ value: Double) -> String {
        let text = signed(value)
        return text.hasPrefix(" ") ? text : " \(text)"
    }

    private static func hertz(_ value: Double?) -> String {
        value.map { text($0, $0 < 10 ? 1 : 0) } ?? "-"
    }

    private static func signed(_ value: Double, _ decimals: Int = 1) -> String {
        let text = value.formatted(decimals: decimals)
        // No sign for a value that rounds to zero.
        return text.contains { $0 != "-" && $0 != "0" && $0 != "." }
            ? (value < 0 ? text : "+\(text)") : " \(0.0.formatted(decimals: decimals))"
    }

    private static func text(_ value: Double, _ decimals: Int = 2) -> String { value.formatted(decimals: decimals) }
}
