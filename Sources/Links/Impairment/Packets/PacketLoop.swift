internal import Statistics
internal import SystemIO
internal import UAVLink

/// The work of a packet network's thread; used by that thread only.
final class PacketLoop {
    /// The devices: one that both directions pass through, or the ends of a network between two.
    enum Devices: Sendable {
        case one(PacketDevice, PacketAddresses)
        case two(near: PacketDevice, far: PacketDevice)
    }

    /// How often it is looked whether a device is still there.
    private static let checkPeriod: Duration = .milliseconds(100)
    /// The most packets that are read, and that are handed on, in one pass: whoever floods the device keeps neither the
    /// others from being handed on in time, nor an order from being obeyed.
    private static let mostAtOnce = 64

    private let devices: Devices
    private let waker: Waker
    private let clock = SystemMonotonicClock()
    private var up: ImpairedPath<SeededRandom>
    private var down: ImpairedPath<SeededRandom>
    private var queue = RelayQueue()
    private var changes: UInt64 = 0
    private var isDark = false
    private var counts = PacketNetwork.Counts()
    private var poller = Poller()
    private var buffer = [UInt8](repeating: 0, count: PacketDevice.longest)
    private var checkedAt: MonotonicTime

    init(_ devices: Devices, seed: UInt64, waker: Waker) {
        (self.devices, self.waker) = (devices, waker)
        let start = clock.now
        checkedAt = start
        up = ImpairedPath(start: start, random: SeededRandom(seed: seed &* 2))
        down = ImpairedPath(start: start, random: SeededRandom(seed: seed &* 2 &+ 1))
    }

    /// Applies orders and carries what is due; returns false to end.
    func pass(_ orders: inout PacketNetwork.Orders) -> Bool {
        guard !orders.stops, orders.failure == nil else { return false }
        if orders.changes != changes {
            (up.impairment, down.impairment, changes) = (orders.up, orders.down, orders.changes)
        }
        isDark = orders.isDark
        waker.clear()
        do throws(PacketNetworkError) {
            try check()
            try read()
            try deliver()
        } catch {
            orders.failure = error.what
        }
        orders.counts = counts
        return orders.failure == nil
    }

    /// Waits for a packet or for the next arrival, to some ten microseconds. It does not spin: it shares the processors with what
    /// is measured.
    func wait() {
        poller.reset()
        poller.add(waker.descriptor)
        switch devices {
        case .one(let device, _): poller.add(device.descriptor)
        case .two(let near, let far):
            poller.add(near.descriptor)
            poller.add(far.descriptor)
        }
        let rest = queue.next.map { $0 - clock.now } ?? Self.checkPeriod
        if rest > .zero { poller.waitPrecisely(min(rest, Self.checkPeriod)) }
    }

    private func check() throws(PacketNetworkError) {
        let now = clock.now
        guard now - checkedAt >= Self.checkPeriod else { return }
        checkedAt = now
        // Between two networks a device is not to be found by its name; there, reading and writing tell.
        if case .one(let device, _) = devices, let reason = device.whyDown() { throw PacketNetworkError(reason) }
    }

    private func read() throws(PacketNetworkError) {
        switch devices {
        case .one(let device, let addresses):
            for _ in 0..<Self.mostAtOnce {
                guard let count = try device.read(into: &buffer) else { break }
                var packet = Array(buffer[..<count])
                if let isUp = addresses.translate(&packet) { add(packet, isUp: isUp) }
            }
        case .two(let near, let far):
            for _ in 0..<Self.mostAtOnce {
                guard let count = try near.read(into: &buffer) else { break }
                add(Array(buffer[..<count]), isUp: true)
            }
            for _ in 0..<Self.mostAtOnce {
                guard let count = try far.read(into: &buffer) else { break }
                add(Array(buffer[..<count]), isUp: false)
            }
        }
    }

    private func add(_ packet: [UInt8], isUp: Bool) {
        let now = clock.now
        let times =
            isUp ? up.arrivals(ofDatagram: packet.count, at: now) : down.arrivals(ofDatagram: packet.count, at: now)
        guard !isDark, !times.isEmpty else {
            counts.lost += 1
            return
        }
        for at in times { queue.add(packet, at: at, flow: 0, isUp: isUp) }
    }

    private func deliver() throws(PacketNetworkError) {
        for _ in 0..<Self.mostAtOnce {
            guard let packet = queue.pop(at: clock.now) else { return }
            let device: PacketDevice
            switch devices {
            case .one(let only, _): device = only
            case .two(let near, let far): device = packet.isUp ? far : near
            }
            guard try device.send(packet.bytes) else {
                counts.lost += 1
                continue
            }
            if packet.isUp {
                counts.packetsUp += 1
                counts.bytesUp += packet.bytes.count
            } else {
                counts.packetsDown += 1
                counts.bytesDown += packet.bytes.count
            }
        }
    }
}
