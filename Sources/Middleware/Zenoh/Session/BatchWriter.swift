/// Puts network messages into frames, frames into batches, and what does not fit a batch into fragments.
///
/// Messages of the same channel share a frame until ``finish()``. All frames have the priority of data, so that messages of
/// a channel stay in order; routers read each message's own priority. Its storage is kept, so that in the steady state
/// nothing is allocated.
package struct BatchWriter: Sendable {
    /// Whole batches with their lengths, ready to be written; complete after ``finish()``.
    package private(set) var output = ZenohWriter(reservingCapacity: 2048)
    private var message = ZenohWriter(reservingCapacity: 2048)
    private var reliable: SequenceNumber
    private var bestEffort: SequenceNumber
    private let batchSize: Int
    /// The open frame: where its batch begins in ``output``, and its channel.
    private var frame: (start: Int, isReliable: Bool)?

    /// The most bytes that a frame or fragment takes besides its messages: its kind, and its number of 28 bits.
    private static let headerSize = 5
    /// The smallest batch: a router that offers less would make a fragment of every few bytes.
    package static let smallestBatch = 128

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - batchSize: the most bytes of a batch, on which both ends agreed; at least ``smallestBatch``.
    ///   - firstNumber: that of the first frame of both channels.
    package init(batchSize: Int, firstNumber: UInt32) {
        self.batchSize = min(max(batchSize, Self.smallestBatch), Int(UInt16.max))
        reliable = SequenceNumber(next: firstNumber)
        bestEffort = SequenceNumber(next: firstNumber)
    }

    /// Appends one message.
    package mutating func append(isReliable: Bool, _ encode: (inout ZenohWriter) -> Void) {
        message.removeAll()
        encode(&message)
        if let open = frame {
            let used = output.count - open.start - 2
            if open.isReliable == isReliable, used + message.count <= batchSize { return place() }
            finish()
        }
        guard Self.headerSize + message.count <= batchSize else { return fragment(isReliable: isReliable) }
        frame = (output.count, isReliable)
        output.writeUInt16(0)
        output.writeFrame(isReliable: isReliable, number: number(isReliable))
        place()
    }

    private mutating func place() { message.bytes.withUnsafeBytes { output.writeRaw($0) } }

    private mutating func number(_ isReliable: Bool) -> UInt32 { isReliable ? reliable.take() : bestEffort.take() }

    private mutating func fragment(isReliable: Bool) {
        var done = 0
        while done < message.count {
            let size = min(message.count - done, batchSize - Self.headerSize)
            let start = output.count
            output.writeUInt16(0)
            output.writeFragment(
                isReliable: isReliable, number: number(isReliable), isFollowed: done + size < message.count)
            message.bytes.withUnsafeBytes {
                output.writeRaw(UnsafeRawBufferPointer(rebasing: $0[done..<done + size]))
            }
            close(start)
            done += size
        }
    }

    /// Completes the last batch.
    package mutating func finish() {
        guard let open = frame else { return }
        frame = nil
        close(open.start)
    }

    private mutating func close(_ start: Int) {
        output.replaceUInt16(at: start, with: UInt16(clamping: output.count - start - 2))
    }

    /// Forgets the batches that were written, and keeps the storage.
    package mutating func removeAll() {
        frame = nil
        output.removeAll()
    }
}
