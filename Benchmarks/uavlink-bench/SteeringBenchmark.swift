import Foundation
import IntegrationKit

/// 1000 setpoints a second over UDP to the socket of a ROS subscriber, with a raw UDP round trip beside it.
enum SteeringBenchmark {
    static let period = Duration.milliseconds(1)

    static func run(_ setting: Setting) async throws -> [Section] {
        try await withCrew { crew in
            let vehicle = try await SteeredVehicle(setting, crew, countsAllocations: false)
            return [try await latency(setting, crew, vehicle)]
        } + [
            try await withCrew { crew in
                try await allocations(setting, crew, try await SteeredVehicle(setting, crew, countsAllocations: true))
            }
        ]
    }

    private static func latency(_ setting: Setting, _ crew: Crew, _ vehicle: SteeredVehicle) async throws -> Section {
        var section = Section(
            key: "steering", title: "Steering over UDP, from `steer` to the bytes at a ROS subscriber's socket")
        let raw = try await crew.peer(
            "raw UDP", [setting.peers + "/udp_round_trip", "108"], environment: Setting.environment)
        // Warm: every path has been taken, every buffer has its size.
        _ = try await vehicle.steer(1000, every: period, beside: raw)
        let count = setting.amount(60_000, quick: 10_000)
        let (flight, rawLatencies) = try await vehicle.steer(count, every: period, beside: raw)
        let (alone, _) = try await vehicle.steer(setting.amount(10_000, quick: 3000), every: period, beside: nil)
        let rawAlone = try await raw.run(setting.amount(10_000, quick: 3000), every: period)
        let ours = Latencies(nanoseconds: flight.latencies)
        let theirs = Latencies(nanoseconds: rawLatencies)
        section.notes = [
            "uavlink-companion has two subscribers: the one that is measured, and uavlink-sim",
            "\(count) setpoints, one a millisecond; a raw UDP round trip of as many bytes half a millisecond after each",
            "arrived \(flight.arrived) of \(count), \(flight.missed) missed, \(flight.doubled) twice, "
                + "\(flight.outOfOrder) out of order, \(flight.failures) refused by the link",
        ]
        section.add("steering", "uavlink, steer to subscriber", ours)
        section.add("raw_udp", "raw UDP round trip in C", theirs)
        section.add("steering_alone", "uavlink, nothing beside it", Latencies(nanoseconds: alone.latencies))
        section.add("raw_udp_alone", "raw UDP, nothing beside it", Latencies(nanoseconds: rawAlone))
        section.figures = [
            Figure(name: "setpoints missed", value: Double(flight.missed), unit: "of \(count)", limit: .atMost(0)),
            Figure(
                name: "setpoints that came twice", value: Double(flight.doubled), unit: "of \(count)", limit: .atMost(0)
            ),
            Figure(
                name: "median against raw UDP", value: ours.median / theirs.median, unit: "times", limit: .atMost(4)),
            Figure(
                name: "p99.9 against raw UDP", value: ours.percentile(99.9) / theirs.percentile(99.9), unit: "times",
                limit: .atMost(6)),
        ]
        return section
    }

    /// In a run of its own, since counting costs time.
    private static func allocations(_ setting: Setting, _ crew: Crew, _ vehicle: SteeredVehicle) async throws -> Section
    {
        var section = Section(key: "allocations", title: "Heap allocations per setpoint in the steady state")
        let seconds = setting.amount(10, quick: 4)
        let (ground, companion) = try await vehicle.allocations(over: seconds, every: period)
        // At the ground one thread does nothing but steer. At the companion one thread takes the datagrams, and sends
        // telemetry as well, which is not counted here: only what lies between a datagram and the next look for one.
        guard let steering = ground.max(by: { $0.sent < $1.sent }),
            let taking = companion.max(by: { $0.received < $1.received }),
            steering.sent > seconds * 900, taking.received > seconds * 900
        else { throw ProcessFailure("the threads that steer were not found among those counted") }
        section.notes = [
            "counted in \(seconds) s in the middle of a run at 1000 setpoints a second, every call of malloc and its kin",
            "ground, the thread that steers: \(steering.allocations) with \(steering.sent) setpoints sent",
            "companion, the thread that takes them: \(taking.allocationsForReceived) with \(taking.received) datagrams "
                + "taken, \(taking.allocations) with all else it does",
        ]
        section.figures = [
            Figure(
                name: "ground: heap allocations", value: Double(steering.allocations), unit: "for \(steering.sent)",
                limit: .atMost(0)),
            Figure(
                name: "companion: heap allocations", value: Double(taking.allocationsForReceived),
                unit: "for \(taking.received)", limit: .atMost(0)),
        ]
        return section
    }
}

/// What became of a run of setpoints.
struct SteeredFlight: Sendable {
    var latencies: [Int64] = []
    var arrived = 0
    var missed = 0
    var doubled = 0
    var outOfOrder = 0
    var failures = 0

    /// - Parameters:
    ///   - called: when each setpoint was given to `steer`, the first being number 1.
    ///   - records: when which number arrived, in the order of arrival.
    init(called: [Int64], records: [(at: Int64, number: Int64)], failures: Int) {
        self.failures = failures
        var times = [Int](repeating: 0, count: called.count)
        var last: Int64 = 0
        for record in records where record.number > 0 {
            let index = Int(record.number) - 1
            guard called.indices.contains(index) else { continue }
            times[index] += 1
            if record.number < last { outOfOrder += 1 }
            last = record.number
            if times[index] == 1 { latencies.append(record.at - called[index]) }
        }
        arrived = times.count { $0 > 0 }
        missed = called.count - arrived
        doubled = times.count { $0 > 1 }
    }
}
