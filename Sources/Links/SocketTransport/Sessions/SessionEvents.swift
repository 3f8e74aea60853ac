internal import UAVLink

/// What a frame from the vehicle meant for the ground.
enum GroundEvent {
    case nothing
    /// The session is open.
    case opened
    /// The other end speaks another version.
    case refused(LinkError)
    case telemetry
    case answered(id: UInt64, Result<CommandReply, LinkError>)
    /// The answer to a question, as it came: its payload, which may be large.
    case informed(id: UInt64, [UInt8])
    /// So much of a large command has arrived, or of a large answer has come.
    case progressed(id: UInt64, Double)
    /// The companion has answered the heartbeat that was sent then.
    case echoed(sent: MonotonicTime)
    /// The companion ends the session.
    case ended
}

/// What a frame from the ground meant for the vehicle.
enum VehicleEvent {
    case nothing
    /// The session is open.
    case opened
    /// A setpoint to pass on, with its times on this machine's clock.
    case steer(VelocitySetpoint)
    /// A command to carry out, once, and not to begin from its deadline on (on this machine's clock).
    case perform(id: UInt64, Command, until: MonotonicTime)
    /// A large command to decode, and then to hand in with ``VehicleSession/perform(_:now:)``.
    case transferred(CommandTransfer)
    /// The ground wants to know of other nodes' velocity references from now on, or no more.
    case watch(Bool)
    /// A question to answer, once, and not to begin from its deadline on.
    case ask(id: UInt64, SurveyQuestion, until: MonotonicTime)
    /// The ground ends the session.
    case ended
}

/// Counts of frames that were dropped without an answer.
public struct DropCounts: Hashable, Sendable {
    /// Too short or too long to be a frame.
    public internal(set) var malformed: UInt64 = 0
    /// For a session that does not exist (any more).
    public internal(set) var unknownSession: UInt64 = 0
    /// Seen before.
    public internal(set) var replayed: UInt64 = 0
    /// Too far behind the newest to be judged.
    public internal(set) var tooOld: UInt64 = 0
    /// They did not open: changed on the way, cut, or made by a stranger.
    public internal(set) var forged: UInt64 = 0
    /// They opened, but held what the protocol does not allow.
    public internal(set) var invalid: UInt64 = 0

    /// Nothing dropped.
    public init() {}

    /// All of them.
    public var total: UInt64 { malformed + unknownSession + replayed + tooOld + forged + invalid }

    mutating func note(_ refusal: FrameRefusal) {
        switch refusal {
        case .malformed: malformed += 1
        case .unknownSession: unknownSession += 1
        case .replayed: replayed += 1
        case .tooOld: tooOld += 1
        case .forged: forged += 1
        }
    }
}
