internal import ReportKit
package import UAVLink

/// Where a command to fly somewhere leads, as far as the vehicle's pose can show it: height or heading alone too.
struct GoalPlace {
    /// Metres, in ``frame``.
    private var position: Vector3?
    /// Metres, in the pose's frame.
    private var height: Double?
    /// ENU radians, in the pose's frame.
    private var heading: Double?
    /// The frame of ``position``; `nil` for that of the pose.
    private var frame: FrameName?
    /// Metres within which the place counts as reached.
    private var tolerance = Self.positionTolerance

    /// The tracker reports a goal as reached when its reference is there; the vehicle is then at most 0.3 m away (real flight stack).
    private static let positionTolerance = 0.5
    /// A relative place is added to the tracker's reference, which is ahead of the measured place while the vehicle moves.
    private static let relativeTolerance = 1.0
    /// Radians; likewise.
    private static let headingTolerance = 0.2

    /// `nil` for a command that leads to no place, or to one that cannot be compared with the pose.
    ///
    /// - Parameter start: the pose when the command was given.
    init?(of command: Command, from start: Pose?) {
        switch command {
        case .goTo(let destination):
            switch destination.reference {
            case .frame(.latitudeLongitude): return nil
            case .frame(let name):
                position = destination.position
                frame = name == .current ? nil : name
            case .relative:
                guard let start else { return nil }
                position = start.positionMetres + destination.position
                (frame, tolerance) = (start.frame, Self.relativeTolerance)
            case .body:
                guard let start else { return nil }
                let (sine, cosine) = (Angles.sine(start.headingRadians), Angles.cosine(start.headingRadians))
                let offset = destination.position
                position =
                    start.positionMetres
                    + Vector3(
                        x: offset.x * cosine - offset.y * sine, y: offset.x * sine + offset.y * cosine, z: offset.z)
                (frame, tolerance) = (start.frame, Self.relativeTolerance)
            }
        case .altitude(let metres): height = metres
        case .heading(let radians): heading = radians
        case .turn(let angle):
            guard let start else { return nil }
            (heading, frame) = (start.headingRadians + angle, start.frame)
        default: return nil
        }
    }

    /// Whether the pose is in the place's frame.
    func isComparable(with pose: Pose) -> Bool { frame == nil || frame == pose.frame }

    /// How far the vehicle is from the place; `nil` if it is there, or the pose is in another frame.
    func miss(at pose: Pose) -> String? {
        guard isComparable(with: pose) else { return nil }
        if let position {
            let distance = (pose.positionMetres - position).length
            if !(distance <= tolerance) { return "\(distance.formatted(decimals: 1)) m from it" }
        }
        if let height {
            let distance = abs(pose.positionMetres.z - height)
            if !(distance <= tolerance) { return "\(distance.formatted(decimals: 1)) m from that height" }
        }
        if let heading {
            let angle = abs(Heading.wrapped(pose.headingRadians - heading))
            if !(angle <= Self.headingTolerance) {
                return "\((angle * 180 / .pi).formatted(decimals: 0))° from that heading"
            }
        }
        return nil
    }
}

/// How a flight to a place ended.
package struct Arrival: Hashable, Sendable {
    /// Metres, in the pose's frame.
    package var positionMetres: Vector3
    /// From the command's answer to the arrival.
    package var duration: Duration
    /// Whether the place was compared with the goal; otherwise only the tracker's goal flag was seen to end.
    package var isCompared: Bool

    /// `arrived at 5.0 0.0 3.0 after 3.8 s`
    package var text: String {
        let place = "\(positionMetres.placeText) after \(duration.inSeconds.formatted(decimals: 1)) s"
        return isCompared ? "arrived at \(place)" : "goal ended at \(place); the place was not compared with it"
    }
}

extension Vector3 {
    /// `5.0 0.0 3.0`
    var placeText: String { [x, y, z].map { $0.formatted(decimals: 1) }.joined(separator: " ") }
}
