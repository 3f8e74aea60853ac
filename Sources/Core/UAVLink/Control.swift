/// Who is in command of a vehicle, as one of its grounds sees it.
public struct ControlStatus: Hashable, Sendable {
    /// Who is in command.
    public struct Pilot: Hashable, Sendable {
        /// For people: `anna@laptop`.
        public var name: String
        /// Since when.
        public var since: MonotonicTime
        /// It is who asks.
        public var isYou: Bool

        /// Who is in command.
        public init(name: String, since: MonotonicTime, isYou: Bool) {
            self.name = name
            self.since = since
            self.isYou = isYou
        }
    }

    /// Who is in command; `nil` when nobody is.
    public var pilot: Pilot?
    /// He steers just now.
    public var isSteering: Bool
    /// How command last ended, in words; empty when it never did.
    public var lastEnding: String

    /// Who is in command.
    public init(pilot: Pilot? = nil, isSteering: Bool = false, lastEnding: String = "") {
        self.pilot = pilot
        self.isSteering = isSteering
        self.lastEnding = lastEnding
    }

    /// Whether who asks is in command.
    public var isYours: Bool { pilot?.isYou == true }
}

/// What a ground wants of the command of its vehicle.
public enum ControlWish: Hashable, Sendable {
    /// To be in command, if nobody else is.
    case take(name: String)
    /// To be in command, whoever else is: the vehicle stops, and everybody is told why.
    case takeOver(name: String, reason: String)
    /// To give it back; a vehicle that still moves under setpoints is stopped.
    case release(reason: String)

    /// What is wanted, in words.
    public var words: String {
        switch self {
        case .take(let name): "\(name.harmlessLine) wants to be in command"
        case .takeOver(let name, let reason): "\(name.harmlessLine) takes over: \(reason.harmlessLine)"
        case .release(let reason): "gives command back: \(reason.harmlessLine)"
        }
    }

    /// The most bytes of a name.
    public static let longestName = 64
    /// The most bytes of a reason.
    public static let longestReason = 256

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
            throw LinkError(.invalidInput, "a \(what) of \(text.utf8.count) bytes is not within 1 to \(longest)")
        }
    }
}

/// A link to a vehicle whose end decides which of several grounds flies.
///
/// Over a link that is not one of these nobody arbitrates: who can reach the vehicle can fly it.
public protocol ControlledLink: UAVLink {
    /// Takes or gives back the command of the vehicle.
    ///
    /// - Returns: whether it was granted; the message says who has it otherwise. It is lost when steering falls silent, when this
    ///   ground is not heard for a second, when another takes it over or stops the vehicle, and when the vehicle lands.
    /// - Throws: ``LinkError`` when no answer could be had.
    func control(_ wish: ControlWish, within timeout: Duration) async throws(LinkError) -> CommandReply
}
