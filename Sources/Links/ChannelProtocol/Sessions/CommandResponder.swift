internal import UAVLink

/// The companion's end of a session's commands: starts each once, keeps answers for resending, and handles transfers.
struct CommandResponder {
    private var ledger = CommandLedger()
    /// Commands whose answer or receipt is to be sent, and outgoing transfers.
    private var replies: [UInt64] = []
    private var transfers: [BulkSender] = []
    private var incoming: BulkReceiver?
    private var receiptIsDue = false
    private var refusalIsDue: (id: UInt64, reason: TransferRefusal)?

    /// Bytes held for incomplete transfers.
    package var bytesHeld: Int { incoming?.bytes.count ?? 0 }

    /// Bytes of large answers that the ground does not have yet.
    package var answerBytesHeld: Int { ledger.largeBytes }

    // MARK: Commands

    /// Whether a command with that id must be started; for one that was, its answer or a receipt is sent again.
    mutating func isNew(_ id: UInt64, stopsMotion: Bool) -> Bool {
        switch ledger.judge(id) {
        case .forgotten: return false
        case .running, .answered:
            reply(to: id)
            return false
        case .new: return ledger.running(stopsMotion: stopsMotion) < ChannelLimits.inFlight(stopsMotion: stopsMotion)
        }
    }

    /// Starts a new command and returns its deadline; `nil` when it was answered here because it expired or is invalid.
    package mutating func begin(_ command: DecodedCommand, timing: PeerTiming, now: MonotonicTime) -> MonotonicTime? {
        let request = command.request
        ledger.begin(request.id, stopsMotion: request.command.stopsMotion)
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
    package mutating func begin(_ request: QuestionRequest, timing: PeerTiming, now: MonotonicTime) -> MonotonicTime? {
        ledger.begin(request.id, stopsMotion: false)
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
    package mutating func answer(_ id: UInt64, _ result: Result<CommandReply, LinkError>) {
        let answer = CommandAnswer(id: id, result: result)
        ledger.answer(id, EncodedPayload.bytes(room: answer.largestSize) { answer.write(&$0) })
        reply(to: id)
    }

    /// Stores the encoded answer to a question that was started.
    package mutating func answer(question id: UInt64, _ payload: [UInt8]) {
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

    // MARK: Transfers

    /// Stores a fragment; returns the transfer when it is complete.
    ///
    /// - Parameter room: how many more bytes transfers may hold.
    package mutating func take(_ fragment: Fragment, room: Int) -> CommandTransfer? {
        if incoming.map({ $0.state.id < fragment.id }) ?? true {
            guard fragment.total <= ChannelLimits.bulk else {
                refusalIsDue = (fragment.id, .tooLarge)
                return nil
            }
            incoming = BulkReceiver(fragment)
        }
        guard incoming?.state.id == fragment.id else { return nil }
        guard room >= ChannelLimits.fragmentsInFlight * ChannelLimits.fragment || incoming?.isDone == true else {
            incoming?.freeBytes()
            refusalIsDue = (fragment.id, .memoryLimitReached)
            return nil
        }
        receiptIsDue = true
        incoming?.take(fragment)
        guard let whole = incoming, whole.isDone, !whole.bytes.isEmpty else { return nil }
        incoming?.freeBytes()
        return CommandTransfer(id: whole.state.id, bytes: whole.bytes)
    }

    mutating func acknowledge(_ received: FragmentsReceived) {
        guard !transfers.isEmpty, transfers[0].id == received.id else { return }
        transfers[0].acknowledge(received)
        if transfers[0].isDone {
            ledger.deliver(received.id)
            transfers.removeFirst()
        }
    }

    /// Drops a large answer that the ground does not want.
    mutating func forgetTransfer(_ id: UInt64) {
        transfers.removeAll { $0.id == id }
        ledger.deliver(id)
    }

    /// Resends what was in flight on the old carrier.
    package mutating func carrierWasRenewed() {
        for index in transfers.indices { transfers[index].resendAll() }
    }

    package func nextDeadline(resendAfter: @autoclosure () -> Duration?) -> MonotonicTime? {
        guard let transfer = transfers.first else { return nil }
        return transfer.deadline(resendAfter: resendAfter())
    }

    // MARK: Frames out, each 0 when there is none

    mutating func nextReply(into buffer: UnsafeMutableRawBufferPointer, cipher: FrameCipher) -> Int {
        while !replies.isEmpty {
            let length = seal(replyTo: replies.removeFirst(), into: buffer, cipher: cipher)
            if length > 0 { return length }
        }
        return 0
    }

    private mutating func seal(
        replyTo id: UInt64, into buffer: UnsafeMutableRawBufferPointer, cipher: FrameCipher
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
            if !transfers.contains(where: { $0.id == id }), let transfer = BulkSender(id: id, bytes: bytes) {
                transfers.append(transfer)
            }
            return 0
        }
    }

    mutating func nextReceipt(into buffer: UnsafeMutableRawBufferPointer, cipher: FrameCipher) -> Int {
        if receiptIsDue, let incoming {
            receiptIsDue = false
            return cipher.seal(into: buffer) { incoming.state.write(&$0) }
        }
        guard let refusal = refusalIsDue else { return 0 }
        refusalIsDue = nil
        return cipher.seal(into: buffer) { writer in
            writer.put(FrameKind.fragmentRefused)
            writer.put(refusal.id)
            writer.put(refusal.reason.rawValue)
        }
    }

    mutating func nextFragment(
        into buffer: UnsafeMutableRawBufferPointer, now: MonotonicTime, resendAfter: @autoclosure () -> Duration?,
        cipher: FrameCipher
    ) -> Int {
        guard !transfers.isEmpty, let index = transfers[0].fragment(now: now, resendAfter: resendAfter()) else {
            return 0
        }
        return cipher.seal(into: buffer) { transfers[0].write(index, &$0) }
    }
}
