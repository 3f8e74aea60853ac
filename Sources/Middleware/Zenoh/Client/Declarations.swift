/// What this client declares in each session, in the order of its making; used on the I/O thread only.
struct Declarations {
    struct Subscriber {
        let id: UInt32
        let key: String
        let isWild: Bool
        let deliver: @Sendable (ZenohSample) -> Void

        func matches(_ received: InboundKey, in bytes: [UInt8], isReceivedWild: Bool) -> Bool {
            if !isWild, !isReceivedWild { return received.isEqual(to: key, in: bytes) }
            return KeyExpression.intersect(key, received.text(in: bytes))
        }
    }

    struct Queryable {
        let id: UInt32
        let key: String
        let isComplete: Bool
        let answer: @Sendable (ZenohQuery) -> Void
    }

    struct Token {
        let id: UInt32
        let key: String
    }

    var subscribers: [Subscriber] = []
    var queryables: [Queryable] = []
    var tokens: [Token] = []
    var watches: [TokenWatch] = []

    /// Appends everything.
    ///
    /// - Parameter again: in a session in which it was declared before.
    func write(to writer: inout BatchWriter, again: Bool = false) {
        for token in tokens { writer.append(isReliable: true) { $0.writeToken(id: token.id, key: token.key) } }
        for queryable in queryables {
            writer.append(isReliable: true) {
                $0.writeQueryable(id: queryable.id, key: queryable.key, isComplete: queryable.isComplete)
            }
        }
        for subscriber in subscribers {
            writer.append(isReliable: true) { $0.writeSubscriber(id: subscriber.id, key: subscriber.key) }
        }
        for watch in watches {
            if again { writer.append(isReliable: true) { $0.writeInterestFinal(id: watch.id) } }
            writer.append(isReliable: true) { $0.writeTokenInterest(id: watch.id, key: watch.key, future: true) }
        }
    }
}

/// A watch of liveliness tokens; used on the I/O thread only.
struct TokenWatch {
    /// The most tokens of a watch: a ROS graph has some thousand.
    static let maximumTokens = 100_000
    /// The most bytes of their keys.
    static let maximumBytes = 32 << 20

    let id: UInt32
    let key: String
    let deliver: @Sendable (ZenohTokenChange) -> Void
    private var known: Set<String> = []
    /// Those of the last session that were not seen in this one; they are gone once the router has said all.
    private var doubtful: Set<String> = []
    private var bytes = 0

    init(id: UInt32, key: String, deliver: @escaping @Sendable (ZenohTokenChange) -> Void) {
        self.id = id
        self.key = key
        self.deliver = deliver
    }

    mutating func appeared(_ token: String) throws(ZenohError) {
        doubtful.remove(token)
        guard known.insert(token).inserted else { return }
        bytes += token.utf8.count
        guard known.count <= Self.maximumTokens, bytes <= Self.maximumBytes else {
            throw ZenohError(.tooLarge, "the router declared more than \(Self.maximumTokens) liveliness tokens")
        }
        deliver(.appeared(token))
    }

    mutating func vanished(_ token: String) {
        guard known.remove(token) != nil else { return }
        doubtful.remove(token)
        bytes -= token.utf8.count
        deliver(.vanished(token))
    }

    /// A session has ended, or it is begun anew: what exists is not known until the router says it.
    mutating func sessionEnded() { doubtful = known }

    /// The router has declared all that exists.
    mutating func allSaid() {
        for token in doubtful { vanished(token) }
        doubtful = []
    }
}

/// The tokens of a session that the router may withdraw by number.
struct RouterTokens {
    private var keys: [UInt32: String] = [:]
    private var bytes = 0

    mutating func declare(_ id: UInt32, _ key: String) throws(ZenohError) {
        bytes += key.utf8.count - (keys[id]?.utf8.count ?? 0)
        keys[id] = key
        guard keys.count <= TokenWatch.maximumTokens, bytes <= TokenWatch.maximumBytes else {
            throw ZenohError(.tooLarge, "the router declared more than \(TokenWatch.maximumTokens) liveliness tokens")
        }
    }

    mutating func undeclare(_ id: UInt32) -> String? {
        guard let key = keys.removeValue(forKey: id) else { return nil }
        bytes -= key.utf8.count
        return key
    }
}
