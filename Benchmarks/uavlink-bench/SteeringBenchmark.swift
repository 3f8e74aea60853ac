import Foundation
import IntegrationKit
import UAVCore

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
        let count = seconds * 1000
        // The difference is what a setpoint costs; the rest is telemetry and the like, which comes at its own pace.
        let atRest = try await vehicle.allocations(over: seconds, every: .milliseconds(20))
        let steering = try await vehicle.allocations(over: seconds, every: period)
        section.notes.append("counted in \(seconds) s in the middle of a run, at 1000 setpoints a second and at 50")
        for ((end, busy), (_, slow)) in zip(steering, atRest) {
            let busyTotal = busy.reduce(0) { $0 + $1.allocations }
            let slowTotal = slow.reduce(0) { $0 + $1.allocations }
            for thread in busy {
                let rest = slow.first { $0.id == thread.id }?.allocations ?? 0
                section.notes.append("\(end), thread '\(thread.name)': \(thread.allocations) at 1000, \(rest) at 50")
            }
            let each = Double(busyTotal - slowTotal) / Double(count - seconds * 50)
            section.notes.append("\(end): \(busyTotal) allocations at 1000 a second, \(slowTotal) at 50")
            section.figures.append(
                Figure(
                    name: "\(end): heap allocations per setpoint", value: (max(0, each) * 1000).rounded() / 1000,
                    unit: "each", limit: .atMost(0)))
        }
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
