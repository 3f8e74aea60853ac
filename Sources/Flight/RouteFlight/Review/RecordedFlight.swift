internal import ROS1
public import Trajectories
internal import UAVCore
public import UAVLink

/// A flight out of a ROS 1 bag: where the vehicle was, which trajectory it was given, and when it followed it.
///
/// It is fed the bag's bytes in any split; a bag whose recording broke off is read up to there. Times are those of the
/// recording, seconds.
public struct RecordedFlight: Sendable {
    /// A trajectory that was given to the vehicle.
    public struct Plan: Hashable, Sendable {
        /// When it was given.
        public var seconds: Double
        /// Its samples.
        public var trajectory: Trajectory
    }

    /// More positions than this are an error: ten hours at 100 Hz.
    public static let mostPositions = 4_000_000
    /// More trajectories than this are an error.
    public static let mostPlans = 10_000

    /// The vehicle, by the part of the topics' names in front of the flight stack's; empty before its odometry was met.
    public private(set) var vehicle: String
    /// Where it was, in ``frame``.
    public private(set) var positions: [TrackError.Flown] = []
    /// The frame of the positions, as the vehicle named it.
    public private(set) var frame = FrameName.current
    /// The trajectories, in the order in which they were given.
    public private(set) var plans: [Plan] = []
    /// When the vehicle followed a trajectory: beginnings and ends.
    public private(set) var tracked: [ClosedRange<Double>] = []
    private var trackedSince: Double?
    private var lastStatus = 0.0
    private var reader = ROSBagReader()

    /// - Parameter vehicle: the vehicle's name where the bag has several; absent: the first that is met.
    public init(vehicle: String? = nil) { self.vehicle = vehicle ?? "" }

    /// Takes bytes of the bag in.
    ///
    /// - Throws: ``UAVLink/LinkError`` with `invalidInput` that says what is wrong with the bag.
    public mutating func feed(_ bytes: some Collection<UInt8>) throws(LinkError) {
        reader.feed(bytes)
        do {
            while let message = try reader.next() { try take(message) }
        } catch let error as ROSError {
            throw LinkError(.invalidInput, "the bag cannot be read: \(error.description)")
        } catch let error as ROSDecodingError {
            throw LinkError(.invalidInput, "a message of the bag cannot be read: \(error.description)")
        } catch let error as LinkError {
            throw error
        } catch {
            throw LinkError(.invalidInput, "the bag cannot be read")
        }
    }

    /// The bag is at its end.
    ///
    /// - Throws: ``UAVLink/LinkError`` with `invalidInput` when there is no flight in it.
    public mutating func finish() throws(LinkError) {
        if let since = trackedSince, lastStatus >= since { tracked.append(since...lastStatus) }
        trackedSince = nil
        guard !positions.isEmpty else {
            throw LinkError(
                .invalidInput, "no positions of a vehicle are in the bag",
                hint: "expected the topic estimation_manager/odom_main" + (vehicle.isEmpty ? "" : " of \(vehicle)"))
        }
    }

    private mutating func take(_ message: ROSBagReader.Message) throws {
        let topic = message.connection.topic
        for (suffix, kind) in Self.topics where topic.hasSuffix(suffix) {
            let prefix = topic.dropLast(suffix.utf8.count).split(separator: "/").last.map(String.init) ?? ""
            if vehicle.isEmpty, kind == .odometry { vehicle = prefix }
            guard vehicle.isEmpty || prefix == vehicle else { return }
            try take(message, kind)
        }
    }

    private enum Kind { case odometry, plan, status }

    private static let topics: [(String, Kind)] = [
        ("/estimation_manager/odom_main", .odometry), ("/odometry/odom_main", .odometry),
        ("/control_manager/trajectory_reference", .plan), ("/control_manager/diagnostics", .status),
    ]

    private mutating func take(_ message: ROSBagReader.Message, _ kind: Kind) throws {
        let seconds = Double(message.time.seconds) + Double(message.time.nanoseconds) / 1e9
        let md5 = message.connection.header.md5
        var reader = message.reader
        switch kind {
        case .odometry:
            guard md5 == NavMsgs.Odometry.md5 else { return }
            let odometry = try NavMsgs.Odometry(from: &reader)
            guard positions.count < Self.mostPositions else {
                throw LinkError(.invalidInput, "the bag has more than \(Self.mostPositions) positions")
            }
            frame = FrameName(odometry.header.frameID)
            let place = odometry.pose.pose.position
            positions.append(.init(seconds: seconds, position: Vector3(x: place.x, y: place.y, z: place.z)))
        case .plan:
            guard md5 == MRSMsgs.TrajectoryReference.md5 else { return }
            let plan = try MRSMsgs.TrajectoryReference(from: &reader)
            guard plans.count < Self.mostPlans, plan.points.count <= Trajectory.maximumPoints else {
                throw LinkError(.invalidInput, "the bag has more trajectories, or longer ones, than can be compared")
            }
            plans.append(Plan(seconds: seconds, trajectory: Trajectory(plan)))
        case .status:
            guard md5 == MRSMsgs.ControlManagerDiagnostics.md5 else { return }
            follow(try MRSMsgs.ControlManagerDiagnostics(from: &reader).trackerStatus.trackingTrajectory, seconds)
        }
    }

    private mutating func follow(_ isTracking: Bool, _ seconds: Double) {
        lastStatus = seconds
        if isTracking {
            if trackedSince == nil { trackedSince = seconds }
        } else if let since = trackedSince {
            tracked.append(since...max(since, seconds))
            trackedSince = nil
        }
    }
}

extension Trajectory {
    fileprivate init(_ message: MRSMsgs.TrajectoryReference) {
        self.init(
            frame: FrameName(message.header.frameID),
            points: message.points.map { point in
                Point(
                    position: Vector3(x: point.position.x, y: point.position.y, z: point.position.z),
                    headingRadians: point.heading)
            },
            // The flight stack takes no step for 0.2 s.
            timeStepSeconds: message.dt > 0 && message.dt.isFinite ? message.dt : 0.2, usesHeading: message.useHeading,
            fliesNow: message.flyNow, loops: message.loop)
    }
}
