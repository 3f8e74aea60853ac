internal import ROSMessages
internal import Synchronization
internal import Zenoh

/// The last publications of a publisher, for those that subscribe later: what Zenoh's advanced publisher keeps.
///
/// Advanced subscribers ask for `KEY/@adv/**`; a token there announces the cache to those that are already there.
final class PublicationCache: Sendable {
    private struct Kept {
        let payload: [UInt8]
        let attachment: [UInt8]
        let timestamp: ZenohTimestamp
    }

    /// The most publications that are kept whatever the quality says.
    private static let maximumDepth: UInt64 = 1000

    private let depth: Int
    private let clock: ZenohID
    private let kept: Kepts
    private let declarations: [ZenohDeclaration]

    private final class Kepts: Sendable {
        let all = Mutex<[Kept]>([])
    }

    init(_ endpoint: Endpoint, depth: UInt64, zenoh: ZenohClient) throws(ROSError) {
        clock = zenoh.id
        self.depth = Int(min(max(depth, 1), Self.maximumDepth))
        let kept = Kepts()
        self.kept = kept
        let key = endpoint.key
        let place = "\(key)/@adv/pub/\(zenoh.id)/\(endpoint.number)/_"
        declarations = try throwingROSError { () throws(ZenohError) in
            [
                try zenoh.serve(place, isComplete: false) { query in
                    let wanted = Self.wanted(query.parameters)
                    for one in kept.all.withLock({ $0.suffix(wanted) }) {
                        query.reply(
                            key: key, payload: one.payload, attachment: one.attachment, timestamp: one.timestamp,
                            isLast: false)
                    }
                    query.finish()
                },
                try zenoh.declareToken(place),
            ]
        }
    }

    /// Keeps a publication.
    ///
    /// - Parameter nanoseconds: when it is published.
    /// - Returns: the timestamp that it is to have. Later than those before, since advanced subscribers take by it
    ///   what they have already.
    func keep(_ payload: [UInt8], attachment: [UInt8], at nanoseconds: Int64) -> ZenohTimestamp {
        let time = Self.fixedPoint(nanoseconds)
        return kept.all.withLock { all in
            let timestamp = ZenohTimestamp(time: max(time, (all.last?.timestamp.time ?? 0) &+ 1), clock: clock)
            // Copies: a second owner of the publisher's buffers would make each publication allocate.
            let one = Kept(payload: payload.map { $0 }, attachment: attachment.map { $0 }, timestamp: timestamp)
            if all.count >= depth { all.removeFirst(all.count - depth + 1) }
            all.append(one)
            return timestamp
        }
    }

    /// Seconds since 1970 with 32 bits behind the point.
    static func fixedPoint(_ nanoseconds: Int64) -> UInt64 {
        let (seconds, rest) = max(0, nanoseconds).quotientAndRemainder(dividingBy: 1_000_000_000)
        return UInt64(seconds) << 32 | (UInt64(rest) << 32) / 1_000_000_000
    }

    /// How many publications a query asks for.
    static func wanted(_ parameters: String) -> Int {
        for parameter in parameters.split(separator: ";") {
            let parts = parameter.split(separator: "=", maxSplits: 1)
            if parts.count == 2, parts[0] == "_max", let count = Int(parts[1]), count >= 0 { return count }
        }
        return .max
    }
}
