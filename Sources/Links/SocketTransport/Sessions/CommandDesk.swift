internal import UAVLink

/// The companion's end of a session's commands: which are begun, what is answered, and the transfers of large ones.
struct CommandDesk {
    private var ledger = CommandLedger()
    /// Which answers and receipts to send, and which of the transfers.
    private var replies: [UInt64] = []
    private var transfers: [BulkSender] = []
    private var incoming: BulkReceiver?
    private var receiptIsDue = false
    private var refusalIsDue: (id: UInt64, reason: TransferRefusal)?

    /// Bytes held for transfers that are not complete.
    var bytesHeld: Int { incoming?.bytes.count ?? 0 }

    /// Bytes of large answers that the ground does not have yet.
    var answerBytesHeld: Int { ledger.largeBytes }

    // MARK: Commands

    /// Whether a command of that number is to be begun; for one that was, its answer or a receipt goes out again.
    mutating func isNew(_ id: UInt64, stopsMotion: Bool) -> Bool {
        switch ledger.judge(id) {
        case .forgotten: return false
        case .running, .answered:
            reply(to: id)
            return false
        case .new: return ledger.running(stopsMotion: stopsMotion) < ChannelLimits.inFlight(stopsMotion: stopsMotion)
        }
    }

    /// Begins a new command, and gives until when it may wait; `nil` when it was answered here: too late, or not possible.
    mutating func begin(_ command: DecodedCommand, timing: PeerTiming, now: MonotonicTime) -> MonotonicTime? {
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
        // No receipt now: most answers are quicker than the ground's patience, and a repeated command gets one.
        return deadline
    }

    /// As for a command, for a question.
    mutating func begin(_ request: QuestionRequest, timing: PeerTiming, now: MonotonicTime) -> MonotonicTime? {
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

    /// The earliest instant that the deadline can be, and none that holds a task for ever: never more than what was left of it
    /// when it was sent. That alone counts until the clocks are known; it also bounds what a clock that has jumped ahead, of which
    /// nothing is known here yet, would give.
    private func earliest(
        _ deadline: Int64, _ remainingMicroseconds: UInt32, timing: PeerTiming, now: MonotonicTime
    ) -> MonotonicTime {
        let whenSent = Int64(remainingMicroseconds) * 1000
        let left = min(timing.remaining(until: deadline, now: now) ?? whenSent, whenSent)
        return now + min(.nanoseconds(left), ChannelTimes.longestWait)
    }

    private static func late(_ name: String) -> LinkError {
        LinkError(.timedOut, "\(name) reached the companion after its deadline and was not begun")
    }

    /// The answer to a command that was begun.
    mutating func answer(_ id: UInt64, _ result: Result<CommandReply, LinkError>) {
        let answer = CommandAnswer(id: id, result: result)
        ledger.answer(id, EncodedPayload.bytes(room: answer.largestSize) { answer.write(&$0) })
        reply(to: id)
    }

    /// The payload that answers a question that was begun.
    mutating func answer(question id: UInt64, _ payload: [UInt8]) {
        ledger.answer(id, payload)
        reply(to: id)
    }

    /// The ground asks whether there is an answer by now.
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

    /// Takes a fragment; gives the transfer when it is whole.
    ///
    /// - Parameter room: how many bytes of transfers may still be held.
    mutating func take(_ fragment: Fragment, room: Int) -> CommandTransfer? {
        if incoming.map({ $0.state.id < fragment.id }) ?? true {
            guard fragment.total <= ChannelLimits.bulk else {
                refusalIsDue = (fragment.id, .tooLarge)
                return nil
            }
            incoming = BulkReceiver(fragment)
        }
        guard incoming?.state.id == fragment.id else { return nil }
        guard room >= ChannelLimits.fragmentsInFlight * ChannelLimits.fragment || incoming?.isDone == true else {
            incoming?.forgetBytes()
            refusalIsDue = (fragment.id, .noRoom)
            return nil
        }
        receiptIsDue = true
        incoming?.take(fragment)
        guard let whole = incoming, whole.isDone, !whole.bytes.isEmpty else { return nil }
        incoming?.forgetBytes()
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

    /// The ground does not want an answer any more.
    mutating func forgetTransfer(_ id: UInt64) {
        transfers.removeAll { $0.id == id }
        ledger.deliver(id)
    }

    /// What was under way on the old carrier is lost.
    mutating func carrierWasRenewed() {
        for index in transfers.indices { transfers[index].sendAgain() }
    }

    func nextDeadline(resendAfter: @autoclosure () -> Duration?) -> MonotonicTime? {
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
