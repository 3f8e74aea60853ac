internal import UAVLink

/// The companion's end of a session's commands and questions: starts each once, and keeps answers for resending.
struct CommandResponder {
    private var ledger = CommandLedger()
    /// Commands whose answer or receipt is to be sent.
    private var replies: [UInt64] = []

    /// Bytes of large answers that the ground does not have yet.
    var answerBytesHeld: Int { ledger.largeBytes }

    /// Whether a command with that id must be started; for one that was, its answer or a receipt is sent again.
    ///
    /// - Parameter slot: the kind of a command that has slots of its own.
    mutating func isNew(_ id: UInt64, slot: CommandKinds?) -> Bool {
        switch ledger.judge(id) {
        case .forgotten: return false
        case .running, .answered:
            reply(to: id)
            return false
        case .new:
            let most = slot == nil ? ChannelLimits.commandsInFlight : ChannelLimits.stopsRunning
            return ledger.running(slot) < most
        }
    }

    /// Starts a new command and returns its deadline; `nil` when it was answered here because it expired or is invalid.
    mutating func begin(_ command: DecodedCommand, timing: PeerTiming, now: MonotonicTime) -> MonotonicTime? {
        let request = command.request
        ledger.begin(request.id, slot: request.command.reservedSlot)
        let deadline = earliest(request.deadline, request.remainingMicroseconds, timing: timing, now: now)
        do throws(LinkError) {
            guard now < deadline else { throw Self.late(request.command.name) }
            if let flaw = command.flaw { throw flaw }
        } catch {
            answer(request.id, .failure(error))
            return nil
        }
        // No receipt now: most answers arrive before the ground resends, and a resent command gets one.
        return deadline
    }

    /// The same for a question.
    mutating func begin(_ request: QuestionRequest, timing: PeerTiming, now: MonotonicTime) -> MonotonicTime? {
        ledger.begin(request.id, slot: nil)
        let deadline = earliest(request.deadline, request.remainingMicroseconds, timing: timing, now: now)
        do throws(LinkError) {
            guard now < deadline else { throw Self.late(request.question.name) }
            try request.question.validate()
        } catch {
            answer(question: request.id, QuestionAnswer(id: request.id, result: .failure(error)).payload)
            return nil
        }
        return deadline
    }

    /// The earliest instant at which the deadline can be, and at most ``ChannelTimes/longestWait`` from now. It is never later
    /// than the time left at sending allows; only that is used until the clock offset is known, and it bounds the error if the
    /// ground's clock has jumped ahead unnoticed.
    private func earliest(
        _ deadline: Int64, _ remainingMicroseconds: UInt32, timing: PeerTiming, now: MonotonicTime
    ) -> MonotonicTime {
        let whenSent = Int64(remainingMicroseconds) * 1000
        let left = min(timing.remaining(until: deadline, now: now) ?? whenSent, whenSent)
        return now + min(.nanoseconds(left), ChannelTimes.longestWait)
    }

    private static func late(_ name: String) -> LinkError {
        LinkError(.timedOut, "\(name) reached the companion after its deadline and was not executed")
    }

    /// Stores the answer to a command that was started.
    mutating func answer(_ id: UInt64, _ result: Result<CommandReply, LinkError>) {
        let answer = CommandAnswer(id: id, result: result)
        ledger.answer(id, EncodedPayload.bytes(capacity: answer.largestSize) { answer.write(&$0) })
        reply(to: id)
    }

    /// Stores the encoded answer to a question that was started.
    mutating func answer(question id: UInt64, _ payload: [UInt8]) {
        ledger.answer(id, payload)
        reply(to: id)
    }

    /// Answers the ground's query for the state of a command.
    mutating func query(_ id: UInt64) {
        switch ledger.judge(id) {
        case .running, .answered: reply(to: id)
        case .new, .forgotten: break
        }
    }

    private mutating func reply(to id: UInt64) {
        if !replies.contains(id) { replies.append(id) }
    }

    /// Frees a large answer that the ground has, or does not want.
    mutating func deliver(_ id: UInt64) { ledger.deliver(id) }

    /// Seals the next answer or receipt and returns the frame's length; 0 when there is none. An answer that is larger than a
    /// frame becomes a transfer.
    mutating func nextReply(
        into buffer: UnsafeMutableRawBufferPointer, cipher: FrameCipher, transfers: inout VehicleTransfers
    ) -> Int {
        while !replies.isEmpty {
            let length = seal(replyTo: replies.removeFirst(), into: buffer, cipher: cipher, transfers: &transfers)
            if length > 0 { return length }
        }
        return 0
    }

    private func seal(
        replyTo id: UInt64, into buffer: UnsafeMutableRawBufferPointer, cipher: FrameCipher,
        transfers: inout VehicleTransfers
    ) -> Int {
        switch ledger.judge(id) {
        case .new, .forgotten: return 0
        case .running:
            return cipher.seal(into: buffer) { writer in
                writer.put(FrameKind.commandReceived)
                writer.put(id)
            }
        case .answered(let bytes):
            if bytes.count <= ChannelLimits.payload {
                return cipher.seal(into: buffer) { writer in bytes.withUnsafeBytes { writer.put(raw: $0) } }
            }
            transfers.send(answer: bytes, to: id)
            return 0
        }
    }
}
