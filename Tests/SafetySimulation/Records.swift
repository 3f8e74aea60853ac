import UAVLink

@testable import ChannelProtocol

/// What a vehicle is commanded and by whom, for the check of the rules.
struct SetpointOrigin {
    let ground: Int
    /// True time.
    let createdAt: MonotonicTime
    let validFor: Duration
}

/// A command as its session numbers it.
struct RequestID: Hashable {
    let session: SessionID
    let number: UInt64
}

/// A command, and what became of it.
struct CommandRecord {
    let ground: Int
    let command: Command
    let createdAt: MonotonicTime
    /// When the user commanded it: for a step of a sequence, the whole sequence.
    let wantedAt: MonotonicTime
    let patience: Duration
    /// By the clock of the ground.
    let deadline: MonotonicTime
    let clock: WorldClock
    var isBegun = false
    /// The vehicle did it.
    var isDone = false
    var wasDenied = false
}

/// When an exchange of times with a ground began, and how long it was under way, both ways together.
struct ExchangeOfTimes {
    let begunAt: MonotonicTime
    let roundTrip: Duration
}
