internal import UAVLink

/// The commands and questions of a ground that wait for their answers, with the transfers of large ones in both directions.
struct GroundRequests {
    private let isReliable: Bool
    private var waiting: [OutgoingCommand] = []
    private var lastID: UInt64 = 0
    private var transfers: [BulkSender] = []
    private var incoming: BulkReceiver?
    private var receiptIsDue = false
    /// A transfer that nobody waits for, to be refused.
    private var unwanted: UInt64?

    /// - Parameter isReliable: whether the carrier itself retransmits lost data (TCP).
    init(isReliable: Bool) { self.isReliable = isReliable }

    // MARK: What the caller wants

    /// Starts a command and returns the id of its answer.
    ///
    /// - Parameter afterSetpoint: the newest setpoint issued before it, which must not act after it.
    package mutating func begin(
        _ command: Command, afterSetpoint: UInt64, deadline: MonotonicTime, now: MonotonicTime
    ) throws(LinkError) -> UInt64 {
        let id = try nextID(stopsMotion: command.stopsMotion)
        var entry = OutgoingCommand(
            id: id, content: .command(command), begunAt: now, deadline: deadline, afterSetpoint: afterSetpoint,
            isBulk: false, nextSend: now)
        let room = entry.largestSize(now: now)
        if room > ChannelLimits.payload {
            let bytes = EncodedPayload.bytes(room: room) { entry.write(&$0, now: now) }
            if bytes.count > ChannelLimits.payload {
                guard let transfer = BulkSender(id: id, bytes: bytes) else {
                    throw LinkError(.invalidInput, "the command is too large", hint: "send it in parts")
                }
                transfers.append(transfer)
                entry = OutgoingCommand(
                    id: id, content: .command(command), begunAt: now, deadline: deadline,
                    afterSetpoint: afterSetpoint, isBulk: true, nextSend: MonotonicTime(nanoseconds: .max))
            }
        }
        waiting.append(entry)
        return id
    }

    /// Starts a question and returns the id of its answer.
    package mutating func begin(
        _ question: SurveyQuestion, deadline: MonotonicTime, now: MonotonicTime
    ) throws(LinkError) -> UInt64 {
        let id = try nextID(stopsMotion: false)
        waiting.append(
            OutgoingCommand(
                id: id, content: .question(question), begunAt: now, deadline: deadline, afterSetpoint: 0,
                isBulk: false, nextSend: now))
        return id
    }

    private mutating func nextID(stopsMotion: Bool) throws(LinkError) -> UInt64 {
        let most = ChannelLimits.inFlight(stopsMotion: stopsMotion)
        guard waiting.count(where: { $0.stopsMotion == stopsMotion }) < most else {
            throw LinkError(
                .unsupported, "\(most) \(stopsMotion ? "stops" : "commands") are already waiting for their answers",
                hint: "wait for one of them")
        }
        lastID += 1
        return lastID
    }

    /// Forgets a request: its caller no longer waits.
    package mutating func forget(_ id: UInt64) {
        waiting.removeAll { $0.id == id }
        transfers.removeAll { $0.id == id }
        // The partial answer is useless; the companion is told when more fragments arrive.
        if let partial = incoming, partial.state.id == id, !partial.isDone { incoming = nil }
    }

    /// The carrier was renewed: what was in flight is lost and resent.
    package mutating func carrierWasRenewed(now: MonotonicTime) {
        for index in waiting.indices where !waiting[index].isBulk || waiting[index].isReceived {
            waiting[index].nextSend = now
        }
        for index in transfers.indices { transfers[index].resendAll() }
    }

    // MARK: Time

    /// Requests past their deadline, each reported once.
    mutating func takeExpired(now: MonotonicTime) -> [(id: UInt64, error: LinkError)] {
        guard waiting.contains(where: { $0.deadline <= now }) else { return [] }
        let late = waiting.filter { $0.deadline <= now }
        for request in late { forget(request.id) }
        return late.map { request in
            let what = request.isReceived ? "the vehicle has not answered" : "no answer was received from the vehicle"
            return (
                request.id,
                LinkError(.timedOut, "\(what) to \(request.name) in time", hint: "see 'uavlink status'")
            )
        }
    }

    /// When something is due.
    package func nextDeadline(resendAfter: Duration) -> MonotonicTime {
        var earliest = MonotonicTime(nanoseconds: .max)
        for request in waiting { earliest = min(earliest, request.deadline, request.nextSend) }
        if let transfer = transfers.first, let deadline = transfer.deadline(resendAfter: bulkResend(resendAfter)) {
            earliest = min(earliest, deadline)
        }
        return earliest
    }

    private func bulkResend(_ resendAfter: Duration) -> Duration? { isReliable ? nil : resendAfter }

    // MARK: Frames in

    /// The answer to a command.
    package mutating func take(_ answer: CommandAnswer, now: MonotonicTime) -> GroundEvent {
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
    package mutating func take(question id: UInt64, _ payload: [UInt8]) -> GroundEvent {
        guard let asked = waiting.first(where: { $0.id == id }), case .question = asked.content else {
            return .nothing
        }
        forget(id)
        return .informed(id: id, payload)
    }

    /// A part of an answer that is larger than a frame.
    package mutating func take(_ fragment: Fragment, now: MonotonicTime) throws(WireError) -> GroundEvent {
        if incoming?.state.id != fragment.id || incoming?.isDone == false {
            guard let asked = waiting.first(where: { $0.id == fragment.id }) else {
                unwanted = fragment.id
                return .nothing
            }
            guard fragment.total <= asked.largestAnswer else { throw .invalid }
            if incoming?.state.id != fragment.id { incoming = BulkReceiver(fragment) }
        }
        receiptIsDue = true
        incoming?.take(fragment)
        guard let whole = incoming else { return .nothing }
        guard whole.isDone, !whole.bytes.isEmpty else { return .progressed(id: fragment.id, whole.fraction) }
        incoming?.freeBytes()
        let answer = try EncodedPayload.read(whole.bytes) { reader throws(WireError) -> CommandAnswer? in
            switch FrameKind(rawValue: try reader.integer()) {
            case .commandAnswer: return try CommandAnswer(&reader)
            case .questionAnswer:
                guard try reader.integer(UInt64.self) == fragment.id else { throw .invalid }
                return nil
            default: throw .invalid
            }
        }
        guard let answer else { return take(question: fragment.id, whole.bytes) }
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
    package mutating func take(_ received: FragmentsReceived, now: MonotonicTime) -> GroundEvent {
        guard !transfers.isEmpty, transfers[0].id == received.id else { return .nothing }
        transfers[0].acknowledge(received)
        let fraction = transfers[0].fraction
        if transfers[0].isDone {
            transfers.removeFirst()
            noteReceived(received.id, now: now)
        }
        return .progressed(id: received.id, fraction)
    }

    /// The companion refuses a large command.
    package mutating func take(refusal: TransferRefusal, of id: UInt64) -> GroundEvent {
        guard transfers.contains(where: { $0.id == id }) else { return .nothing }
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
    ///
    /// - Returns: the frame's length, and the command and sequence number unless it is a query.
    mutating func seal(
        _ index: Int, with cipher: FrameCipher, resendAfter: Duration, into buffer: UnsafeMutableRawBufferPointer,
        now: MonotonicTime
    ) -> (length: Int, command: (id: UInt64, sequence: UInt64)?) {
        waiting[index].noteSent(now: now, resendAfter: resendAfter, isReliable: isReliable)
        let entry = waiting[index]
        if entry.isReceived {
            let length = cipher.seal(into: buffer) { writer in
                writer.put(FrameKind.commandQuery)
                writer.put(entry.id)
            }
            return (length, nil)
        }
        let sequence = cipher.nextSequence
        let length = cipher.seal(into: buffer) { entry.write(&$0, now: now) }
        return (length, (entry.id, sequence))
    }

    /// Seals the acknowledgement of received fragments; 0 when none is due.
    mutating func sealReceipt(with cipher: FrameCipher, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard receiptIsDue, let incoming else { return 0 }
        receiptIsDue = false
        return cipher.seal(into: buffer) { incoming.state.write(&$0) }
    }

    /// Seals the refusal of a transfer that nobody waits for, or else the next fragment of a large command; 0 when none is due.
    mutating func sealTransfer(
        with cipher: FrameCipher, resendAfter: Duration, into buffer: UnsafeMutableRawBufferPointer, now: MonotonicTime
    ) -> Int {
        if let id = unwanted {
            unwanted = nil
            return cipher.seal(into: buffer) { writer in
                writer.put(FrameKind.fragmentRefused)
                writer.put(id)
                writer.put(TransferRefusal.unwanted.rawValue)
            }
        }
        guard !transfers.isEmpty, let index = transfers[0].fragment(now: now, resendAfter: bulkResend(resendAfter))
        else {
            return 0
        }
        return cipher.seal(into: buffer) { transfers[0].write(index, &$0) }
    }
}
