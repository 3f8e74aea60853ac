internal import MRS
internal import MRSMessages
internal import MRSMessagesROS2
internal import ROSMessages
internal import ROSRecordings
internal import UAVLink

/// Encodes notes as messages of a bag or an MCAP file. It returns bytes and does no I/O.
///
/// Telemetry is written to the vehicle's own topics with their message types: the twist of odometry assumes a vehicle
/// without tilt, and unknown fields stay zero. Parts that have not changed since the last note are not written again.
struct FlightBag {
    private var encoder: RecordingEncoder
    private let wall: WallClock
    private let vehicle: String
    /// When the recording began; `nil` if unknown.
    private let began: MonotonicTime?
    private var topics: [String: UInt32] = [:]
    private var last = Telemetry(vehicle: "")
    private var sequences: [UInt32: UInt32] = [:]
    /// The newest stamp of a flight status: a later one has none that is earlier, whichever source was the newest.
    private var statusStampedAt: MonotonicTime?
    /// The number of messages added.
    private(set) var messages = 0
    /// The number of messages in completed chunks.
    private(set) var completedMessages = 0

    static let commandTopic = "uavlink/command"
    static let setpointTopic = "uavlink/setpoint"
    static let eventTopic = "uavlink/event"
    static let planTopic = "control_manager/trajectory_reference"
    /// The velocity of a vehicle without a position.
    static let velocityTopic = "uavlink/velocity"
    /// The kind of the event that says what kind of machine the vehicle is.
    static let machineEvent = "machine"

    init(vehicle: String, wall: WallClock, format: RecordingFormat = .bag, began: MonotonicTime? = nil) {
        self.vehicle = vehicle
        self.wall = wall
        self.began = began
        encoder = RecordingEncoder(format, program: "uavlink")
    }

    /// The first bytes of the file.
    var beginning: [UInt8] { encoder.beginning }

    /// Adds a note.
    ///
    /// - Returns: the bytes to append to the file now; may be empty.
    mutating func add(_ note: RecordingEntry) -> [UInt8] {
        switch note {
        case .telemetry(let telemetry, let at): add(telemetry, at)
        case .setpoint(let setpoint): add(setpoint)
        case .command(let command): addPlan(command) + add(command)
        case .event(let event): add(event)
        case .plan(let trajectory, let at): addPlan(trajectory, at)
        }
    }

    /// Completes the current chunk, so that it survives if the program is killed.
    mutating func endChunk() -> [UInt8] {
        completedMessages = messages
        return encoder.endChunk()
    }

    /// Completes the recording.
    mutating func finish() -> RecordingEncoder.Ending { encoder.finish() }

    private mutating func put<Message: RecordableMessage>(
        _ name: String, _ at: MonotonicTime, _ message: (StdMsgs.Header) -> Message, frame: String = ""
    ) -> [UInt8] {
        let topic: UInt32
        if let known = topics[name] {
            topic = known
        } else {
            topic = encoder.topic("/\(vehicle)/\(name)", Message.self)
            topics[name] = topic
        }
        // What is older is recorded when the recording begins: it would otherwise begin before that. The stamp tells its age.
        let time = wall.time(max(at, began ?? at))
        let sequence = sequences[topic, default: 0]
        sequences[topic] = sequence &+ 1
        messages += 1
        let header = StdMsgs.Header(seq: sequence, stamp: wall.time(at), frameID: frame)
        let bytes = encoder.message(on: topic, at: time, message(header))
        if !bytes.isEmpty { completedMessages = messages }
        return bytes
    }

    private mutating func add(_ note: RecordedSetpoint) -> [UInt8] {
        let wall = wall
        return put(Self.setpointTopic, note.sentAt) { header in
            var message = UavlinkMsgs.Setpoint()
            message.header = header
            message.number = note.number
            message.link = note.link
            message.condition = note.condition
            message.frame = note.setpoint.frame.rawValue
            message.velocity = Self.vector(note.setpoint.velocityMetresPerSecond)
            message.headingRate = note.setpoint.headingRateRadiansPerSecond
            message.validFor = Self.duration(note.setpoint.validFor)
            message.intended = wall.time(note.setpoint.intendedAt)
            message.sent = wall.time(note.sentAt)
            message.received = wall.time(note.receivedAt)
            message.applied = wall.time(note.appliedAt)
            message.clockBound = Self.duration(note.clockBound ?? .zero)
            message.fate = note.fate?.rawValue ?? ""
            message.error = note.error ?? ""
            return message
        }
    }

    /// The plan that a vehicle accepted, on the topic on which others send it, so that the flight can be compared with it.
    private mutating func addPlan(_ note: RecordedCommand) -> [UInt8] {
        guard case .uploadTrajectory(let trajectory) = note.command, case .success(let reply) = note.answer,
            reply.accepted
        else { return [] }
        return addPlan(trajectory, note.answeredAt)
    }

    private mutating func addPlan(_ trajectory: Trajectory, _ at: MonotonicTime) -> [UInt8] {
        put(Self.planTopic, at) { header in
            var message = MRSMsgs.TrajectoryReference(trajectory)
            message.header.seq = header.seq
            message.header.stamp = header.stamp
            return message
        }
    }

    private mutating func add(_ note: RecordedCommand) -> [UInt8] {
        let wall = wall
        return put(Self.commandTopic, note.answeredAt) { header in
            let fields = CommandFields(note.command)
            var message = UavlinkMsgs.Command()
            message.header = header
            message.number = note.number
            message.link = note.link
            message.condition = note.condition
            message.name = fields.name
            message.reference = fields.reference
            message.values = fields.values
            message.intended = wall.time(note.intendedAt)
            message.sent = wall.time(note.sentAt)
            message.received = wall.time(note.receivedAt)
            message.applied = wall.time(note.appliedAt)
            message.clockBound = Self.duration(note.clockBound ?? .zero)
            message.answered = wall.time(note.answeredAt)
            switch note.answer {
            case .success(let reply):
                message.accepted = reply.accepted
                message.message = reply.message
            case .failure(let error): message.error = error.description
            }
            return message
        }
    }

    private mutating func add(_ event: RecordedEvent) -> [UInt8] {
        put(Self.eventTopic, event.at) { header in
            UavlinkMsgs.Event(
                header: header, severity: event.severity.rawValue, kind: event.kind, text: event.text)
        }
    }

    private static func duration(_ duration: Duration) -> ROSDuration {
        let parts = duration.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return ROSDuration(seconds: Int32(clamping: parts.quotient), nanoseconds: Int32(clamping: parts.remainder))
    }

    private static func vector(_ vector: Vector3) -> GeometryMsgs.Vector3 {
        GeometryMsgs.Vector3(x: vector.x, y: vector.y, z: vector.z)
    }

    private mutating func add(_ telemetry: Telemetry, _ at: MonotonicTime) -> [UInt8] {
        defer { last = telemetry }
        var out: [UInt8] = []
        if let pose = telemetry.pose, pose != last.pose {
            let velocity = telemetry.velocityMetresPerSecond?.value ?? .zero
            out += put(
                "estimation_manager/odom_main", pose.at,
                { TelemetryMessages.odometry($0, pose.value, velocity) }, frame: pose.value.frame.name)
        }
        // Odometry has it, where there is a position.
        if telemetry.pose == nil, let velocity = telemetry.velocityMetresPerSecond,
            velocity != last.velocityMetresPerSecond
        {
            out += put(Self.velocityTopic, velocity.at) {
                TelemetryMessages.velocity($0, Self.vector(velocity.value))
            }
        }
        if let height = telemetry.heightAboveGroundMetres, height != last.heightAboveGroundMetres {
            out += put("estimation_manager/height_agl", height.at) {
                MRSMsgs.Float64Stamped(header: $0, value: height.value)
            }
        }
        if let range = telemetry.rangeFinderMetres, range != last.rangeFinderMetres {
            out += put("hw_api/distance_sensor", range.at) { TelemetryMessages.range($0, range.value) }
        }
        if let battery = telemetry.battery, battery != last.battery {
            out += put("hw_api/battery_state", battery.at) { TelemetryMessages.battery($0, battery.value) }
        }
        if let fix = telemetry.gnss, fix != last.gnss {
            out += put("hw_api/gnss", fix.at) { TelemetryMessages.fix($0, fix.value) }
        }
        if let flight = telemetry.flight, flight != last.flight {
            // The status is as old as its oldest source; its state has changed with the newest.
            let at = max(telemetry.newestFlightSource ?? flight.at, statusStampedAt ?? flight.at)
            statusStampedAt = at
            out += put("hw_api/status", at) { TelemetryMessages.status($0, flight.value) }
        }
        if let tracker = telemetry.tracker, tracker != last.tracker {
            let (name, flight) = (vehicle, telemetry.flight?.value)
            out += put("control_manager/diagnostics", tracker.at) {
                TelemetryMessages.diagnostics($0, tracker.value, flight, vehicle: name)
            }
        }
        if let estimator = telemetry.estimator, estimator != last.estimator {
            out += put("estimation_manager/diagnostics", estimator.at) {
                TelemetryMessages.estimation($0, estimator.value)
            }
        }
        // Telemetry keeps messages of minutes: those from before the recording are no events of it.
        for message in telemetry.messages
        where message.at >= began ?? message.at && !last.messages.contains(message) {
            out += add(RecordedEvent(message.value.severity, "vehicle", message.value.text, at: message.at))
        }
        return out
    }
}
