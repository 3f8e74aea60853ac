internal import ChannelProtocol
internal import UAVLink

/// A command or a question to pass to the handler, outside the server's lock.
struct ServerOrder {
    enum Content {
        case command(Command, CommandIssue)
        case question(SurveyQuestion)
        /// To be decoded, then passed to ``ServerLoop/take(_:)``.
        case transfer(CommandTransfer)
    }

    let session: SessionID
    let id: UInt64
    let content: Content
    let deadline: MonotonicTime
    /// When its frame was read.
    let receivedAt: MonotonicTime
}

/// Timestamps of a command on the vehicle's side.
struct CommandTimes {
    let receivedAt: MonotonicTime
    let askedAt: MonotonicTime
    let answeredAt: MonotonicTime
}

/// What remains to be done for an answer, outside the server's lock.
struct AnswerOutcome {
    /// A datagram to send.
    var datagram: (frame: [UInt8], to: SocketAddress)?
    /// The thread must wake earlier than it plans to.
    var wakes = false
}
