internal import ReportKit
package import UAVLink

/// How the effect of a command was seen: what the vehicle has done, where it is, and after how long.
package struct Arrival: Hashable, Sendable {
    /// What was seen; the raw values are those of `--json`.
    package enum Outcome: String, Hashable, Sendable {
        /// The vehicle is where the command led.
        case arrived
        /// The tracker's goal flag was seen to end; the place could not be compared with the goal, which is not known here or
        /// in another frame: a hover ends it too, so that it is not known whether the vehicle got there. Likewise of a
        /// trajectory after whose last sample the vehicle flew on.
        case notCompared = "not_compared"
        /// The vehicle flies, and stands still.
        case hovering
        /// The vehicle has taken off.
        case flying
        /// The vehicle stands on the ground, with its motors off.
        case landed
        /// The vehicle has followed a trajectory to its end.
        case flown
    }

    package var outcome: Outcome
    /// Metres, in the pose's frame; `nil` if no pose was received.
    package var positionMetres: Vector3?
    /// From the command's answer to what was seen.
    package var duration: Duration
    /// ENU radians, of a turn; `nil` for other commands.
    package var headingRadians: Double?
    /// Whether the end of a trajectory was waited for.
    package var isOfTrajectory: Bool

    package init(
        _ outcome: Outcome, positionMetres: Vector3?, duration: Duration, headingRadians: Double? = nil,
        isOfTrajectory: Bool = false
    ) {
        self.outcome = outcome
        self.positionMetres = positionMetres
        self.duration = duration
        self.headingRadians = headingRadians
        self.isOfTrajectory = isOfTrajectory
    }

    /// Whether telemetry showed that the vehicle did what the command asked for.
    package var isSuccess: Bool { outcome != .notCompared }

    /// `arrived at 5.0 0.0 3.0 after 3.8 s`
    package var text: String {
        let place = positionMetres.map { " at \($0.placeText)" } ?? ""
        let end = "\(place) after \(duration.inSeconds.formatted(decimals: 1)) s"
        let goal = isOfTrajectory ? "end" : "goal"
        return switch outcome {
        case .arrived:
            "arrived\(end)"
                + (headingRadians.map { "; heading \(Heading.degrees(radians: $0).formatted(decimals: 0))°" } ?? "")
        case .notCompared:
            "it is not known whether the \(goal)\(isOfTrajectory ? " of the trajectory" : "") was reached: "
                + "the flight ended\(end), and that place was not compared with the \(goal)"
        case .hovering: "hovering\(end)"
        case .flying: "flying\(end)"
        case .landed: "landed\(end)"
        case .flown: "flown to its end\(end)"
        }
    }
}

extension Vector3 {
    /// `5.0 0.0 3.0`
    var placeText: String { [x, y, z].map { $0.formatted(decimals: 1) }.joined(separator: " ") }
}
