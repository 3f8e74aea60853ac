internal import UAVLink

/// A ground's transfers in a session: the large commands that leave, and the large answer that arrives.
struct GroundTransfers {
    /// The result of a fragment.
    enum Arrival {
        /// No call waits for it: it will be refused.
        case unwanted
        /// The share of the answer received without a gap, 0 to 1.
        case partial(Double)
        case whole([UInt8])
    }

    private var commands = OutgoingTransfers()
    private var answer: IncomingTransfer?
    /// The transfer to be refused.
    private var unwanted: UInt64?

    /// Queues a command.
    mutating func send(_ command: BulkSender) { commands.add(command) }

    /// Whether that command has not arrived yet.
    func isSending(_ id: UInt64) -> Bool { commands.contains(id) }

    /// Drops what belongs to a request: its caller no longer waits.
    mutating func forget(_ id: UInt64) {
        commands.remove(id)
        // The partial answer is useless; the companion gets a refusal when more fragments arrive.
        if let partial = answer, partial.id == id, !partial.isDone { answer = nil }
    }

    /// The carrier was renewed: what was in flight on the old one is resent.
    mutating func carrierWasRenewed() { commands.resendAll() }

    /// Processes an acknowledgement of a command; see ``OutgoingTransfers/acknowledge(_:)``.
    mutating func acknowledge(_ received: FragmentsReceived) -> (fraction: Double, isDone: Bool)? {
        commands.acknowledge(received)
    }

    /// Stores a fragment of an answer.
    ///
    /// - Parameter largest: the most bytes that the answer may have; `nil` if no call waits for it.
    /// - Throws: ``WireError`` if the answer is larger.
    mutating func take(_ fragment: Fragment, largest: Int?) throws(WireError) -> Arrival {
        if answer?.id != fragment.id || answer?.isDone == false {
            guard let largest else {
                unwanted = fragment.id
                return .unwanted
            }
            guard fragment.total <= largest else { throw .invalid }
            if answer?.id != fragment.id { answer = IncomingTransfer(fragment) }
        }
        answer?.take(fragment)
        if let whole = answer?.takeWhole() { return .whole(whole) }
        return .partial(answer?.fraction ?? 0)
    }

    func nextDeadline(resendAfter: @autoclosure () -> Duration?) -> MonotonicTime? {
        commands.nextDeadline(resendAfter: resendAfter())
    }

    // MARK: Frames out, each 0 when there is none

    mutating func nextReceipt(into buffer: UnsafeMutableRawBufferPointer, cipher: FrameCipher) -> Int {
        answer?.nextReceipt(into: buffer, cipher: cipher) ?? 0
    }

    /// The refusal of a transfer that no call waits for, or else the next fragment of a command.
    mutating func nextFrame(
        into buffer: UnsafeMutableRawBufferPointer, now: MonotonicTime, resendAfter: @autoclosure () -> Duration?,
        cipher: FrameCipher
    ) -> Int {
        if let id = unwanted {
            unwanted = nil
            return cipher.seal(into: buffer) { TransferRefusal.unwanted.write(of: id, &$0) }
        }
        return commands.nextFragment(into: buffer, now: now, resendAfter: resendAfter(), cipher: cipher)
    }
}
