package import UAVLink

/// The effect of a frame from the vehicle on the ground.
package enum GroundEvent {
    case nothing
    /// The session is open.
    case opened
    /// The companion's protocol version differs.
    case refused(LinkError)
    case telemetry
    case answered(id: UInt64, Result<CommandReply, LinkError>)
    /// The answer to a question, still encoded, which may be large.
    case informed(id: UInt64, [UInt8])
    /// The share of a large command or answer that has been transferred.
    case progressed(id: UInt64, Double)
    /// The companion has answered the heartbeat sent at that time.
    case echoed(sent: MonotonicTime)
    /// The companion has ended the session.
    case ended

    /// Whether a caller waits for just this.
    package var endsCall: Bool {
        switch self {
        case .answered, .informed, .echoed: true
        case .nothing, .opened, .refused, .telemetry, .progressed, .ended: false
        }
    }
}

/// The effect of a frame from the ground on the vehicle.
package enum VehicleEvent {
    case nothing
    /// The session is open.
    case opened
    /// A setpoint to forward, with its times on this machine's clock.
    case steer(VelocitySetpoint)
    /// A command to execute once, and not to start after its deadline (on this machine's clock). The number of stops that its ground
    /// knew of is `nil` if the ground had not received it yet.
    case perform(id: UInt64, Command, until: MonotonicTime, knownStops: UInt64?)
    /// A large command to decode and then to pass to ``VehicleSession/perform(_:now:)``.
    case transferred(CommandTransfer)
    /// The ground starts or stops watching other nodes' velocity references.
    case watch(Bool)
    /// A question to answer once, and not to start after its deadline.
    case ask(id: UInt64, SurveyQuestion, until: MonotonicTime)
    /// The ground has ended the session.
    case ended
}

extension VehicleSession {
    /// The result of a received frame.
    package struct Received {
        package var event = VehicleEvent.nothing
        /// Whether it is authentic and the newest so far: its sender's address is then the ground's present address.
        package var isNewest = false
    }

    /// A change that ``tick(now:)`` reports.
    package enum Change: Equatable {
        case nothing
        /// Nothing was received from the ground for a second: link loss.
        case linkLost
        /// Frames of the ground arrive again.
        case linkRestored
        /// The ticket expired, or nothing was received from the ground for ``ChannelTimes/sessionLife``.
        case ended
    }
}

/// Counts of frames that were dropped without an answer.
public struct DropCounts: Hashable, Sendable {
    /// Too short or too long to be a frame.
    public package(set) var malformed: UInt64 = 0
    /// For a session that does not exist.
    public package(set) var unknownSession: UInt64 = 0
    /// Seen before.
    public package(set) var replayed: UInt64 = 0
    /// Too far behind the newest for the replay window.
    public package(set) var tooOld: UInt64 = 0
    /// Authentication failed: modified, truncated or forged.
    public package(set) var forged: UInt64 = 0
    /// Authentic, but not allowed by the protocol.
    public package(set) var invalid: UInt64 = 0

    /// Nothing dropped.
    public init() {}

    /// The sum of all counts.
    public var total: UInt64 { malformed + unknownSession + replayed + tooOld + forged + invalid }

    package mutating func note(_ refusal: FrameRefusal) {
        switch refusal {
        case .malformed: malformed += 1
        case .unknownSession: unknownSession += 1
        case .replayed: replayed += 1
        case .tooOld: tooOld += 1
        case .forged: forged += 1
        }
    }
}
