internal import Synchronization
internal import SystemIO
internal import Threads

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Connections of TCP that take as much of an impaired network as it gives them: what competes with a link for its bottleneck.
///
/// Both ends are on this computer. A thread writes whatever the senders accept and reads whatever arrives; congestion control is the
/// kernel's own, and fills the queue in front of the bottleneck as an upload does.
public final class CompetingTraffic: Sendable {
    private struct Orders: Sendable {
        var isOn = false
        var stops = false
        var bytes = 0
    }

    /// What the thread shares with the owner.
    private final class Shared: Sendable { let orders = Mutex(Orders()) }
    private let shared = Shared()
    private let waker: Waker

    /// Connects through a network. Nothing is sent before ``flow(_:)``.
    ///
    /// - Parameters:
    ///   - up: how many connections send towards the network's far side.
    ///   - down: how many send back from there.
    /// - Throws: ``PacketNetworkError`` if the system has no sockets or no thread for it.
    public init(through network: PacketNetwork, up: Int, down: Int) throws(PacketNetworkError) {
        guard let address = IPv4Address(network.address) else {
            throw PacketNetworkError("traffic competes only in a network in front of this computer")
        }
        let loop: CompetingLoop
        do throws(SocketError) {
            waker = try Waker()
            loop = try CompetingLoop(to: address, up: up, down: down, waker: waker)
        } catch {
            throw PacketNetworkError(error.what)
        }
        let (shared, passed) = (shared, Passed(loop))
        let hasStarted = DedicatedThread.start {
            let loop = passed.loop
            while true {
                let orders = shared.orders.withLock { $0 }
                if orders.stops { return }
                let moved = loop.pass(isOn: orders.isOn)
                if moved > 0 { shared.orders.withLock { $0.bytes += moved } }
            }
        }
        guard hasStarted else { throw PacketNetworkError("no thread for competing traffic") }
    }

    deinit { stop() }

    /// Sends from now on, or no more: what is on its way still arrives.
    public func flow(_ isOn: Bool) { order { $0.isOn = isOn } }

    /// How many bytes have arrived, both ways together.
    public var bytes: Int { shared.orders.withLock { $0.bytes } }

    /// Closes the connections.
    public func stop() { order { $0.stops = true } }

    private func order(_ change: (inout Orders) -> Void) {
        shared.orders.withLock { change(&$0) }
        waker.wake()
    }

    /// Hands the loop over to its thread: nobody else has it from then on, which the compiler cannot see of a class.
    private struct Passed: @unchecked Sendable {
        let loop: CompetingLoop
        init(_ loop: CompetingLoop) { self.loop = loop }
    }
}

/// The work of the thread; used by that thread only, once it is made.
private final class CompetingLoop {
    /// A listener whose accepted connections send (down), or receive (up).
    private struct Listener {
        let handle: SocketHandle
        let sends: Bool
    }

    private let waker: Waker
    private var listeners: [Listener] = []
    private var senders: [SocketHandle] = []
    private var receivers: [SocketHandle] = []
    private var poller = Poller()
    private var buffer = [UInt8](repeating: 0x55, count: 16_384)

    /// What waits unsent in a socket: when it is told to end, little more than the network's queue is on its way.
    private static let unsent: Int32 = 16_384
    /// The most chunks of a connection in one pass: the others, and orders, must not wait for it.
    private static let mostAtOnce = 8
    private static let longestWait: Duration = .milliseconds(200)

    init(to address: IPv4Address, up: Int, down: Int, waker: Waker) throws(SocketError) {
        self.waker = waker
        for (count, sends) in [(up, false), (down, true)] where count > 0 {
            let (handle, port) = try SocketHandle.listen(on: .loopback)
            listeners.append(Listener(handle: handle, sends: sends))
            for _ in 0..<count {
                let client = try SocketHandle.connect(to: address, port: port)
                add(client, sends: !sends)
            }
        }
    }

    private func add(_ handle: SocketHandle, sends: Bool) {
        if sends {
            handle.set(Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, Self.unsent)
            senders.append(handle)
        } else {
            receivers.append(handle)
        }
    }

    /// Waits for what can be done and does it; returns how many bytes have arrived.
    func pass(isOn: Bool) -> Int {
        poller.reset()
        poller.add(waker.descriptor)
        let listening = listeners.map { poller.add($0.handle.descriptor) }
        let reading = receivers.map { poller.add($0.descriptor) }
        let writing = isOn ? senders.map { poller.add($0.descriptor, for: .writable) } : []
        _ = poller.wait(Self.longestWait)
        waker.clear()
        var moved = 0
        var ended: Set<Int32> = []
        for (place, handle) in zip(reading, receivers) where poller.isReady(place) {
            take(from: handle, &moved, &ended)
        }
        for (place, handle) in zip(writing, senders) where poller.isReady(place) { give(to: handle, &ended) }
        receivers.removeAll { ended.contains($0.descriptor) }
        senders.removeAll { ended.contains($0.descriptor) }
        for (place, listener) in zip(listening, listeners) where poller.isReady(place) {
            if let accepted = listener.handle.acceptPeer() { add(accepted, sends: listener.sends) }
        }
        return moved
    }

    private func take(from handle: SocketHandle, _ moved: inout Int, _ ended: inout Set<Int32>) {
        for _ in 0..<Self.mostAtOnce {
            switch buffer.withUnsafeMutableBytes({ handle.read(into: $0) }) {
            case .moved(let count): moved += count
            case .wouldBlock: return
            case .ended, .failed:
                ended.insert(handle.descriptor)
                return
            }
        }
    }

    private func give(to handle: SocketHandle, _ ended: inout Set<Int32>) {
        for _ in 0..<Self.mostAtOnce {
            switch buffer.withUnsafeBytes({ handle.write($0) }) {
            case .moved: continue
            case .wouldBlock: return
            case .ended, .failed:
                ended.insert(handle.descriptor)
                return
            }
        }
    }
}
