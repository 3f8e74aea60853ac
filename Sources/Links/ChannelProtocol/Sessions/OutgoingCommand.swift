internal import UAVLink

/// A command or question of the ground that waits for its answer.
struct OutgoingCommand {
    enum Content {
        case command(Command)
        case question(SurveyQuestion)
    }

    let id: UInt64
    let content: Content
    let begunAt: MonotonicTime
    var deadline: MonotonicTime
    let afterSetpoint: UInt64
    let knownStops: UInt64?
    /// Larger than a frame: sent as a transfer.
    let isBulk: Bool
    var nextSend: MonotonicTime
    /// How often it, or a query for its answer, was sent.
    var sent = 0
    var isReceived = false
    /// A newer one of its kind has its place; it is reported at its deadline, which is now.
    var isReplaced = false

    var stopsMotion: Bool {
        switch content {
        case .command(let command): command.stopsMotion
        case .question: false
        }
    }

    /// Its kind, if it has a slot that others cannot take.
    var reservedSlot: CommandKinds? {
        switch content {
        case .command(let command): command.reservedSlot
        case .question: nil
        }
    }

    /// The name of the command or question, for messages.
    var name: String {
        switch content {
        case .command(let command): command.name
        case .question(let question): question.name
        }
    }

    /// The largest answer in bytes.
    var largestAnswer: Int {
        switch content {
        case .question(.map): ChannelLimits.bulk
        case .question(.world): ChannelLimits.world
        default: ChannelLimits.answerText + 64
        }
    }

    /// An upper bound of the encoded size.
    func largestSize(now: MonotonicTime) -> Int {
        switch content {
        case .command(let command): request(command, now: now).largestSize
        case .question: 512
        }
    }

    func write(_ writer: inout WireWriter, now: MonotonicTime) {
        switch content {
        case .command(let command): request(command, now: now).write(&writer)
        case .question(let question):
            QuestionRequest(
                id: id, deadline: deadline.nanoseconds, remainingMicroseconds: remaining(now), question: question
            ).write(&writer)
        }
    }

    private func request(_ command: Command, now: MonotonicTime) -> CommandRequest {
        CommandRequest(
            id: id, deadline: deadline.nanoseconds, remainingMicroseconds: remaining(now),
            afterSetpoint: afterSetpoint, command: command, knownStops: knownStops)
    }

    private func remaining(_ now: MonotonicTime) -> UInt32 {
        UInt32(clamping: max(0, (deadline - now).nanoseconds) / 1000)
    }

    /// Records that it is sent now, and sets when it is resent.
    mutating func noteSent(now: MonotonicTime, resendAfter: Duration, isReliable: Bool) {
        sent += 1
        if isReliable {
            // The carrier retransmits; it is resent only when the carrier is renewed.
            nextSend = MonotonicTime(nanoseconds: .max)
        } else if isReceived {
            nextSend = now + ChannelTimes.resendReceived
        } else {
            // In nanoseconds: a product of durations is one of 128 bits.
            let first = min(resendAfter, ChannelTimes.resendLongest).nanoseconds
            nextSend = now + min(.nanoseconds(first << min(6, sent - 1)), ChannelTimes.resendLongest)
        }
    }
}
