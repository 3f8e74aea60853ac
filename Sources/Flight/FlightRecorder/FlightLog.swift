internal import MRS
package import MRSMessages
internal import MRSMessagesROS2
package import ROSMessages
package import ROSRecordings
package import UAVLink

/// The contents of a recording, read from a bag or an MCAP file: of this program, or any other with the vehicle's telemetry topics.
package struct FlightLog: Sendable {
    /// An instant on the recording's wall clock, nanoseconds since 1970.
    package typealias Nanoseconds = Int64

    /// A recorded command. A time of zero means unknown.
    package struct CommandEntry: Equatable, Sendable {
        package var message: UavlinkMsgs.Command
        /// The command; `nil` if the fields are not those of a valid command.
        package var command: Command? {
            CommandFields(name: message.name, reference: message.reference, values: message.values).command
        }
    }

    /// A trajectory on the topic on which vehicles get them: accepted by the vehicle, or held by it from before.
    package struct Plan: Hashable, Sendable {
        /// When.
        package var at: Nanoseconds
        package var trajectory: Trajectory
    }

    /// A recorded event.
    package struct Event: Hashable, Sendable {
        /// When.
        package var at: Nanoseconds
        package var severity: VehicleMessage.Severity
        package var kind: String
        /// The text; untrusted.
        package var text: String
    }

    /// A position of the vehicle.
    package struct Place: Hashable, Sendable {
        /// When.
        package var at: Nanoseconds
        /// Metres.
        package var position: Vector3
        /// ENU radians.
        package var headingRadians: Double
        /// Metres per second.
        package var speed: Double
    }

    /// A change of the flight state.
    package struct StateChange: Hashable, Sendable {
        /// When.
        package var at: Nanoseconds
        /// The word for it; of other programs the autopilot's mode. Untrusted.
        package var state: String
    }

    /// The maximum number of entries of a kind; further ones are only counted.
    package static let maximumEntries = 2_000_000
    /// The same of trajectories, whose samples take space.
    package static let maximumPlans = 1000
    /// The same of kinds of machine.
    package static let maximumMachines = 16

    /// The time range of all messages.
    package private(set) var span: ClosedRange<Nanoseconds>?
    /// The number of messages by topic.
    package private(set) var counts: [String: Int] = [:]
    /// The kinds of machine that were recorded (``VehicleCapabilities/machine``), each once; untrusted. None in older
    /// recordings, and in those of other programs.
    package private(set) var machines: [String] = []
    /// The commands in the order in which they were intended.
    package private(set) var commands: [CommandEntry] = []
    /// The setpoints in the order of sending.
    package private(set) var setpoints: [UavlinkMsgs.Setpoint] = []
    /// The events in their order.
    package private(set) var events: [Event] = []
    /// The trajectories in their order.
    package private(set) var plans: [Plan] = []
    /// The positions of the vehicle.
    package private(set) var places: [Place] = []
    /// The battery voltages, volts.
    package private(set) var volts: [Float] = []
    /// The flight states in their order, each where it began.
    package private(set) var states: [StateChange] = []
    /// The lowest and the greatest height above ground, metres; `nil` if none was recorded.
    package private(set) var heights: ClosedRange<Double>?
    /// The highest speed of a vehicle that has no position, m/s; `nil` if none was recorded.
    package private(set) var fastestWithoutPlace: Double?
    /// The first and the last charge of the battery, 0 to 1; `nil` if none was recorded.
    package private(set) var charges: (first: Double, last: Double)?
    /// Why the recording is truncated; `nil` if it is not.
    package internal(set) var cutOff: String?
    /// Whether the recording was completed: if the program was killed it has no index, which other readers need.
    package internal(set) var isWhole = true
    /// The form of the recording; of several files that of the last one.
    package internal(set) var format = RecordingFormat.bag
    /// The number of entries beyond ``maximumEntries``.
    package private(set) var leftOut = 0
    private var flying: Bool?
    /// Whether the vehicle was in flight when the recording began.
    package private(set) var beginsInFlight = false

    package init() {}

    /// Adds a message; messages of other types are only counted.
    ///
    /// - Throws: ``ROSMessages/ROSDecodingError`` for a message that does not match its type.
    package mutating func add(_ message: RecordedMessage) throws(ROSDecodingError) {
        let at = Self.nanoseconds(message.time)
        span = span.map { min($0.lowerBound, at)...max($0.upperBound, at) } ?? at...at
        let topic = message.topic
        if counts[topic] != nil || counts.count < 4096 { counts[topic, default: 0] += 1 }
        if let setpoint = try message.decoded(as: UavlinkMsgs.Setpoint.self) {
            keep(setpoint, in: \.setpoints)
        } else if let command = try message.decoded(as: UavlinkMsgs.Command.self) {
            keep(CommandEntry(message: command), in: \.commands)
        } else if let event = try message.decoded(as: UavlinkMsgs.Event.self) {
            add(event, at)
        } else if topic.hasSuffix("/" + FlightBag.planTopic) {
            if let plan = try message.decoded(as: MRSMsgs.TrajectoryReference.self) { add(plan, at) }
        } else {
            try addTelemetry(message, topic, at)
        }
    }

    private mutating func add(_ event: UavlinkMsgs.Event, _ at: Nanoseconds) {
        if event.kind == FlightBag.machineEvent {
            if !machines.contains(event.text) { keep(event.text, in: \.machines, atMost: Self.maximumMachines) }
            return
        }
        keep(
            Event(at: at, severity: .init(rawValue: event.severity) ?? .error, kind: event.kind, text: event.text),
            in: \.events)
    }

    private mutating func add(_ plan: MRSMsgs.TrajectoryReference, _ at: Nanoseconds) {
        guard plan.points.count <= Trajectory.maximumPoints else {
            leftOut += 1
            return
        }
        keep(Plan(at: at, trajectory: Trajectory(plan)), in: \.plans, atMost: Self.maximumPlans)
    }

    /// A flight stack may report a status without the autopilot's mode: that is no state.
    mutating func addMode(_ mode: String, _ at: Nanoseconds) {
        guard mode != states.last?.state ?? "" else { return }
        keep(StateChange(at: at, state: mode), in: \.states)
    }

    private mutating func addTelemetry(
        _ message: RecordedMessage, _ topic: String, _ at: Nanoseconds
    ) throws(ROSDecodingError) {
        if topic.hasSuffix("/odom_main"), let odometry = try message.decoded(as: NavMsgs.Odometry.self) {
            let (p, v) = (odometry.pose.pose.position, odometry.twist.twist.linear)
            keep(
                Place(
                    at: at, position: Vector3(x: p.x, y: p.y, z: p.z),
                    headingRadians: odometry.pose.pose.orientation.headingRadians ?? 0,
                    speed: (v.x * v.x + v.y * v.y + v.z * v.z).squareRoot()), in: \.places)
        } else if let battery = try message.decoded(as: SensorMsgs.BatteryState.self) {
            // What a machine does not measure is NaN, as sensor_msgs/BatteryState defines it.
            if battery.voltage.isFinite { keep(battery.voltage, in: \.volts) }
            // A percent has no more digits than this; a Float has.
            let charge = (Double(battery.percentage) * 1000).rounded() / 1000
            if (0...1).contains(charge) { charges = (charges?.first ?? charge, charge) }
        } else if let status = try message.decoded(as: MRSMsgs.HwApiStatus.self) {
            addMode(status.mode, at)
        } else if topic.hasSuffix("/height_agl"), let height = try message.decoded(as: MRSMsgs.Float64Stamped.self) {
            guard height.value.isFinite else { return }
            heights =
                min(
                    heights?.lowerBound ?? height.value, height.value)...max(
                    heights?.upperBound ?? height.value, height.value)
        } else if topic.hasSuffix("/" + FlightBag.velocityTopic),
            let velocity = try message.decoded(as: GeometryMsgs.Vector3Stamped.self)
        {
            let v = velocity.vector
            let speed = (v.x * v.x + v.y * v.y + v.z * v.z).squareRoot()
            if speed.isFinite { fastestWithoutPlace = max(fastestWithoutPlace ?? 0, speed) }
        } else if let diagnostics = try message.decoded(as: MRSMsgs.ControlManagerDiagnostics.self) {
            let isFlying = diagnostics.flyingNormally
            if let flying, flying != isFlying {
                let text = isFlying ? "flies normally" : endOfNormalFlight
                keep(Event(at: at, severity: .information, kind: "flight", text: text), in: \.events)
            }
            if flying == nil { beginsInFlight = isFlying }
            flying = isFlying
        }
    }

    /// A landing ends normal flight too. A vehicle that was disarmed may have fallen.
    private var endOfNormalFlight: String {
        states.last?.state == FlightState.landing.word ? "lands" : "no longer flies normally"
    }

    private mutating func keep<Entry>(
        _ entry: Entry, in list: WritableKeyPath<Self, [Entry]>, atMost limit: Int = Self.maximumEntries
    ) {
        guard self[keyPath: list].count < limit else {
            leftOut += 1
            return
        }
        self[keyPath: list].append(entry)
    }

    /// Brings commands and events into the order of their times: a bag has a command at the time of its answer, and a
    /// vehicle's message when it arrived.
    mutating func sort() {
        commands.sort { Self.nanoseconds($0.message.intended) < Self.nanoseconds($1.message.intended) }
        events.sort { $0.at < $1.at }
    }

    /// A time as nanoseconds since 1970.
    package static func nanoseconds(_ time: ROSTime) -> Nanoseconds {
        Int64(time.seconds) * 1_000_000_000 + Int64(time.nanoseconds)
    }
}
