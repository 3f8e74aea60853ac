#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import Statistics
internal import SystemIO
internal import UAVLink

/// The work of a relay's thread; used by that thread only.
final class RelayLoop {
    /// One client with its path to the target and back.
    private struct Flow {
        /// The socket of a stream's client; datagram clients share the front socket.
        var client: SocketHandle?
        var address: RelayAddress?
        var back: SocketHandle
        var up: ImpairedPath<SeededRandom>
        var down: ImpairedPath<SeededRandom>
        /// Bytes that have arrived and were not yet accepted by a stream's socket.
        var unsentUp: [UInt8] = []
        var unsentDown: [UInt8] = []
    }

    /// Maximum number of clients, more than any test or laboratory has; a further one replaces the oldest.
    private static let maximumFlows = 64
    /// Maximum number of bytes waiting for a socket; a stream with more is not read.
    private static let maximumUnsent = 64 * 1024
    /// The thread sleeps until this long before an arrival and then spins, to cover the kernel's wake-up latency.
    private static let early: Duration = .microseconds(120)

    private let isStream: Bool
    private let holdsLittle: Bool
    private let front: SocketHandle
    private let target: RelayAddress
    /// From where alone datagrams are taken.
    private let only: RelayAddress?
    private let waker: Waker
    private let clock = SystemMonotonicClock()
    private let start: MonotonicTime
    private let seed: UInt64
    private var flows: [Int: Flow] = [:]
    private var nextFlow = 0
    private var queue = RelayQueue()
    private var orders = ImpairedRelay.Orders()
    private var poller = Poller()
    private var buffer = [UInt8](repeating: 0, count: 65_536)

    init(
        isStream: Bool, holdsLittle: Bool, front: SocketHandle, target: RelayAddress, only: RelayAddress? = nil,
        seed: UInt64, waker: Waker
    ) {
        self.only = only
        self.isStream = isStream
        self.holdsLittle = holdsLittle
        self.front = front
        self.target = target
        self.seed = seed
        self.waker = waker
        start = clock.now
    }

    /// Applies orders, reads and delivers; returns false to end.
    func pass(_ given: inout ImpairedRelay.Orders) -> Bool {
        if given.stops { return false }
        if given.cuts { for flow in flows.keys { hangUp(flow) } }
        if given.roams, !isStream { for flow in flows.keys { renewBack(flow) } }
        given.cuts = false
        given.roams = false
        if given.changes != orders.changes {
            for flow in flows.keys {
                flows[flow]?.up.impairment = given.up
                flows[flow]?.down.impairment = given.down
            }
        }
        orders = given
        waker.clear()
        if isStream { acceptClients() } else { readDatagrams() }
        for flow in flows.keys { read(flow) }
        deliver()
        return true
    }

    func end() {
        for flow in flows.keys { hangUp(flow) }
    }

    /// Waits until a socket is readable or writable, or for the next arrival.
    func wait() {
        poller.reset()
        poller.add(waker.descriptor)
        if isStream || !orders.pausesReading { poller.add(front.descriptor) }
        for flow in flows.values {
            guard isStream else {
                poller.add(flow.back.descriptor)
                continue
            }
            if let client = flow.client { list(client, reading: mayReadUp(flow), writing: !flow.unsentDown.isEmpty) }
            list(flow.back, reading: mayReadDown(flow), writing: !flow.unsentUp.isEmpty)
        }
        // A dark stream keeps its queued data; orders wake the thread.
        let next = isStream && orders.isDark ? nil : queue.next
        guard let next else {
            poller.waitPrecisely(.milliseconds(50))
            return
        }
        let rest = next - clock.now - Self.early
        guard rest <= .zero else {
            poller.waitPrecisely(min(rest, .milliseconds(50)))
            return
        }
        while clock.now < next {}
    }

    /// One that is neither read nor written is left out: it would report the end of its connection again and again.
    private func list(_ socket: SocketHandle, reading: Bool, writing: Bool) {
        guard reading || writing else { return }
        poller.add(socket.descriptor, for: reading ? (writing ? [.readable, .writable] : .readable) : .writable)
    }

    private func mayReadUp(_ flow: Flow) -> Bool {
        !orders.pausesReading && !orders.isDark && flow.unsentUp.count < Self.maximumUnsent
            && !flow.up.isBacklogged(at: clock.now)
    }

    private func mayReadDown(_ flow: Flow) -> Bool {
        !orders.isDark && flow.unsentDown.count < Self.maximumUnsent && !flow.down.isBacklogged(at: clock.now)
    }

    // MARK: Clients

    private func add(client: SocketHandle?, address: RelayAddress?) -> Int? {
        guard let back = RelaySocket.connected(to: target, stream: isStream, holdsLittle: holdsLittle) else {
            return nil
        }
        if flows.count >= Self.maximumFlows, let oldest = flows.keys.min() { hangUp(oldest) }
        let number = nextFlow
        nextFlow += 1
        // Each direction of each client has its own random numbers, so that clients do not affect each other.
        let numbers = seed &+ UInt64(number) &* 2
        flows[number] = Flow(
            client: client, address: address, back: back,
            up: ImpairedPath(orders.up, start: start, random: SeededRandom(seed: numbers)),
            down: ImpairedPath(orders.down, start: start, random: SeededRandom(seed: numbers &+ 1)))
        return number
    }

    private func hangUp(_ number: Int) {
        guard flows.removeValue(forKey: number) != nil else { return }
        queue.forget(flow: number)
    }

    private func renewBack(_ number: Int) {
        guard flows[number] != nil, let back = RelaySocket.connected(to: target, stream: false) else { return }
        flows[number]?.back = back
    }

    private func acceptClients() {
        while let client = front.acceptPeer() {
            RelaySocket.prepareStream(client, holdsLittle: holdsLittle)
            _ = add(client: client, address: nil)
        }
    }

    private func flow(of address: sockaddr_in) -> Int? {
        let known = flows.first { entry in
            entry.value.address.map {
                $0.address.sin_port == address.sin_port && $0.address.sin_addr.s_addr == address.sin_addr.s_addr
            } ?? false
        }
        return known?.key ?? add(client: nil, address: RelayAddress(address))
    }

    // MARK: Reading

    private func readDatagrams() {
        while !orders.pausesReading {
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            var from = sockaddr_in()
            let count = withUnsafeMutablePointer(to: &from) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    recvfrom(front.descriptor, &buffer, buffer.count, 0, $0, &length)
                }
            }
            guard count >= 0 else { return }
            if let only, only.address.sin_addr.s_addr != from.sin_addr.s_addr { continue }
            guard let number = flow(of: from) else { continue }
            add(count, flow: number, isUp: true)
        }
    }

    private func read(_ number: Int) {
        guard let flow = flows[number] else { return }
        guard isStream else {
            while case let count = recv(flow.back.descriptor, &buffer, buffer.count, 0), count >= 0 {
                add(count, flow: number, isUp: false)
            }
            return
        }
        if let client = flow.client, mayReadUp(flow) { readStream(client, number, isUp: true) }
        if flows[number] != nil, mayReadDown(flow) { readStream(flow.back, number, isUp: false) }
    }

    private func readStream(_ socket: SocketHandle, _ number: Int, isUp: Bool) {
        let count = recv(socket.descriptor, &buffer, buffer.count, 0)
        if count > 0 {
            add(count, flow: number, isUp: isUp)
        } else if count == 0 || !RelaySocket.isBusy {
            hangUp(number)
        }
    }

    private func add(_ count: Int, flow number: Int, isUp: Bool) {
        let now = clock.now
        let bytes = Array(buffer[..<count])
        if isStream {
            let at =
                isUp
                ? flows[number]?.up.arrival(ofPiece: count, at: now)
                : flows[number]?.down.arrival(ofPiece: count, at: now)
            if let at { queue.add(bytes, at: at, flow: number, isUp: isUp) }
            return
        }
        let times =
            isUp
            ? flows[number]?.up.arrivals(ofDatagram: count, at: now)
            : flows[number]?.down.arrivals(ofDatagram: count, at: now)
        guard !orders.isDark else { return }
        for at in times ?? [] { queue.add(bytes, at: at, flow: number, isUp: isUp) }
    }

    // MARK: Passing on

    private func deliver() {
        guard !isStream || !orders.isDark else { return }
        while let packet = queue.pop(at: clock.now) {
            guard let flow = flows[packet.flow] else { continue }
            if isStream {
                if packet.isUp {
                    flows[packet.flow]?.unsentUp += packet.bytes
                } else {
                    flows[packet.flow]?.unsentDown += packet.bytes
                }
            } else if packet.isUp {
                _ = RelaySocket.send(packet.bytes[...], to: flow.back)
            } else {
                _ = RelaySocket.send(packet.bytes[...], to: front, address: flow.address)
            }
        }
        guard isStream else { return }
        for (number, flow) in flows {
            if !flow.unsentUp.isEmpty { flush(flow.unsentUp, to: flow.back, number) { $0.unsentUp = $1 } }
            guard let client = flow.client, !flow.unsentDown.isEmpty else { continue }
            flush(flow.unsentDown, to: client, number) { $0.unsentDown = $1 }
        }
    }

    private func flush(
        _ bytes: [UInt8], to socket: SocketHandle, _ number: Int, _ keep: (inout Flow, [UInt8]) -> Void
    ) {
        let count = RelaySocket.send(bytes[...], to: socket)
        guard count >= 0 else {
            if !RelaySocket.isBusy { hangUp(number) }
            return
        }
        if var flow = flows[number] {
            keep(&flow, Array(bytes[count...]))
            flows[number] = flow
        }
    }
}
