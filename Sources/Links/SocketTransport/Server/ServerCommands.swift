internal import ChannelProtocol
internal import UAVLink

/// The commands and questions of all sessions: on their way to the handler, and their answers on the way back.
struct ServerCommands {
    /// A large command whose transfer was decoded on another thread.
    struct Decoded {
        let session: SessionID
        /// `nil` if it was invalid.
        let command: DecodedCommand?
        let receivedAt: MonotonicTime
    }

    /// How many commands were passed on.
    private(set) var begun: UInt64 = 0
    private var decoded: [Decoded] = []

    /// Whether a decoded command waits for its turn.
    var hasDecoded: Bool { !decoded.isEmpty }

    /// Queues a decoded command; the thread passes it on in its turn.
    mutating func add(_ command: Decoded) { decoded.append(command) }

    /// The decoded command whose turn it is.
    mutating func nextDecoded() -> Decoded? { decoded.isEmpty ? nil : decoded.removeFirst() }

    /// A command to pass to the handler.
    mutating func order(
        _ command: Command, _ issue: CommandIssue, of session: SessionID, until deadline: MonotonicTime,
        receivedAt: MonotonicTime
    ) -> ServerOrder {
        begun += 1
        return ServerOrder(
            session: session, id: issue.number, content: .command(command, issue), deadline: deadline,
            receivedAt: receivedAt)
    }

    /// Stores the answer to a command in its session.
    ///
    /// - Parameter now: read when the answer is encoded.
    func answer(
        _ number: UInt64, of session: VehicleSession, _ result: Result<CommandReply, LinkError>, _ times: CommandTimes,
        now: @autoclosure () -> MonotonicTime
    ) {
        session.answer(number, result)
        session.note(
            .command(
                .init(
                    number: number, receivedAt: times.receivedAt, askedAt: times.askedAt, answeredAt: times.answeredAt,
                    readyAt: now())))
    }

    /// Stores the encoded answer to a question in its session, or an error when it is too large.
    ///
    /// - Parameter held: bytes of large answers that all sessions hold together.
    func answer(question number: UInt64, of session: VehicleSession, _ payload: [UInt8], held: @autoclosure () -> Int) {
        guard payload.count > ChannelLimits.payload,
            payload.count > ChannelLimits.bulk || held() + payload.count > ChannelLimits.bulkTotal
        else { return session.answer(question: number, payload) }
        let error = LinkError(
            .unsupported, "an answer of \(payload.count) bytes exceeds the companion's limit",
            hint: "ask for fewer points, or wait until other maps have been fetched")
        session.answer(question: number, QuestionAnswer(id: number, result: .failure(error)).payload)
    }
}
