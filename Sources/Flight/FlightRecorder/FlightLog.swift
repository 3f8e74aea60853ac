public import ROS1
public import UAVCore
public import UAVLink

/// What a recording of a flight holds, read from a bag: those of this program, and telemetry of any that has the topics.
public struct FlightLog: Sendable {
    /// An instant on the recording's wall clock, nanoseconds since 1970.
    public typealias Nanoseconds = Int64

    /// A command as it was recorded. Times of zero are not known.
    public struct CommandEntry: Equatable, Sendable {
        /// The message.
        public var message: UavlinkMsgs.Command
        /// The command, where the fields are those of one.
        public var command: Command? {
            CommandFields(name: message.name, reference: message.reference, values: message.values).command
        }
    }

    /// What happened.
    public struct Event: Hashable, Sendable {
        /// When.
        public var at: Nanoseconds
        /// How much it matters.
        public var severity: VehicleMessage.Severity
        /// What kind of thing.
        public var kind: String
        /// In words; untrusted.
        public var text: String
    }

    /// A place on the way.
    public struct Place: Hashable, Sendable {
        /// When.
        public var at: Nanoseconds
        /// Metres.
        public var position: Vector3
        /// Metres per second.
        public var speed: Double
    }

    /// More entries of a kind than a flight has; further ones are counted only.
    public static let maximumEntries = 2_000_000

    /// The first and the last instant of any message.
    public private(set) var span: ClosedRange<Nanoseconds>?
    /// How many messages there are, by topic.
    public private(set) var counts: [String: Int] = [:]
    /// The commands in the order in which they were answered.
    public private(set) var commands: [CommandEntry] = []
    /// The setpoints in the order in which they were sent.
    public private(set) var setpoints: [UavlinkMsgs.Setpoint] = []
    /// What happened.
    public private(set) var events: [Event] = []
    /// The way.
    public private(set) var places: [Place] = []
    /// The battery's voltages.
    public private(set) var volts: [Float] = []
    /// Why the recording ends early, `nil` where it is whole.
    public internal(set) var cutOff: String?
    /// Whether the recording was ended: one whose program was killed has no index, by which others read it.
    public internal(set) var isWhole = true
    /// Entries beyond ``maximumEntries``.
    public private(set) var leftOut = 0
    private var flying: Bool?

    /// Nothing read yet.
    public init() {}

    /// Takes one message in. What is no message of the type that its topic should have is passed over.
    ///
    /// - Throws: ``ROS1/ROSDecodingError`` for a message that is not what its type says.
    public mutating func add(_ message: ROSBagReader.Message) throws(ROSDecodingError) {
        let at = Self.nanoseconds(message.time)
        span = span.map { min($0.lowerBound, at)...max($0.upperBound, at) } ?? at...at
        let topic = message.connection.topic
        if counts[topic] != nil || counts.count < 4096 { counts[topic, default: 0] += 1 }
        var reader = message.reader
        let type = message.connection.header["type"] ?? ""
        let sum = message.connection.header["md5sum"] ?? ""
        switch (type, sum) {
        case (UavlinkMsgs.Command.typeName, UavlinkMsgs.Command.md5):
            let command = try UavlinkMsgs.Command(from: &reader)
            keep(CommandEntry(message: command), in: \.commands)
        case (UavlinkMsgs.Setpoint.typeName, UavlinkMsgs.Setpoint.md5):
            keep(try UavlinkMsgs.Setpoint(from: &reader), in: \.setpoints)
        case (UavlinkMsgs.Event.typeName, UavlinkMsgs.Event.md5):
            let event = try UavlinkMsgs.Event(from: &reader)
            keep(
                Event(
                    at: at, severity: .init(rawValue: event.severity) ?? .error, kind: event.kind, text: event.text),
                in: \.events)
        case (NavMsgs.Odometry.typeName, NavMsgs.Odometry.md5) where topic.hasSuffix("/odom_main"):
            let odometry = try NavMsgs.Odometry(from: &reader)
            let (p, v) = (odometry.pose.pose.position, odometry.twist.twist.linear)
            keep(
                Place(
                    at: at, position: Vector3(x: p.x, y: p.y, z: p.z),
                    speed: (v.x * v.x + v.y * v.y + v.z * v.z).squareRoot()), in: \.places)
        case (SensorMsgs.BatteryState.typeName, SensorMsgs.BatteryState.md5):
            keep(try SensorMsgs.BatteryState(from: &reader).voltage, in: \.volts)
        case (MRSMsgs.ControlManagerDiagnostics.typeName, MRSMsgs.ControlManagerDiagnostics.md5):
            let isFlying = try MRSMsgs.ControlManagerDiagnostics(from: &reader).flyingNormally
            if let flying, flying != isFlying {
                let text = isFlying ? "flies normally" : "no longer flies normally"
                keep(Event(at: at, severity: .information, kind: "flight", text: text), in: \.events)
            }
            flying = isFlying
        default: break
        }
    }

    private mutating func keep<Entry>(_ entry: Entry, in list: WritableKeyPath<Self, [Entry]>) {
        guard self[keyPath: list].count < Self.maximumEntries else {
            leftOut += 1
            return
        }
        self[keyPath: list].append(entry)
    }

    /// A time as nanoseconds since 1970.
    public static func nanoseconds(_ time: ROSTime) -> Nanoseconds {
        Int64(time.seconds) * 1_000_000_000 + Int64(time.nanoseconds)
    }
}
