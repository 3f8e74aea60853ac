/// Who has control authority over a vehicle, from the view of one ground.
public struct ControlStatus: Hashable, Sendable {
    /// The pilot with control authority.
    public struct Pilot: Hashable, Sendable {
        /// The displayed name: `anna@laptop`.
        public var name: String
        /// When control authority was granted.
        public var since: MonotonicTime
        /// Whether this ground is the pilot.
        public var isYou: Bool

        /// A pilot.
        public init(name: String, since: MonotonicTime, isYou: Bool) {
            self.name = name
            self.since = since
            self.isYou = isYou
        }
    }

    /// The pilot with control authority; `nil` if no pilot has it.
    public var pilot: Pilot?
    /// Whether the pilot is steering.
    public var isSteering: Bool
    /// Why control authority last ended, as text; empty if it never did.
    public var lastEndReason: String

    /// A control status.
    public init(pilot: Pilot? = nil, isSteering: Bool = false, lastEndReason: String = "") {
        self.pilot = pilot
        self.isSteering = isSteering
        self.lastEndReason = lastEndReason
    }

    /// Whether this ground has control authority.
    public var isYours: Bool { pilot?.isYou == true }
}

/// When a command was given: in the order of its ground's own commands, and of the stops of others that its ground knew of.
///
/// A command that moves the vehicle must not act after a newer stop, however long it was on its way. Clocks of several grounds do
/// not tell which is newer; what each ground knew when it gave the command does (a fencing token).
public struct CommandIssue: Hashable, Sendable {
    /// Its number among the commands of its ground.
    public var number: UInt64
    /// How many stops the companion had begun, as far as the ground knew.
    public var knownStops: UInt64

    /// An issue.
    public init(number: UInt64, knownStops: UInt64) {
        self.number = number
        self.knownStops = knownStops
    }
}

/// A request of a ground about the control authority over its vehicle.
public enum ControlAuthorityRequest: Hashable, Sendable {
    /// Request control authority; refused if another pilot has it.
    case take(name: String)
    /// Take control authority over from any other pilot: the vehicle stops, and all grounds get the reason.
    case takeOver(name: String, reason: String)
    /// Release control authority; a vehicle that still moves under setpoints is stopped.
    case release(reason: String)

    /// How a pilot on the command line takes control authority over: the end of a companion's refusal.
    public static let takeOverAdvice = "'uavlink control --take --reason TEXT' takes over"

    /// The request as text.
    public var words: String {
        switch self {
        case .take(let name): "\(name.sanitizedLine) requests control authority"
        case .takeOver(let name, let reason): "\(name.sanitizedLine) takes over: \(reason.sanitizedLine)"
        case .release(let reason): "releases control authority: \(reason.sanitizedLine)"
        }
    }

    /// The longest name, bytes.
    public static let longestName = 64
    /// The longest reason, bytes.
    public static let longestReason = 256

    /// Checks name and reason.
    ///
    /// - Throws: ``LinkError`` with ``LinkError/Code/invalidInput`` for an empty or too long name or reason.
    public func validate() throws(LinkError) {
        switch self {
        case .take(let name): try Self.check(name, "name", Self.longestName)
        case .takeOver(let name, let reason):
            try Self.check(name, "name", Self.longestName)
            try Self.check(reason, "reason", Self.longestReason)
        case .release(let reason): try Self.check(reason, "reason", Self.longestReason)
        }
    }

    private static func check(_ text: String, _ what: String, _ longest: Int) throws(LinkError) {
        guard !text.isEmpty, text.utf8.count <= longest else {
            throw LinkError(.invalidInput, "the \(what) has \(text.utf8.count) bytes; it must have 1 to \(longest)")
        }
    }
}

/// A link whose companion grants control authority to one of several grounds.
///
/// Over other links nothing arbitrates: everyone who can reach the vehicle can move it.
public protocol ControlledLink: UAVLink {
    /// Requests, takes over or releases control authority over the vehicle.
    ///
    /// It ends when the lease expires, when the companion has received nothing from this ground for a second, when another
    /// pilot takes over or stops the vehicle, and when the vehicle lands.
    ///
    /// - Returns: whether it was granted; otherwise the message says who has it.
    /// - Throws: ``LinkError`` if no answer was received.
    func control(_ request: ControlAuthorityRequest, within timeout: Duration) async throws(LinkError) -> CommandReply

    /// How many stops of the companion are known; `nil` if that was not received. Must not block.
    var knownStops: UInt64? { get }
}

extension CommandReply {
    /// The companion's refusal of a command that is older than a stop, or than a grant of control authority to another.
    ///
    /// - Parameter stop: which: "hover by anna@laptop".
    public static func overruled(by stop: String) -> CommandReply {
        CommandReply(accepted: false, message: "\(overruledStart)\(stop)\(overruledEnd)")
    }

    /// Whether the message of a refusal says that the command was older than a stop.
    package static func isOverruled(_ message: String) -> Bool {
        message.hasPrefix(overruledStart) && message.hasSuffix(overruledEnd)
    }

    // Companions of other versions write the same.
    private static let overruledStart = "not executed, since "
    private static let overruledEnd = " is newer: give it again if it still holds"
}
