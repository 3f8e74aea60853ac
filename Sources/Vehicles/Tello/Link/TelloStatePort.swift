internal import Synchronization
internal import SystemIO

/// The port of this computer to which drones send their state. Every drone knows the same one, so the links of a program share its
/// socket, and tell the drones apart by their addresses.
///
/// Whichever link's thread looks first reads for all of them. The port is open while a link has a ``Subscription``.
final class TelloStatePort: Sendable {
    /// Takes a datagram of a drone.
    typealias Taker = @Sendable (ArraySlice<UInt8>) -> Void

    /// The place of one link at the port, until it is released.
    final class Subscription: Sendable {
        /// The port, which is open as long as this exists.
        unowned let port: TelloStatePort
        private let drone: IPv4Address

        fileprivate init(_ port: TelloStatePort, _ drone: IPv4Address) { (self.port, self.drone) = (port, drone) }

        deinit { TelloStatePort.leave(port.number, drone) }
    }

    private struct Subscriber {
        let link: ObjectIdentifier
        /// How many subscriptions it has: one that connects twice at once has two.
        var count: Int
        let take: Taker
    }

    private let socket: DatagramSocket
    private let subscribers = Mutex<[IPv4Address: Subscriber]>([:])
    /// Held while datagrams are read and handed over: two threads that read would change their order.
    private let reading = Mutex<Void>(())

    /// Those that are open. A port is one for the whole process, whoever makes links in it.
    private static let open = Mutex<[UInt16: TelloStatePort]>([:])
    /// The most datagrams that are read at once: whoever floods the port does not keep steering from being sent.
    private static let mostAtOnce = 32

    private init(_ number: UInt16) throws(SocketError) {
        socket = try DatagramSocket(bound: .init(.any, port: number))
    }

    private var number: UInt16 { socket.port }

    /// The descriptor, for a ``SystemIO/Poller``.
    var descriptor: Int32 { socket.descriptor }

    /// Takes a place at a port, which is opened if it is not yet.
    ///
    /// - Parameters:
    ///   - drone: whose state is taken.
    ///   - link: who takes it.
    /// - Throws: ``SystemIO/SocketError`` if another program has the port, or another link of this one that drone.
    static func subscribe(
        to number: UInt16, of drone: IPv4Address, for link: AnyObject, _ take: @escaping Taker
    ) throws(SocketError) -> Subscription {
        try open.withLock { ports throws(SocketError) in
            let port: TelloStatePort
            if let present = ports[number] { port = present } else { port = try TelloStatePort(number) }
            try port.admit(Subscriber(link: ObjectIdentifier(link), count: 1, take: take), of: drone)
            ports[port.number] = port
            return Subscription(port, drone)
        }
    }

    private func admit(_ subscriber: Subscriber, of drone: IPv4Address) throws(SocketError) {
        try subscribers.withLock { subscribers throws(SocketError) in
            guard let present = subscribers[drone] else { return subscribers[drone] = subscriber }
            guard present.link == subscriber.link else {
                throw SocketError(
                    .systemFailure,
                    "another link of this program receives the state of \(drone) on UDP port \(number)")
            }
            subscribers[drone]?.count += 1
        }
    }

    /// Closes the port with its last subscription, before this returns: it can be opened again at once.
    private static func leave(_ number: UInt16, _ drone: IPv4Address) {
        open.withLock { ports in
            let isLast = ports[number]?.subscribers.withLock { subscribers in
                subscribers[drone]?.count -= 1
                if subscribers[drone]?.count == 0 { subscribers[drone] = nil }
                return subscribers.isEmpty
            }
            if isLast == true { ports[number] = nil }
        }
    }

    /// Reads what has come, and hands each datagram to the link of the drone that has sent it; what others send is dropped.
    func read(into buffer: inout [UInt8]) {
        reading.withLock { _ in
            for _ in 0..<Self.mostAtOnce {
                switch buffer.withUnsafeMutableBytes({ socket.receive(into: $0) }) {
                case .nothing: return
                case .failed: continue
                case .datagram(let count, let source):
                    let take = subscribers.withLock { $0[source.address]?.take }
                    take?(buffer.prefix(count))
                }
            }
        }
    }
}
