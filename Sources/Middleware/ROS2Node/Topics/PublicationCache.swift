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
    }

    /// The most publications that are kept whatever the quality says.
    private static let maximumDepth: UInt64 = 1000

    private let depth: Int
    private let kept: Kepts
    private let declarations: [ZenohDeclaration]

    private final class Kepts: Sendable {
        let all = Mutex<[Kept]>([])
    }

    init(_ endpoint: Endpoint, depth: UInt64, zenoh: ZenohClient) throws(ROSError) {
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
                        query.reply(key: key, payload: one.payload, attachment: one.attachment, isLast: false)
                    }
                    query.finish()
                },
                try zenoh.declareToken(place),
            ]
        }
    }

    func keep(_ payload: [UInt8], attachment: [UInt8]) {
        // Copies: a second owner of the publisher's buffers would make each publication allocate.
        let one = Kept(payload: payload.map { $0 }, attachment: attachment.map { $0 })
        kept.all.withLock { all in
            if all.count >= depth { all.removeFirst(all.count - depth + 1) }
            all.append(one)
        }
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
