internal import FlightControl
internal import ReportKit
internal import TextScreen
internal import UAVLink

/// The text of the joystick screen: control, source, figures, the last stop.
enum JoystickStatus {
    /// One row for the last stop, one for the command in progress or the note on the source.
    static let footRows = 2

    static func style(_ weight: Notice.Weight) -> Style {
        switch weight {
        case .information: .plain
        case .success: .tone(.good)
        case .warning: .tone(.warning)
        case .error: .tone(.danger)
        }
    }

    /// Draws control state and advice; returns the rest of the area.
    static func draw(_ state: JoystickScreenState, on canvas: inout Canvas, in area: ScreenArea) -> ScreenArea {
        let word = state.control.text
        // Reversed while setpoints are sent, to be visible without colours.
        let look = style(state.control.weight).adding(state.isSending ? [.bold, .reverse] : .bold)
        canvas.write([.init(" \(word) ", look), .init("  \(state.vehicle)", .title)], row: 0, in: area)
        let lines = state.advice.wrapped(to: max(1, area.columns - 2)).prefix(2)
        for (row, line) in lines.enumerated() { canvas.write(line, row: 1 + row, column: 1, in: area, .tone(.accent)) }
        return area.split(top: 3).rest
    }

    /// Draws the motion sent, the rates and the limits.
    static func drawFigures(_ state: JoystickScreenState, on canvas: inout Canvas, in area: ScreenArea) {
        let turn = Heading.degrees(radians: state.asked.headingRateRadiansPerSecond)
        let turns = state.isSending && state.axes.contains(.turn)
        let lines: [(String, String, Style)] = [
            ("sends", state.isSending ? velocity(state) : "nothing", state.isSending ? .plain : .muted),
            ("", turns ? "turns \(signed(turn, 0)) deg/s" : "", .plain),
            ("\(state.link.rawValue) Hz", rate(state), .plain),
            ("limits", limits(state), .plain),
            ("frame", frame(state), .plain),
            ("source", "\(state.source), mode \(state.layout.rawValue)", .plain),
        ]
        let shown = area.rows < lines.count ? lines.filter { !$0.0.isEmpty } : lines
        for (row, line) in shown.prefix(area.rows).enumerated() {
            canvas.write(line.0, row: row, column: 1, in: area, .muted)
            canvas.write(line.1.fitted(to: max(0, area.columns - 9)), row: row, column: 8, in: area, line.2)
        }
    }

    /// The velocity sent, along the axes that the vehicle has.
    private static func velocity(_ state: JoystickScreenState) -> String {
        let velocity = state.asked.velocityMetresPerSecond
        let names = state.frame == .body ? ("forward", "left") : ("east", "north")
        let parts: [(VehicleCapabilities.Steering.Axes, String, Double)] = [
            (.forward, names.0, velocity.x), (.sideways, names.1, velocity.y), (.climb, "up", velocity.z),
        ]
        let words = parts.filter { state.axes.contains($0.0) }.map { "\($0.1) \(signed($0.2))" }
        return words.joined(separator: " ") + " m/s"
    }

    /// The speed limits along the axes that the vehicle has.
    private static func limits(_ state: JoystickScreenState) -> String {
        let limits = state.limits
        let parts: [(Bool, String)] = [
            (!state.axes.isDisjoint(with: [.forward, .sideways]), "\(text(limits.horizontalMetresPerSecond)) m/s"),
            (state.axes.contains(.climb), "up \(text(limits.verticalMetresPerSecond)) m/s"),
            (
                state.axes.contains(.turn),
                "\(text(Heading.degrees(radians: limits.turningRadiansPerSecond), 0)) deg/s"
            ),
        ]
        return parts.filter(\.0).map(\.1).joined(separator: ", ")
    }

    private static func frame(_ state: JoystickScreenState) -> String {
        let frame = state.frame == .body ? "body" : "world"
        if state.isDeflection { return "\(frame); deflection, no speed control" }
        return state.frame == .body ? "\(frame): forward is ahead" : "\(frame): forward is east"
    }

    /// The configured, sent and applied setpoint rates, for comparing links.
    private static func rate(_ state: JoystickScreenState) -> String {
        let asked = "set \(text(state.rateHertz, 0))"
        return state.isSending
            ? "\(asked), sent \(hertz(state.sentHertz)), applied \(hertz(state.appliedHertz))" : asked
    }

    private static func hertz(_ value: Double?) -> String {
        value.map { text($0, $0 < 10 ? 1 : 0) } ?? "-"
    }

    static func drawFoot(_ state: JoystickScreenState, on canvas: inout Canvas, in area: ScreenArea) {
        if let last = state.lastStop {
            canvas.write(last.text.fitted(to: area.columns - 2), row: 0, column: 1, in: area, style(last.weight))
        }
        let width = max(0, area.columns - 2)
        if let underWay = state.underWay {
            canvas.write("\(underWay)  (x: stop waiting)".fitted(to: width), row: 1, column: 1, in: area, .title)
        } else if let note = state.sourceNote {
            canvas.write(note.text.fitted(to: width), row: 1, column: 1, in: area, style(note.weight))
        }
    }

    static func signed(_ value: Double, _ decimals: Int = 1) -> String {
        let text = value.formatted(decimals: decimals)
        // No sign for a value that rounds to zero.
        return text.contains { $0 != "-" && $0 != "0" && $0 != "." }
            ? (value < 0 ? text : "+\(text)") : " \(0.0.formatted(decimals: decimals))"
    }

    static func text(_ value: Double, _ decimals: Int = 2) -> String { value.formatted(decimals: decimals) }
}
