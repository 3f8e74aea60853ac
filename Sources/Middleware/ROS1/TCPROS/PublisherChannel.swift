internal import ROSMessages
internal import Synchronization
internal import SystemIO

/// One published topic: the publishing thread writes messages directly to every subscriber's socket.
///
/// In the steady state it allocates nothing: the writer keeps its storage, and bytes are copied only for a subscriber
/// whose socket buffer is full.
final class PublisherChannel: Sendable {
    /// A subscriber's socket.
    final class Subscriber: Sendable {
        let socket: SocketHandle
        let node: String
        /// Whether bytes are queued for the socket; the I/O thread then writes them.
        let isBacklogged = Atomic(false)
        fileprivate let id: Int

        fileprivate init(socket: SocketHandle, node: String, id: Int) {
            self.socket = socket
            self.node = node
            self.id = id
        }
    }

    private struct Outgoing {
        let subscriber: Subscriber
        /// The message being written, possibly in part; it must be completed before any other.
        var begun: [UInt8] = []
        var begunSent = 0
        /// The messages queued after it, oldest first.
        var queue: [[UInt8]] = []
        var isBroken = false
    }

    private struct State {
        var writer = ROSWriter(reservingCapacity: 512)
        var subscribers: [Outgoing] = []
        var latched: [UInt8] = []
        var hasLatched = false
        var nextID = 0
        var isClosed = false
        var sent: UInt64 = 0
        var dropped: UInt64 = 0
    }

    let topic: String
    let type: String
    let md5: String
    let definition: String
    let isLatching: Bool
    private let queueLimit: Int
    private let loop: EventLoop
    private let state = Mutex(State())

    init(
        topic: String, type: String, md5: String, definition: String, isLatching: Bool, queueLimit: Int, loop: EventLoop
    ) {
        self.topic = topic
        self.type = type
        self.md5 = md5
        self.definition = definition
        self.isLatching = isLatching
        self.queueLimit = max(1, queueLimit)
        self.loop = loop
    }

    // MARK: Any thread

    var subscriberCount: Int { state.withLock { $0.subscribers.count } }

    /// Messages accepted, counted once per subscriber, and messages dropped because a subscriber did not keep up.
    var counts: (sent: UInt64, dropped: UInt64) { state.withLock { ($0.sent, $0.dropped) } }

    var subscriberNodes: [String] { state.withLock { $0.subscribers.map(\.subscriber.node) } }

    /// - Parameter write: appends the message with its length prefix.
    func publish(_ write: (inout ROSWriter) -> Void) {
        let needsLoop = state.withLock { state -> Bool in
            guard !state.isClosed, isLatching || !state.subscribers.isEmpty else { return false }
            state.writer.removeAll()
            write(&state.writer)
            if isLatching {
                state.latched = state.writer.bytes
                state.hasLatched = true
            }
            var needsLoop = false
            for index in state.subscribers.indices {
                let (waits, dropped) = state.writer.withBytes { bytes in
                    Self.send(bytes, to: &state.subscribers[index], limit: queueLimit)
                }
                needsLoop = needsLoop || waits
                state.sent &+= 1
                state.dropped &+= dropped
            }
            return needsLoop
        }
        if needsLoop { loop.wake() }
    }

    /// Writes or queues a message; returns whether the I/O thread must be woken, and how many messages were dropped.
    private static func send(
        _ bytes: UnsafeRawBufferPointer, to outgoing: inout Outgoing, limit: Int
    ) -> (needsLoop: Bool, dropped: UInt64) {
        guard !outgoing.isBroken else { return (false, 0) }
        if outgoing.begun.isEmpty {
            switch outgoing.subscriber.socket.write(bytes) {
            case .moved(let count) where count == bytes.count: return (false, 0)
            case .moved(let count):
                outgoing.begun = Array(bytes)
                outgoing.begunSent = count
            case .wouldBlock: outgoing.begun = Array(bytes)
            case .ended, .failed:
                outgoing.isBroken = true
                return (true, 0)
            }
            outgoing.subscriber.isBacklogged.store(true, ordering: .releasing)
            return (true, 0)
        }
        // Buffer full: the oldest message that is not partly written is dropped.
        var dropped: UInt64 = 0
        if outgoing.queue.count >= limit {
            outgoing.queue.removeFirst()
            dropped = 1
        }
        outgoing.queue.append(Array(bytes))
        return (false, dropped)
    }

    // MARK: The I/O thread

    /// Adds a subscriber whose header was accepted; sends our header and the latched message.
    func add(_ socket: SocketHandle, node: String, greeting: [UInt8]) -> Subscriber? {
        state.withLock { state in
            guard !state.isClosed else { return nil }
            state.nextID += 1
            let subscriber = Subscriber(socket: socket, node: node, id: state.nextID)
            var outgoing = Outgoing(subscriber: subscriber)
            let first = state.hasLatched ? greeting + state.latched : greeting
            _ = first.withUnsafeBytes { Self.send($0, to: &outgoing, limit: queueLimit) }
            state.subscribers.append(outgoing)
            return subscriber
        }
    }

    /// Writes queued bytes; `false` when the connection is broken.
    func flush(_ subscriber: Subscriber) -> Bool {
        state.withLock { state in
            guard let index = state.subscribers.firstIndex(where: { $0.subscriber === subscriber }) else {
                return false
            }
            while !state.subscribers[index].isBroken, !state.subscribers[index].begun.isEmpty {
                let outgoing = state.subscribers[index]
                let outcome = outgoing.begun.withUnsafeBytes {
                    subscriber.socket.write(UnsafeRawBufferPointer(rebasing: $0[outgoing.begunSent...]))
                }
                switch outcome {
                case .moved(let count):
                    state.subscribers[index].begunSent += count
                    guard state.subscribers[index].begunSent == outgoing.begun.count else { return true }
                    state.subscribers[index].begunSent = 0
                    state.subscribers[index].begun =
                        outgoing.queue.isEmpty ? [] : state.subscribers[index].queue.removeFirst()
                case .wouldBlock: return true
                case .ended, .failed: state.subscribers[index].isBroken = true
                }
            }
            if !state.subscribers[index].isBroken { subscriber.isBacklogged.store(false, ordering: .releasing) }
            return !state.subscribers[index].isBroken
        }
    }

    /// Removes a subscriber.
    func remove(_ subscriber: Subscriber) {
        state.withLock { state in state.subscribers.removeAll { $0.subscriber === subscriber } }
    }

    /// Removes all subscribers and accepts no more messages.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.subscribers = []
        }
    }

    var isClosed: Bool { state.withLock { $0.isClosed } }
}

/// Serves a subscriber's socket on the I/O thread: writes queued bytes and detects the end of the connection.
final class PublisherLink: LoopHandler {
    private let channel: PublisherChannel
    private let subscriber: PublisherChannel.Subscriber
    private let onEnd: () -> Void
    private(set) var isFinished = false

    init(channel: PublisherChannel, subscriber: PublisherChannel.Subscriber, onEnd: @escaping () -> Void) {
        self.channel = channel
        self.subscriber = subscriber
        self.onEnd = onEnd
    }

    var descriptor: Int32 { subscriber.socket.descriptor }
    var owner: AnyObject? { subscriber.socket }
    var interest: Readiness {
        subscriber.isBacklogged.load(ordering: .acquiring) ? .bothWays : .readable
    }
    var deadline: ContinuousClock.Instant? { nil }

    func ready(_ readiness: Readiness, on loop: LoopCore) {
        if readiness.contains(.writable), !channel.flush(subscriber) { return end() }
        guard !readiness.isDisjoint(with: .arrival) else { return }
        // A subscriber sends nothing after its header; anything received is discarded.
        switch subscriber.socket.read(into: loop.readBuffer) {
        case .moved, .wouldBlock: break
        case .ended, .failed: end()
        }
    }

    func deadlinePassed(on loop: LoopCore) {}
    func loopWillStop(on loop: LoopCore) { end() }

    /// Closes the connection.
    func end() {
        guard !isFinished else { return }
        isFinished = true
        channel.remove(subscriber)
        onEnd()
    }
}
