internal import UAVLink

/// The commands and questions of a ground that wait for their answers, with the transfers of the large ones.
struct GroundRequests {
    private let isReliable: Bool
    private var waiting: [OutgoingCommand] = []
    private var lastID: UInt64 = 0
    private var transfers = GroundTransfers()

    /// - Parameter isReliable: whether the carrier itself retransmits lost data (TCP).
    init(isReliable: Bool) { self.isReliable = isReliable }

    // MARK: What the caller wants

    /// Starts a command and returns the id of its answer.
    ///
    /// A stop is never refused for want of a slot: it takes that of the oldest one of its kind.
    ///
    /// - Parameters:
    ///   - afterSetpoint: the newest setpoint issued before it, which must not act after it.
    ///   - knownStops: how many stops of the companion are known; `nil` if that was not received.
    mutating func begin(
        _ command: Command, afterSetpoint: UInt64, knownStops: UInt64? = nil, deadline: MonotonicTime,
        now: MonotonicTime
    ) throws(LinkError) -> UInt64 {
        let id = try nextID(for: command.reservedSlot, now: now)
        var entry = OutgoingCommand(
            id: id, content: .command(command), begunAt: now, deadline: deadline, afterSetpoint: afterSetpoint,
            knownStops: knownStops, isBulk: false, nextSend: now)
        let capacity = entry.largestSize(now: now)
        if capacity > ChannelLimits.payload {
            let bytes = EncodedPayload.bytes(capacity: capacity) { entry.write(&$0, now: now) }
            if bytes.count > ChannelLimits.payload {
                guard let transfer = BulkSender(id: id, bytes: bytes) else {
                    throw LinkError(.invalidInput, "the command is too large", hint: "send it in parts")
                }
                transfers.send(transfer)
                entry = OutgoingCommand(
                    id: id, content: .command(command), begunAt: now, deadline: deadline,
                    afterSetpoint: afterSetpoint, knownStops: knownStops, isBulk: true,
                    nextSend: MonotonicTime(nanoseconds: .max))
            }
        }
        waiting.append(entry)
        return id
    }

    /// Starts a question and returns the id of its answer.
    mutating func begin(
        _ question: SurveyQuestion, deadline: MonotonicTime, now: MonotonicTime
    ) throws(LinkError) -> UInt64 {
        let id = try nextID(for: nil, now: now)
        waiting.append(
            OutgoingCommand(
                id: id, content: .question(question), begunAt: now, deadline: deadline, afterSetpoint: 0,
                knownStops: nil, isBulk: false, nextSend: now))
        return id
    }

    private mutating func nextID(for slot: CommandKinds?, now: MonotonicTime) throws(LinkError) -> UInt64 {
        func isOfKind(_ request: OutgoingCommand) -> Bool { request.reservedSlot == slot && !request.isReplaced }
        let count = waiting.count(where: isOfKind)
        if slot == nil, count >= ChannelLimits.commandsInFlight {
            throw LinkError(
                .unsupported, "\(ChannelLimits.commandsInFlight) commands are already waiting for their answers",
                hint: "wait for one of them")
        }
        if slot != nil, count >= ChannelLimits.stopsInFlight, let oldest = waiting.firstIndex(where: isOfKind) {
            waiting[oldest].isReplaced = true
            waiting[oldest].deadline = now
            waiting[oldest].nextSend = MonotonicTime(nanoseconds: .max)
        }
        lastID += 1
        return lastID
    }

    /// Forgets a request: its caller no longer waits.
    mutating func forget(_ id: UInt64) {
        waiting.removeAll { $0.id == id }
        transfers.forget(id)
    }

    /// The carrier was renewed: what was in flight is lost and resent.
    mutating func carrierWasRenewed(now: MonotonicTime) {
        for index in waiting.indices where !waiting[index].isBulk || waiting[index].isReceived {
            waiting[index].nextSend = now
        }
        transfers.carrierWasRenewed()
    }

    // MARK: Time

    /// Requests past their deadline, each reported once.
    mutating func takeExpired(now: MonotonicTime) -> [(id: UInt64, error: LinkError)] {
        guard waiting.contains(where: { $0.deadline <= now }) else { return [] }
        let late = waiting.filter { $0.deadline <= now }
        for request in late { forget(request.id) }
        return late.map { request in
            if request.isReplaced {
                return (request.id, LinkError(.cancelled, "a newer \(request.name) has replaced it"))
            }
            let what = request.isReceived ? "the vehicle has not answered" : "no answer was received from the vehicle"
            return (
                request.id,
                LinkError(.timedOut, "\(what) to \(request.name) in time", hint: "see 'uavlink status'")
            )
        }
    }

    /// When something is due.
    func nextDeadline(resendAfter: Duration) -> MonotonicTime {
        var earliest = MonotonicTime(nanoseconds: .max)
        for request in waiting { earliest = min(earliest, request.deadline, request.nextSend) }
        if let deadline = transfers.nextDeadline(resendAfter: bulkResend(resendAfter)) {
            earliest = min(earliest, deadline)
        }
        return earliest
    }

    private func bulkResend(_ resendAfter: Duration) -> Duration? { isReliable ? nil : resendAfter }

    // MARK: Frames in

    /// The answer to a command.
    mutating func take(_ answer: CommandAnswer, now: MonotonicTime) -> GroundEvent {
        guard let command = waiting.first(where: { $0.id == answer.id }), case .command = command.content else {
            return .nothing
        }
        forget(answer.id)
        return .answered(
            id: answer.id,
            answer.result.map { reply in
                var reply = reply
                reply.roundTrip = now - command.begunAt
                return reply
            })
    }

    /// The answer to a question, still encoded.
    mutating func take(question id: UInt64, _ payload: [UInt8]) -> GroundEvent {
        guard let asked = waiting.first(where: { $0.id == id }), case .question = asked.content else {
            return .nothing
        }
        forget(id)
        return .informed(id: id, payload)
    }

    /// A part of an answer that is larger than a frame.
    mutating func take(_ fragment: Fragment, now: MonotonicTime) throws(WireError) -> GroundEvent {
        let asked = waiting.first { $0.id == fragment.id }
        let whole: [UInt8]
        switch try transfers.take(fragment, largest: asked?.largestAnswer) {
        case .unwanted: return .nothing
        case .partial(let fraction): return .progressed(id: fragment.id, fraction)
        case .whole(let bytes): whole = bytes
        }
        let answer = try EncodedPayload.read(whole) { reader throws(WireError) -> CommandAnswer? in
            switch FrameKind(rawValue: try reader.integer()) {
            case .commandAnswer: return try CommandAnswer(&reader)
            case .questionAnswer:
                guard try reader.integer(UInt64.self) == fragment.id else { throw .invalid }
                return nil
            default: throw .invalid
            }
        }
        guard let answer else { return take(question: fragment.id, whole) }
        return take(answer, now: now)
    }

    /// The companion has the command; its answer may take a while.
    mutating func noteReceived(_ id: UInt64, now: MonotonicTime) {
        guard let index = waiting.firstIndex(where: { $0.id == id }) else { return }
        waiting[index].isReceived = true
        // Query the answer in case it was lost.
        if !isReliable { waiting[index].nextSend = now + ChannelTimes.resendReceived }
    }

    /// The companion has fragments of a large command.
    mutating func take(_ received: FragmentsReceived, now: MonotonicTime) -> GroundEvent {
        guard let (fraction, isDone) = transfers.acknowledge(received) else { return .nothing }
        if isDone { noteReceived(received.id, now: now) }
        return .progressed(id: received.id, fraction)
    }

    /// The companion refuses a large command.
    mutating func take(refusal: TransferRefusal, of id: UInt64) -> GroundEvent {
        guard transfers.isSending(id) else { return .nothing }
        forget(id)
        let error =
            switch refusal {
            case .tooLarge:
                LinkError(.invalidInput, "the command is too large for the companion", hint: "send it in parts")
            case .unwanted: LinkError(.protocolViolation, "the companion refused the transfer of the command")
            case .memoryLimitReached:
                LinkError(.unsupported, "the companion has no memory for the command now", hint: "try again later")
            }
        return .answered(id: id, .failure(error))
    }

    // MARK: Frames out

    /// The first request that is due; stops go before everything else.
    func due(onlyStops: Bool, now: MonotonicTime) -> Int? {
        waiting.firstIndex { (!onlyStops || $0.stopsMotion) && $0.nextSend <= now }
    }

    /// Seals a request, or the query for its answer once the companion has it.
    mutating func seal(
        _ index: Int, into buffer: UnsafeMutableRawBufferPointer, cipher: FrameCipher, resendAfter: Duration,
        now: MonotonicTime, trace: GroundTrace?
    ) -> Int {
        waiting[index].noteSent(now: now, resendAfter: resendAfter, isReliable: isReliable)
        let entry = waiting[index]
        guard !entry.isReceived else {
            return cipher.seal(into: buffer) { writer in
                writer.put(FrameKind.commandQuery)
                writer.put(entry.id)
            }
        }
        let sequence = cipher.nextSequence
        let length = cipher.seal(into: buffer) { entry.write(&$0, now: now) }
        trace?.sealed(command: entry.id, sequence: sequence)
        return length
    }

    /// Seals the acknowledgement of received fragments; 0 when none is due.
    mutating func nextReceipt(into buffer: UnsafeMutableRawBufferPointer, cipher: FrameCipher) -> Int {
        transfers.nextReceipt(into: buffer, cipher: cipher)
    }

    /// Seals the next frame of a transfer; 0 when none is due.
    mutating func nextTransfer(
        into buffer: UnsafeMutableRawBufferPointer, now: MonotonicTime, resendAfter: Duration, cipher: FrameCipher
    ) -> Int {
        let wait = bulkResend(resendAfter)
        return transfers.nextFrame(into: buffer, now: now, resendAfter: wait, cipher: cipher)
    }
}
