internal import MRS
internal import MRSMessages
internal import MRSMessagesROS2
internal import ROSMessages
package import ROSRecordings
package import Trajectories
package import UAVLink

/// A flight read from a ROS 1 bag or an MCAP file: positions, trajectories sent to the vehicle, and when it followed one.
///
/// The bag is fed in chunks of any size; a truncated bag is read as far as it goes. Times are those of the recording, seconds.
package struct RecordedFlight: Sendable {
    /// A trajectory that was sent to the vehicle.
    package struct Plan: Hashable, Sendable {
        /// When it was sent.
        package var seconds: Double
        /// Its samples.
        package var trajectory: Trajectory
    }

    /// An interval in which the vehicle followed a trajectory.
    package struct Following: Hashable, Sendable {
        /// From the first report of it to the first one without, seconds.
        package var interval: ClosedRange<Double>
        /// The share of the trajectory that was behind the vehicle at its beginning, 0 to 1; `nil` if that is not reported.
        package var share: Double?

        /// When the trajectory would have begun, if it takes so long, seconds; a share that is not reported counts as none.
        package func start(ofSeconds duration: Double) -> Double { interval.lowerBound - (share ?? 0) * duration }
    }

    /// Maximum number of positions, over ten hours at 100 Hz; more are an error.
    package static let maximumPositions = 4_000_000
    /// Maximum number of trajectories; more are an error.
    package static let maximumPlans = 10_000

    /// Name of the vehicle: the topic prefix before the flight stack's names; empty until its odometry is found.
    package private(set) var vehicle: String
    /// Positions of the vehicle, in ``frame``.
    package private(set) var positions: [TrackError.Flown] = []
    /// The frame of the positions, as named by the vehicle.
    package private(set) var frame = FrameName.current
    /// The trajectories in the order in which they were sent.
    package private(set) var plans: [Plan] = []
    /// Intervals in which the vehicle followed a trajectory.
    package private(set) var tracked: [Following] = []
    /// Whether the recording says when the vehicle followed one.
    package private(set) var tellsFollowing = false
    /// Why the bag ends before its end, in one line; `nil` if it is whole.
    package private(set) var cutOff: String?
    private var trackedSince: (seconds: Double, share: Double?)?
    private var lastStatus = 0.0
    private var reader = RecordingReader()

    /// - Parameter vehicle: name of the vehicle if the bag has several; `nil`: the first one found.
    package init(vehicle: String? = nil) { self.vehicle = vehicle ?? "" }

    /// Feeds bytes of the bag.
    ///
    /// - Throws: ``UAVLink/LinkError`` with `invalidInput` that says what is wrong with the bag.
    package mutating func feed(_ bytes: some Collection<UInt8>) throws(LinkError) {
        reader.feed(bytes)
        try readable { (flight) throws in
            while let message = try flight.reader.next() { try flight.take(message) }
        }
    }

    /// Takes a message of a bag that is a database.
    ///
    /// - Throws: ``UAVLink/LinkError`` with `invalidInput` that says what is wrong with it.
    package mutating func add(_ message: RecordedMessage) throws(LinkError) {
        try readable { (flight) throws in try flight.take(message) }
    }

    private mutating func readable(_ body: (inout Self) throws -> Void) throws(LinkError) {
        do {
            try body(&self)
        } catch let error as ROSError {
            throw LinkError(.invalidInput, "the recording cannot be read: \(error.description)")
        } catch let error as ROSDecodingError {
            throw LinkError(.invalidInput, "a message of the recording cannot be read: \(error.description)")
        } catch let error as LinkError {
            throw error
        } catch {
            throw LinkError(.invalidInput, "the recording cannot be read")
        }
    }

    /// Goes on with the next file of a bag of ROS 2.
    package mutating func beginNextFile() {
        noteCutOff()
        reader = RecordingReader()
    }

    /// Marks the end of the bag.
    ///
    /// - Throws: ``UAVLink/LinkError`` with `invalidInput` if the bag has no flight.
    package mutating func finish() throws(LinkError) {
        endTracking(at: lastStatus)
        noteCutOff()
        guard !positions.isEmpty else {
            throw LinkError(
                .invalidInput, "the recording has no vehicle positions" + earlyEnd,
                hint: cutOff != nil
                    ? "was the recording interrupted, or its copy?"
                    : "expected the topic estimation_manager/odom_main" + (vehicle.isEmpty ? "" : " of \(vehicle)"))
        }
    }

    /// Where it ends early, for an error about what is missing in it; empty for a whole one.
    var earlyEnd: String { cutOff.map { ", and ends early: \($0.sanitizedLine)" } ?? "" }

    private mutating func noteCutOff() {
        // Nothing was fed to it: the file is a database.
        guard reader.format != nil else { return }
        do { try reader.finish() } catch { cutOff = cutOff ?? error.what }
    }

    private mutating func take(_ message: RecordedMessage) throws {
        let topic = message.topic
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

    private mutating func take(_ message: RecordedMessage, _ kind: Kind) throws {
        let seconds = Double(message.time.seconds) + Double(message.time.nanoseconds) / 1e9
        switch kind {
        case .odometry:
            guard let odometry = try message.decoded(as: NavMsgs.Odometry.self) else { return }
            guard positions.count < Self.maximumPositions else {
                throw LinkError(.invalidInput, "the recording has more than \(Self.maximumPositions) positions")
            }
            frame = FrameName(odometry.header.frameID)
            let place = odometry.pose.pose.position
            positions.append(.init(seconds: seconds, position: Vector3(x: place.x, y: place.y, z: place.z)))
        case .plan:
            guard let plan = try message.decoded(as: MRSMsgs.TrajectoryReference.self) else { return }
            guard plans.count < Self.maximumPlans, plan.points.count <= Trajectory.maximumPoints else {
                throw LinkError(.invalidInput, "the recording has more or longer trajectories than can be compared")
            }
            plans.append(Plan(seconds: seconds, trajectory: Trajectory(plan)))
        case .status:
            guard let status = try message.decoded(as: MRSMsgs.ControlManagerDiagnostics.self) else { return }
            follow(status.trackerStatus, seconds)
        }
    }

    private mutating func follow(_ tracker: MRSMsgs.TrackerStatus, _ seconds: Double) {
        (lastStatus, tellsFollowing) = (seconds, true)
        guard tracker.trackingTrajectory else { return endTracking(at: seconds) }
        guard trackedSince == nil else { return }
        let (index, length) = (Double(tracker.trajectoryIdx), Double(tracker.trajectoryLength))
        trackedSince = (seconds, length > 1 ? min(1, max(0, index / (length - 1))) : nil)
    }

    private mutating func endTracking(at seconds: Double) {
        guard let since = trackedSince else { return }
        tracked.append(Following(interval: since.seconds...max(since.seconds, seconds), share: since.share))
        trackedSince = nil
    }
}
