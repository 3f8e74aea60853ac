internal import UAVLink

/// The companion's transfers of a session: the large command that arrives, and the large answers that leave.
struct VehicleTransfers {
    private var command: IncomingTransfer?
    private var answers = OutgoingTransfers()
    private var refusal: (id: UInt64, reason: TransferRefusal)?

    /// Bytes held for the command.
    var bytesHeld: Int { command?.bytesHeld ?? 0 }

    // MARK: The command that arrives

    /// Stores a fragment; returns the transfer when it is complete. A newer command replaces an incomplete older one.
    ///
    /// - Parameter available: how many more bytes transfers may hold.
    mutating func take(_ fragment: Fragment, available: Int) -> CommandTransfer? {
        if command.map({ $0.id < fragment.id }) ?? true {
            guard fragment.total <= ChannelLimits.bulk else {
                refusal = (fragment.id, .tooLarge)
                return nil
            }
            command = IncomingTransfer(fragment)
        }
        guard command?.id == fragment.id else { return nil }
        guard available >= ChannelLimits.fragmentsInFlight * ChannelLimits.fragment || command?.isDone == true else {
            command?.freeBytes()
            refusal = (fragment.id, .memoryLimitReached)
            return nil
        }
        command?.take(fragment)
        return command?.takeWhole().map { CommandTransfer(id: fragment.id, bytes: $0) }
    }

    // MARK: Answers that leave

    /// Queues the answer to a command, unless it is queued already.
    mutating func send(answer bytes: [UInt8], to id: UInt64) {
        guard !answers.contains(id), let transfer = BulkSender(id: id, bytes: bytes) else { return }
        answers.add(transfer)
    }

    /// Processes an acknowledgement; returns the command whose answer the ground now has.
    mutating func acknowledge(_ received: FragmentsReceived) -> UInt64? {
        answers.acknowledge(received)?.isDone == true ? received.id : nil
    }

    /// Drops the answer to a command, which the ground does not want.
    mutating func forget(_ id: UInt64) { answers.remove(id) }

    /// The carrier was renewed: what was in flight on the old one is resent.
    mutating func carrierWasRenewed() { answers.resendAll() }

    func nextDeadline(resendAfter: @autoclosure () -> Duration?) -> MonotonicTime? {
        answers.nextDeadline(resendAfter: resendAfter())
    }

    // MARK: Frames out, each 0 when there is none

    mutating func nextReceipt(into buffer: UnsafeMutableRawBufferPointer, cipher: FrameCipher) -> Int {
        let receipt = command?.nextReceipt(into: buffer, cipher: cipher) ?? 0
        if receipt > 0 { return receipt }
        guard let (id, reason) = refusal else { return 0 }
        refusal = nil
        return cipher.seal(into: buffer) { reason.write(of: id, &$0) }
    }

    mutating func nextFragment(
        into buffer: UnsafeMutableRawBufferPointer, now: MonotonicTime, resendAfter: @autoclosure () -> Duration?,
        cipher: FrameCipher
    ) -> Int {
        answers.nextFragment(into: buffer, now: now, resendAfter: resendAfter(), cipher: cipher)
    }
}
