#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import Synchronization
internal import UAVLink

/// What a relay's thread does; only that thread touches it.
final class RelayLoop {
    private struct Packet {
        var at: MonotonicTime
        var isUp: Bool
        var bytes: [UInt8]
    }

    private let isStream: Bool
    private let front: Int32
    private let target: UInt16
    private let orders: RelayOrders
    private let clock = SystemMonotonicClock()
    private var random: SeededRandom
    private var client: Int32 = -1
    private var clientAddress = sockaddr_in()
    private var back: Int32 = -1
    private var packets: [Packet] = []
    private var room = [UInt8](repeating: 0, count: 4096)

    init(isStream: Bool, front: Int32, target: UInt16, seed: UInt64, orders: RelayOrders) {
        self.isStream = isStream
        self.front = front
        self.target = target
        self.orders = orders
        random = SeededRandom(seed: seed)
    }

    func run() {
        while orders.current.withLock({ pass(&$0) }) { wait() }
        hangUp()
        close(front)
    }

    /// Does what there is to do; false when it is to end.
    private func pass(_ orders: inout ImpairedRelay.Orders) -> Bool {
        if orders.stops { return false }
        if orders.cuts { hangUp() }
        if orders.roams, !isStream { renewBack() }
        orders.cuts = false
        orders.roams = false
        if isStream { acceptClient() }
        read(orders)
        deliver(orders)
        return true
    }

    /// A millisecond at most: fine enough for delays, and orders are heard soon.
    private func wait() {
        var entries = [pollfd(fd: front, events: Int16(POLLIN), revents: 0)]
        if back >= 0 { entries.append(pollfd(fd: back, events: Int16(POLLIN), revents: 0)) }
        poll(&entries, nfds_t(entries.count), 1)
    }

    private func hangUp() {
        if client >= 0 { close(client) }
        if back >= 0 { close(back) }
        client = -1
        back = -1
        packets = []
    }

    private func renewBack() {
        if back >= 0 { close(back) }
        back = RelaySocket.connected(to: target, stream: false)
    }

    private func acceptClient() {
        let descriptor = accept(front, nil, nil)
        guard descriptor >= 0 else { return }
        hangUp()
        RelaySocket.prepare(descriptor, stream: true)
        client = descriptor
        back = RelaySocket.connected(to: target, stream: true)
        if back < 0 { hangUp() }
    }

    private func read(_ orders: ImpairedRelay.Orders) {
        if isStream {
            if client >= 0, !orders.holdsUp, !orders.isDark { readStream(client, isUp: true, orders.up) }
            if back >= 0, !orders.isDark { readStream(back, isUp: false, orders.down) }
            return
        }
        if back < 0 { renewBack() }
        while !orders.holdsUp {
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            var from = sockaddr_in()
            let count = withUnsafeMutablePointer(to: &from) { pointer in
                recvfrom(
                    front, &room, room.count, 0,
                    UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: sockaddr.self), &length)
            }
            guard count >= 0 else { break }
            clientAddress = from
            queue(count, isUp: true, orders.up, isDark: orders.isDark)
        }
        while case let count = recv(back, &room, room.count, 0), count >= 0 {
            queue(count, isUp: false, orders.down, isDark: orders.isDark)
        }
    }

    private func readStream(_ descriptor: Int32, isUp: Bool, _ impairment: Impairment) {
        let count = recv(descriptor, &room, room.count, 0)
        if count > 0 {
            let last = packets.last { $0.isUp == isUp }?.at ?? MonotonicTime(nanoseconds: .min)
            let jitter = Int64.random(in: 0...max(0, impairment.jitter.nanoseconds), using: &random)
            let at = max(last, clock.now + impairment.delay + .nanoseconds(jitter))
            packets.append(Packet(at: at, isUp: isUp, bytes: Array(room[..<count])))
        } else if count == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != ENOTCONN) {
            hangUp()
        }
    }

    private func queue(_ count: Int, isUp: Bool, _ impairment: Impairment, isDark: Bool) {
        let times = impairment.arrivals(of: clock.now, random: &random)
        guard !isDark else { return }
        for at in times { packets.append(Packet(at: at, isUp: isUp, bytes: Array(room[..<count]))) }
    }

    private func deliver(_ orders: ImpairedRelay.Orders) {
        guard !isStream || !orders.isDark else { return }
        let now = clock.now
        let due = packets.filter { $0.at <= now }.sorted { $0.at < $1.at }
        guard !due.isEmpty else { return }
        packets.removeAll { $0.at <= now }
        for packet in due {
            if isStream {
                // The target always reads: what it does not take at once is a test that went wrong, and cut short.
                let descriptor = packet.isUp ? back : client
                if descriptor >= 0, write(descriptor, packet.bytes, packet.bytes.count) != packet.bytes.count {
                    hangUp()
                }
            } else if packet.isUp {
                _ = write(back, packet.bytes, packet.bytes.count)
            } else {
                _ = withUnsafePointer(to: clientAddress) { pointer in
                    sendto(
                        front, packet.bytes, packet.bytes.count, 0,
                        UnsafeRawPointer(pointer).assumingMemoryBound(to: sockaddr.self),
                        socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }
    }
}

/// Hands a loop to a thread of its own.
///
/// It is `@unchecked Sendable` because the loop is made by one thread and from then on used by the other only.
final class RelayThread: @unchecked Sendable {
    private let loop: RelayLoop

    init(_ loop: RelayLoop) { self.loop = loop }

    func start() -> Bool {
        let opaque = Unmanaged.passRetained(self).toOpaque()
        #if canImport(Glibc)
            var thread: pthread_t = 0
            let failed = pthread_create(&thread, nil, relayEntry, opaque) != 0
            if !failed { pthread_detach(thread) }
        #else
            var thread: pthread_t?
            let failed = pthread_create(&thread, nil, relayEntry, opaque) != 0
            if let thread, !failed { pthread_detach(thread) }
        #endif
        if failed { Unmanaged<RelayThread>.fromOpaque(opaque).release() }
        return !failed
    }

    fileprivate func run() { loop.run() }
}

private func relayEntry(_ opaque: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let opaque { Unmanaged<RelayThread>.fromOpaque(opaque).takeRetainedValue().run() }
    return nil
}
