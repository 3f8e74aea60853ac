internal import UAVLink

/// A command that waits for its answer on the ground.
struct OutgoingCommand {
    let id: UInt64
    let command: Command
    let begunAt: MonotonicTime
    let deadline: MonotonicTime
    let afterSetpoint: UInt64
    /// Larger than a frame: it goes as a transfer.
    let isBulk: Bool
    var nextSend: MonotonicTime
    /// How often it was sent without the companion saying that it has it.
    var sent = 0
    var isReceived = false

    var stopsMotion: Bool { command.stopsMotion }

    func request(now: MonotonicTime) -> CommandRequest {
        CommandRequest(
            id: id, deadline: deadline.nanoseconds,
            remainingMicroseconds: UInt32(clamping: max(0, (deadline - now).nanoseconds) / 1000),
            afterSetpoint: afterSetpoint, command: command)
    }

    /// Notes that it goes out now, and when it would go out again.
    mutating func noteSent(now: MonotonicTime, resendAfter: Duration, isReliable: Bool) {
        sent += 1
        if isReliable {
            // The carrier repeats what it loses; it goes out again when the carrier is renewed.
            nextSend = MonotonicTime(nanoseconds: .max)
        } else if isReceived {
            nextSend = now + ChannelTimes.resendReceived
        } else {
            let doubled = resendAfter * (1 << min(6, sent - 1))
            nextSend = now + min(doubled, ChannelTimes.resendLongest)
        }
    }
}
