internal import MCAP
internal import ROS2
internal import ROSBag
package import ROSMessages

/// An incremental reader of the messages of a ROS 1 bag or an MCAP file, which its first byte tells apart; bytes may arrive in any
/// split.
package struct RecordingReader: Sendable {
    /// The form; `nil` before the first byte.
    package private(set) var format: RecordingFormat?
    private var bag = ROSBagReader()
    private var mcap = MCAPReader()
    /// The hashes of the types of channels.
    private var hashes: [UInt16: TypeHash?] = [:]

    package init() {}

    /// Whether the recording was ended properly, so that it has an index: known at its end.
    package var isFinished: Bool { format == .mcap ? mcap.isFinished : bag.hasIndex != false }

    /// Appends bytes of the file.
    package mutating func feed(_ bytes: some Collection<UInt8>) {
        if format == nil, let first = bytes.first { format = MCAPReader.mayBegin(with: first) ? .mcap : .bag }
        switch format {
        case .bag: bag.feed(bytes)
        case .mcap: mcap.feed(bytes)
        case nil: break
        }
    }

    /// The next message; `nil` when more bytes are needed.
    ///
    /// - Throws: `ROSError` with `badBag` and the byte offset in the file.
    package mutating func next() throws(ROSError) -> RecordedMessage? {
        if format == .mcap {
            guard let message = try mcap.next() else { return nil }
            return RecordedMessage(message, hash: hash(of: message.channel))
        }
        return try bag.next().map { RecordedMessage($0) }
    }

    /// Checks that the file ended at the end of a record.
    ///
    /// - Throws: `ROSError` with `badBag` when it is truncated; all messages from ``next()`` are valid.
    package func finish() throws(ROSError) {
        if format == .mcap { try mcap.finish() } else { try bag.finish() }
    }

    private mutating func hash(of channel: MCAPChannel) -> TypeHash? {
        if let known = hashes[channel.id] { return known }
        let hash = Self.hash(of: channel)
        hashes[channel.id] = .some(hash)
        return hash
    }

    /// As the recorder noted it, else that of the definition in the file.
    private static func hash(of channel: MCAPChannel) -> TypeHash? {
        guard channel.messageEncoding == "cdr", let schema = channel.schema else { return nil }
        if let noted = channel.metadata["topic_type_hash"].flatMap({ TypeHash($0) }) { return noted }
        guard schema.encoding == "ros2msg" else { return nil }
        let set = try? InterfaceSet(fullText: schema.text, typeName: schema.name)
        return try? set?.description(of: schema.name).hash
    }
}
