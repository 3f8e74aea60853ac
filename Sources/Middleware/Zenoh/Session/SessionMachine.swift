/// The session with a router as a value: bytes and the time go in, messages and bytes to be sent come out. The time is that
/// since any moment, always the same one.
///
/// ```
///             InitAck             OpenAck
///  greeting ----------> opening ----------> open       every error ends the session
///  (InitSyn sent)       (OpenSyn sent)
/// ```
package struct SessionMachine: Sendable {
    /// What this end wishes.
    package struct Settings: Sendable {
        /// Our identity.
        package var id: ZenohID
        /// How long the router waits for a sign of life from us.
        package var lease: Duration = .seconds(10)
        /// The most bytes of a batch.
        package var batchSize: UInt16 = .max
        /// The most bytes of a message in fragments, and of all that have begun.
        package var maximumMessageBytes = 64 << 20
        /// The first number of our frames.
        package var firstNumber: UInt32 = 0
        /// How long the router has for both of its answers.
        package var openTimeout: Duration = .seconds(10)

        /// Creates the usual settings.
        package init(id: ZenohID) { self.id = id }
    }

    /// What has happened.
    package enum Event: Sendable {
        /// The session is open; batches may have that many bytes.
        case opened(router: ZenohID, batchSize: Int)
        /// A network message. Its ranges refer to `bytes`, which must not be kept while the machine receives: it would
        /// copy them.
        case message(NetworkMessage, key: InboundKey?, bytes: [UInt8])
    }

    /// What is counted and joined apart: each priority, or all together when priorities were not agreed.
    private struct Conduit: Sendable {
        var reliable = SequenceNumber(next: 0)
        var bestEffort = SequenceNumber(next: 0)
        var reliableFragments = FragmentBuffer()
        var bestEffortFragments = FragmentBuffer()

        var held: Int { reliableFragments.count + bestEffortFragments.count }
    }

    private enum Phase {
        case greeting
        case opening(router: ZenohID, batchSize: Int)
        case open
    }

    private let settings: Settings
    private var phase = Phase.greeting
    private var assembler = BatchAssembler()
    /// The batch, or the message of fragments, that is being decoded.
    private var reader: ZenohReader?
    /// Network messages of a frame are being read; those of one that came before are discarded.
    private var isInFrame = false
    private var isRepeated = false
    /// One, or one for each priority.
    private var conduits = [Conduit()]
    private var aliases = AliasTable()
    /// Bytes; twice ROS's longest. A message of four bytes can name an alias: a longer one would be much work for little traffic.
    private static let longestAlias = 4096
    private var silenceEnds: Duration
    private var routerLease: Duration
    private var keepAliveDue: Duration?
    /// Bytes to be sent, in whole batches; the caller takes them after each call.
    private var output = ZenohWriter()
    /// Frames that came again or too late, which were discarded.
    package private(set) var repeatedFrames: UInt64 = 0

    /// Begins a session: the first message is to be sent.
    package init(_ settings: Settings, now: Duration) {
        self.settings = settings
        routerLease = settings.openTimeout
        silenceEnds = now + settings.openTimeout
        send { [settings] in $0.writeInitSyn(id: settings.id, batchSize: settings.batchSize) }
    }

    private mutating func send(_ encode: (inout ZenohWriter) -> Void) {
        let start = output.count
        output.writeUInt16(0)
        encode(&output)
        output.replaceUInt16(at: start, with: UInt16(clamping: output.count - start - 2))
    }

    /// The bytes to be sent now.
    package mutating func takeOutput() -> [UInt8] {
        defer { output.removeAll() }
        return output.bytes
    }

    /// Whether bytes are to be sent.
    package var hasOutput: Bool { output.count > 0 }

    // MARK: Time

    /// When ``deadlinePassed(now:)`` is due.
    package var deadline: Duration { min(silenceEnds, keepAliveDue ?? silenceEnds) }

    /// Sends a sign of life, or ends a session whose router gives none.
    ///
    /// - Throws: ``ZenohError`` with ``ZenohError/Code/timedOut`` or ``ZenohError/Code/connectionLost``.
    package mutating func deadlinePassed(now: Duration) throws(ZenohError) {
        guard now < silenceEnds else {
            guard case .open = phase else {
                throw ZenohError(
                    .timedOut, "the other end did not open a session within \(settings.openTimeout)",
                    hint: "is it a Zenoh router?")
            }
            throw ZenohError(.connectionLost, "no sign of life from the router for \(routerLease)")
        }
        guard let due = keepAliveDue, due <= now else { return }
        send { $0.writeKeepAlive() }
        keepAliveDue = now + settings.lease / 4
    }

    // MARK: Bytes

    /// Takes received bytes; ``next(now:)`` is to be called until it returns `nil`.
    package mutating func receive(_ bytes: UnsafeRawBufferPointer, now: Duration) {
        assembler.append(bytes)
        // While it opens, the time for both answers is one.
        if case .open = phase { silenceEnds = now + routerLease }
    }

    /// The next event; `nil` when more bytes are needed.
    ///
    /// - Throws: ``ZenohError`` when the session is over.
    package mutating func next(now: Duration) throws(ZenohError) -> Event? {
        while true {
            guard var current = reader else {
                guard let batch = assembler.next() else { return nil }
                reader = ZenohReader(assembler.storage, range: batch)
                isInFrame = false
                continue
            }
            guard let byte = current.next else {
                reader = nil
                continue
            }
            reader = nil
            if NetworkMessage.begins(with: byte) {
                guard isInFrame else {
                    throw ZenohError(.protocolViolation, "the router sent a message without a frame")
                }
                let message = try current.readNetworkMessage()
                reader = current
                guard !isRepeated, let event = try take(message, of: current.bytes) else { continue }
                return event
            }
            let message = try current.readTransportMessage()
            reader = current
            isInFrame = false
            if let event = try take(message, of: current.bytes, now: now) { return event }
        }
    }

    private mutating func take(
        _ message: TransportMessage, of bytes: [UInt8], now: Duration
    ) throws(ZenohError) -> Event? {
        switch (message, phase) {
        case (.initAck(let id, _, let hasPriorities, let resolution, let batchSize, let cookie), .greeting):
            guard resolution == TransportMessage.resolution else {
                throw ZenohError(.protocolViolation, "the router wants numbers of another size (\(resolution))")
            }
            guard Int(batchSize) >= BatchWriter.smallestBatch else {
                throw ZenohError(.protocolViolation, "the router wants batches of \(batchSize) bytes")
            }
            phase = .opening(router: id, batchSize: Int(min(batchSize, settings.batchSize)))
            if hasPriorities { conduits = ZenohPriority.allCases.map { _ in Conduit() } }
            let seconds = UInt32(clamping: settings.lease.components.seconds)
            let first = settings.firstNumber
            send { output in
                bytes[cookie].withUnsafeBytes {
                    output.writeOpenSyn(leaseSeconds: seconds, firstNumber: first, cookie: $0)
                }
            }
        case (.openAck(let lease, let firstNumber), .opening(let router, let batchSize)):
            guard lease > .zero else { throw ZenohError(.protocolViolation, "the router gives a lease of \(lease)") }
            phase = .open
            for place in conduits.indices {
                conduits[place].reliable = SequenceNumber(next: firstNumber)
                conduits[place].bestEffort = SequenceNumber(next: firstNumber)
            }
            // A day: so that no arithmetic overflows.
            routerLease = min(lease, .seconds(86_400))
            silenceEnds = now + routerLease
            keepAliveDue = now + settings.lease / 4
            return .opened(router: router, batchSize: batchSize)
        case (.close(let reason), _): throw Self.closed(reason)
        case (.keepAlive, .open), (.skipped, .open): break
        case (.frame(let isReliable, let priority, let number), .open):
            let place = try place(of: priority)
            isInFrame = true
            isRepeated = !accept(isReliable, number, in: place)
        case (.fragment(let fragment), .open):
            let place = try place(of: fragment.priority)
            guard accept(fragment.isReliable, fragment.number, in: place) else { break }
            guard let whole = try join(fragment, of: bytes, in: place) else { break }
            reader = ZenohReader(whole)
            isInFrame = true
            isRepeated = false
        default: throw ZenohError(.protocolViolation, "the router sent a message out of turn")
        }
        return nil
    }

    private func place(of priority: ZenohPriority) throws(ZenohError) -> Int {
        if conduits.count > 1 { return Int(priority.rawValue) }
        guard priority == .data else {
            throw ZenohError(.protocolViolation, "the router sends frames of several priorities, which was not agreed")
        }
        return 0
    }

    private mutating func accept(_ isReliable: Bool, _ number: UInt32, in place: Int) -> Bool {
        let isNew =
            isReliable ? conduits[place].reliable.accept(number) : conduits[place].bestEffort.accept(number)
        if !isNew { repeatedFrames &+= 1 }
        return isNew
    }

    private mutating func join(
        _ fragment: TransportMessage.Fragment, of bytes: [UInt8], in place: Int
    ) throws(ZenohError) -> [UInt8]? {
        // What was begun in the others counts too: sixteen channels must not multiply the bound.
        let room = settings.maximumMessageBytes - conduits.reduce(0) { $0 + $1.held }
        if fragment.isReliable {
            let own = conduits[place].reliableFragments.count
            return try conduits[place].reliableFragments.append(fragment, of: bytes, within: room + own)
        }
        let own = conduits[place].bestEffortFragments.count
        return try conduits[place].bestEffortFragments.append(fragment, of: bytes, within: room + own)
    }

    private static func closed(_ reason: UInt8) -> ZenohError {
        let texts = [
            "no reason given", "unsupported", "invalid message", "it has too many sessions", "it has too many links",
            "the lease has expired", "this end did not answer", "it is connected to itself",
        ]
        let text = texts.indices.contains(Int(reason)) ? texts[Int(reason)] : "reason \(reason)"
        return ZenohError(.refused, "the router has ended the session (\(text))")
    }

    // MARK: Keys

    /// An event of a message, with its key; `nil` when it only concerns aliases.
    private mutating func take(_ message: NetworkMessage, of bytes: [UInt8]) throws(ZenohError) -> Event? {
        let key: NetworkMessage.WireKey?
        switch message {
        case .push(let pushed, _, _): key = pushed
        case .request(let request): key = request.key
        case .response(_, let answered, _): key = answered
        case .declare(_, .alias(let id, let declared)):
            let text = try resolve(declared).text(in: bytes)
            guard !text.isEmpty, text.utf8.count <= Self.longestAlias else {
                throw ZenohError(.protocolViolation, "the router declared a key of \(text.utf8.count) bytes")
            }
            try aliases.declare(id, text)
            return nil
        case .declare(_, .undeclareAlias(let id)):
            aliases.undeclare(id)
            return nil
        case .declare(_, .token(_, let declared)): key = declared
        case .declare(_, .undeclareToken(_, let undeclared)): key = undeclared
        case .interest, .skipped, .declare(_, .subscriber), .declare(_, .queryable),
            .declare(_, .undeclareSubscriber), .declare(_, .undeclareQueryable):
            return nil
        case .declare(_, .final), .responseFinal: key = nil
        }
        return .message(message, key: try key.map { wire throws(ZenohError) in try resolve(wire) }, bytes: bytes)
    }

    private func resolve(_ key: NetworkMessage.WireKey) throws(ZenohError) -> InboundKey {
        guard key.alias != 0 else { return InboundKey(prefix: "", suffix: key.suffix) }
        // We declare none, so that an alias can only be one of the router's.
        guard key.isAliasOfSender, let prefix = aliases[key.alias] else {
            throw ZenohError(.protocolViolation, "the router used the alias \(key.alias), which was not declared")
        }
        return InboundKey(prefix: prefix, suffix: key.suffix)
    }
}
