internal import UAVLink

/// The transfers that one end of a session sends: the first is in flight, the others wait for it.
struct OutgoingTransfers {
    private var queue: [BulkSender] = []

    /// Queues a transfer.
    mutating func add(_ transfer: BulkSender) { queue.append(transfer) }

    func contains(_ id: UInt64) -> Bool { queue.contains { $0.id == id } }

    mutating func remove(_ id: UInt64) { queue.removeAll { $0.id == id } }

    /// Processes an acknowledgement; a transfer that has arrived is removed.
    ///
    /// - Returns: the share that has arrived, 0 to 1; `nil` if that transfer is not in flight.
    mutating func acknowledge(_ received: FragmentsReceived) -> (fraction: Double, isDone: Bool)? {
        guard !queue.isEmpty, queue[0].id == received.id else { return nil }
        queue[0].acknowledge(received)
        let progress = (fraction: queue[0].fraction, isDone: queue[0].isDone)
        if progress.isDone { queue.removeFirst() }
        return progress
    }

    /// The carrier was renewed: what was in flight on the old one is resent.
    mutating func resendAll() {
        for index in queue.indices { queue[index].resendAll() }
    }

    /// When a fragment may be due; `nil` when nothing waits for time.
    ///
    /// - Parameter resendAfter: `nil` when the carrier itself retransmits.
    func nextDeadline(resendAfter: @autoclosure () -> Duration?) -> MonotonicTime? {
        guard let transfer = queue.first else { return nil }
        return transfer.deadline(resendAfter: resendAfter())
    }

    /// Seals the fragment that is due and returns the frame's length; 0 when none is due.
    mutating func nextFragment(
        into buffer: UnsafeMutableRawBufferPointer, now: MonotonicTime, resendAfter: @autoclosure () -> Duration?,
        cipher: FrameCipher
    ) -> Int {
        guard !queue.isEmpty, let index = queue[0].fragment(now: now, resendAfter: resendAfter()) else { return 0 }
        return cipher.seal(into: buffer) { queue[0].write(index, &$0) }
    }
}
