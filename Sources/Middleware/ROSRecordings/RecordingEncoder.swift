internal import MCAP
internal import ROS2
internal import ROSBag
package import ROSMessages

/// Encodes messages as a recording of either form. It returns bytes and does no file I/O.
///
/// All bytes are appended to the file in order, ``beginning`` first. An unfinished file is readable (``RecordingReader``).
package struct RecordingEncoder: Sendable {
    /// The bytes that finish a recording.
    package struct Ending: Sendable {
        /// The bytes to append.
        package let tail: [UInt8]
        /// The bytes that overwrite the beginning of the file; none in MCAP.
        package let head: [UInt8]
    }

    /// The form.
    package let format: RecordingFormat
    private let program: String
    private var bag = ROSBagEncoder()
    private var mcap: MCAPEncoder

    /// Creates an encoder of an empty recording.
    ///
    /// - Parameter program: the name of the program that records.
    package init(_ format: RecordingFormat, program: String) {
        self.format = format
        self.program = program
        mcap = MCAPEncoder(library: program, compression: .lz4)
    }

    /// The first bytes of the file.
    package var beginning: [UInt8] {
        switch format {
        case .bag: ROSBagEncoder.beginning
        case .mcap: mcap.beginning
        }
    }

    /// Adds a topic.
    ///
    /// - Returns: the topic's number, for ``message(on:at:_:)``.
    package mutating func topic<Message: RecordableMessage>(_ name: String, _ type: Message.Type) -> UInt32 {
        switch format {
        case .bag: bag.topic(name, type, caller: "/" + program)
        case .mcap: UInt32(mcap.channel(name, type))
        }
    }

    /// Adds a message.
    ///
    /// - Returns: the bytes to append to the file; empty until a chunk is full.
    package mutating func message(
        on topic: UInt32, at time: ROSTime, _ message: some RecordableMessage
    ) -> [UInt8] {
        switch format {
        case .bag: return bag.message(on: topic, at: time, message)
        case .mcap:
            let nanoseconds = UInt64(time.seconds) * 1_000_000_000 + UInt64(time.nanoseconds)
            return mcap.message(on: UInt16(clamping: topic), at: nanoseconds, message.cdr)
        }
    }

    /// Ends the current chunk, so that its messages are not lost when the program ends.
    ///
    /// - Returns: the bytes to append to the file.
    package mutating func endChunk() -> [UInt8] {
        switch format {
        case .bag: bag.endChunk()
        case .mcap: mcap.endChunk()
        }
    }

    /// Finishes the recording.
    package mutating func finish() -> Ending {
        switch format {
        case .bag:
            let ending = bag.finish()
            return Ending(tail: ending.tail, head: ending.head)
        case .mcap: return Ending(tail: mcap.finish(), head: [])
        }
    }
}
