internal import ReportKit
package import UAVLink

/// The place that a command leads to, where the caller knows it and the command does not say it: the start of a trajectory, or
/// a place whose frame only the caller can convert.
package struct KnownDestination: Sendable {
    /// Metres, in the frame of ``position(of:)``.
    package var positionMetres: Vector3
    /// A pose's position in the frame of the destination, metres; `nil` if the pose is in an unknown frame.
    package var position: @Sendable (_ pose: Pose) -> Vector3?
    /// Within how many metres it counts as reached, where the conversion is less accurate than the vehicle; `nil` otherwise.
    package var toleranceMetres: Double?

    package init(
        positionMetres: Vector3, toleranceMetres: Double? = nil,
        position: @escaping @Sendable (_ pose: Pose) -> Vector3?
    ) {
        self.positionMetres = positionMetres
        self.toleranceMetres = toleranceMetres
        self.position = position
    }
}

/// Where a command to fly somewhere leads, as far as the vehicle's pose can show it: height or heading alone too.
struct GoalPlace {
    /// How far a pose is from the place.
    struct Deviation {
        /// What is compared.
        enum Measure: Hashable { case position, height, heading }

        let measure: Measure
        /// Metres; radians of a heading.
        let amount: Double
        /// The amount up to which the place counts as reached.
        let tolerance: Double
        /// How fast the vehicle moves away from the place, metres per second; `nil` if that is not known.
        let awayMetresPerSecond: Double?

        /// An amount that is no number is not reached.
        var isReached: Bool { amount <= tolerance }

        /// `1.2 m from it`
        var text: String {
            switch measure {
            case .position: "\(amount.formatted(decimals: 1)) m from it"
            case .height: "\(amount.formatted(decimals: 1)) m from that height"
            case .heading: "\(Heading.degrees(radians: amount).formatted(decimals: 0))° from that heading"
            }
        }
    }

    /// Metres, in ``frame`` or that of ``positionOfPose``.
    private var position: Vector3?
    /// Metres, in the pose's frame.
    private var height: Double?
    /// ENU radians, in the pose's frame.
    private var heading: Double?
    /// The frame of ``position``; `nil` for that of the pose.
    private var frame: FrameName?
    /// Converts a pose to the frame of ``position``; `nil` if ``frame`` says all.
    private var positionOfPose: (@Sendable (Pose) -> Vector3?)?
    /// Metres within which the place counts as reached.
    private var tolerance = Self.positionTolerance

    /// The tracker reports a goal as reached when its reference is there; the vehicle is then at most 0.3 m away (real flight stack).
    private static let positionTolerance = 0.5
    /// A relative place is added to the tracker's reference, which is ahead of the measured place while the vehicle moves.
    private static let relativeTolerance = 1.0
    /// Radians; likewise.
    private static let headingTolerance = 0.2

    /// A place that the command does not say.
    init(_ known: KnownDestination) {
        position = known.positionMetres
        positionOfPose = known.position
        if let accuracy = known.toleranceMetres { tolerance = accuracy }
    }

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

    /// Whether the place that a command leads to counts from the pose when it was given.
    static func isRelative(_ command: Command) -> Bool {
        switch command {
        case .goTo(let destination):
            switch destination.reference {
            case .relative, .body: true
            case .frame: false
            }
        case .turn: true
        default: false
        }
    }

    /// Whether the pose can be compared with the place: it is in the place's frame, or its own is known there.
    func isComparable(with pose: Pose) -> Bool {
        if let positionOfPose { return positionOfPose(pose) != nil }
        return frame == nil || frame == pose.frame
    }

    /// How far the vehicle is from the place; `nil` if the pose cannot be compared with it.
    ///
    /// - Parameter velocity: metres per second in world axes, if known.
    func deviation(at pose: Pose, velocity: Vector3? = nil) -> Deviation? {
        guard isComparable(with: pose) else { return nil }
        if let position {
            var place = pose.positionMetres
            if let positionOfPose {
                guard let converted = positionOfPose(pose) else { return nil }
                place = converted
            }
            let way = place - position
            let away = velocity.map { way.length > 0 ? $0.dot(way) / way.length : 0 }
            return Deviation(measure: .position, amount: way.length, tolerance: tolerance, awayMetresPerSecond: away)
        }
        if let height {
            let way = pose.positionMetres.z - height
            let away = velocity.map { way < 0 ? -$0.z : $0.z }
            return Deviation(measure: .height, amount: abs(way), tolerance: tolerance, awayMetresPerSecond: away)
        }
        guard let heading else { return nil }
        let angle = abs(Heading.wrapped(pose.headingRadians - heading))
        return Deviation(
            measure: .heading, amount: angle, tolerance: Self.headingTolerance, awayMetresPerSecond: nil)
    }

    /// How far the vehicle is from the place; `nil` if it is there, or the pose cannot be compared with it.
    func miss(at pose: Pose) -> String? {
        deviation(at: pose).flatMap { $0.isReached ? nil : $0.text }
    }
}
