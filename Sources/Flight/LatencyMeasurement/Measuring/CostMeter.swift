#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import Impairment
internal import Synchronization
internal import UAVLink
internal import VehicleAccess

/// What the links of a bench cost, turn by turn: one link has a turn at a time, so that what this process uses meanwhile is its cost.
/// That includes the schedule's last 200 us of busy-waiting before each setpoint, and the ten exchanges of timestamps a second.
actor CostMeter {
    private struct Sum {
        var seconds = 0.0
        var groundNanoseconds: Int64 = 0
        var groundWakeUps = 0
        var vehicle: LinkCost.Known<Int64>?
        var vehicleWaits: LinkCost.Known<Int64>?
        var traffic: LinkCost.Known<LinkCost.Traffic>?
    }

    private var sums: [MeasuredLink: Sum] = [:]
    /// The connections that were opened while a link was opened, or had its turn.
    private var owned: [MeasuredLink: Set<OwnConnections.Identity>] = [:]
    private var known: Set<OwnConnections.Identity> = []
    private let clock: any MonotonicClock
    private static let restarted = "what ran on the vehicle was started again"

    init(clock: any MonotonicClock) { self.clock = clock }

    /// A link is about to be opened: what is open already is not its own.
    func willOpen() { known.formUnion(OwnConnections.now.counts.keys) }

    /// A link has been opened.
    func didOpen(_ link: MeasuredLink) { claim(OwnConnections.now, for: link) }

    private func claim(_ open: OwnConnections, for link: MeasuredLink) {
        let new = Set(open.counts.keys).subtracting(known)
        owned[link, default: []].formUnion(new)
        known.formUnion(new)
    }

    /// A condition begins.
    func begin() { sums = [:] }

    /// Measures one turn. What asks the vehicle for its processor time lies before and after it.
    func measure(_ probe: any Probe, _ turn: @Sendable () async -> Void) async {
        let vehicle = await probe.vehicleUse()
        let (packets, counted, connections) = (probe.relays.counts, await probe.ownTraffic(), OwnConnections.now)
        let (began, own) = (clock.now, Self.usage)
        await turn()
        let (after, ended) = (Self.usage, clock.now)
        let later = OwnConnections.now
        claim(later, for: probe.link)
        let countedLater = await probe.ownTraffic()
        var sum = sums[probe.link] ?? Sum()
        sum.seconds += (ended - began).inSeconds
        sum.groundNanoseconds += after.nanoseconds - own.nanoseconds
        sum.groundWakeUps += after.wakeUps - own.wakeUps
        sum.traffic = Self.added(
            sum.traffic,
            Self.datagrams(packets == nil ? counted : nil, countedLater)
                ?? traffic(of: probe, packets, since: connections, now: later), +)
        let vehicleLater = await probe.vehicleUse()
        sum.vehicle = Self.added(sum.vehicle, Self.difference(vehicle.time, vehicleLater.time), +)
        sum.vehicleWaits = Self.added(sum.vehicleWaits, Self.waits(vehicle.waits, vehicleLater.waits), +)
        sums[probe.link] = sum
    }

    private func traffic(
        of probe: any Probe, _ packets: PacketNetwork.Counts?, since earlier: OwnConnections, now: OwnConnections
    ) -> LinkCost.Known<LinkCost.Traffic> {
        if let before = packets, let after = probe.relays.counts {
            return .value(
                .init(
                    packetsUp: after.packetsUp - before.packetsUp, bytesUp: after.bytesUp - before.bytesUp,
                    packetsDown: after.packetsDown - before.packetsDown,
                    bytesDown: after.bytesDown - before.bytesDown),
                of: "IP packets through the network that loses them")
        }
        guard let own = owned[probe.link], !own.isDisjoint(with: now.counts.keys) else {
            return .unknown("the system does not count what goes over a connection")
        }
        return .value(
            now.traffic(since: earlier, of: own), of: "TCP segments, and payload without headers and repetitions")
    }

    /// The datagrams between two counts; `nil` if they are not counted.
    static func datagrams(
        _ before: (connection: Int, traffic: LinkCost.Traffic)?, _ after: (connection: Int, traffic: LinkCost.Traffic)?
    ) -> LinkCost.Known<LinkCost.Traffic>? {
        guard let before else { return nil }
        guard let after, after.connection == before.connection else {
            return .unknown("the link was connected again in a turn")
        }
        return .value(after.traffic - before.traffic, of: "datagrams, without the headers of IP and UDP")
    }

    /// What it cost; `nil` if it had no turn.
    func cost(of link: MeasuredLink) -> LinkCost? {
        sums[link].map { sum in
            LinkCost(
                seconds: sum.seconds, groundNanoseconds: sum.groundNanoseconds, groundWakeUps: sum.groundWakeUps,
                vehicleNanoseconds: sum.vehicle ?? .unknown("not measured"),
                vehicleWakeUps: sum.vehicleWaits ?? .unknown("not measured"),
                traffic: sum.traffic ?? .unknown("not measured"))
        }
    }

    /// A sum with a part that is not known is not known.
    static func added<Value>(
        _ sum: LinkCost.Known<Value>?, _ part: LinkCost.Known<Value>, _ add: (Value, Value) -> Value
    ) -> LinkCost.Known<Value> {
        guard let sum, case .value(let one, _) = sum, case .value(let other, let text) = part else {
            if case .unknown? = sum { return sum ?? part }
            return part
        }
        return .value(add(one, other), of: text)
    }

    /// Between two readings of one counter; not known if either is not, or the process is another one.
    static func difference(
        _ before: LinkCost.Known<Int64>, _ after: LinkCost.Known<Int64>
    ) -> LinkCost.Known<Int64> {
        guard case .value(let one, _) = before, case .value(let other, let text) = after else {
            if case .unknown = before { return before }
            return after
        }
        return other >= one ? .value(other - one, of: text) : .unknown(restarted)
    }

    /// Between two readings, thread by thread.
    static func waits(
        _ before: LinkCost.Known<ThreadWaits>, _ after: LinkCost.Known<ThreadWaits>
    ) -> LinkCost.Known<Int64> {
        switch (before, after) {
        case (.value(let one, _), .value(let other, let text)):
            other.since(one).map { .value($0, of: text) } ?? .unknown(restarted)
        case (.unknown(let reason), _), (_, .unknown(let reason)): .unknown(reason)
        }
    }

    /// Processor time of this process until now, and how often it has waited.
    private static var usage: (nanoseconds: Int64, wakeUps: Int) {
        var usage = rusage()
        // RUSAGE_SELF, which is no number in every C library.
        getrusage(0, &usage)
        func nanoseconds(_ time: timeval) -> Int64 {
            Int64(clamping: time.tv_sec) &* 1_000_000_000 &+ Int64(clamping: time.tv_usec) &* 1000
        }
        return (nanoseconds(usage.ru_utime) &+ nanoseconds(usage.ru_stime), usage.ru_nvcsw)
    }
}
