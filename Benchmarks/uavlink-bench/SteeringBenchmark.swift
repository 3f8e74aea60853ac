import BenchmarkKit
import Foundation
import IntegrationKit
import Statistics

/// 1000 setpoints a second over UDP to the socket of a ROS subscriber, with a raw UDP round trip beside it.
enum SteeringBenchmark {
    static let period = Duration.milliseconds(1)

    static func run(_ setting: Setting) async throws -> [Section] {
        [
            try await latency(setting),
            try await withCrew { crew in
                try await allocations(setting, crew, try await SteeredVehicle(setting, crew, countsAllocations: true))
            },
        ]
    }

    /// Every run has a vehicle, a companion and a ground of its own. Setpoints and round trips take turns each millisecond; what
    /// each takes alone is measured afterwards, whose order alternates.
    private static func latency(_ setting: Setting) async throws -> Section {
        var section = Section(
            key: "steering",
            title: "Steering over UDP, from the intended instant to the bytes at a ROS subscriber's socket")
        // A run is as long as its p99.9 takes.
        let (count, alone) = (setting.amount(6000, quick: 3000), 1000)
        var (flights, raws): ([SteeredFlight], [Timings]) = ([], [])
        var (flightsAlone, rawsAlone): ([SteeredFlight], [Timings]) = ([], [])
        for run in 0..<setting.runs {
            try await withCrew { crew in
                let vehicle = try await SteeredVehicle(setting, crew, countsAllocations: false)
                let raw = try await crew.peer(
                    "raw UDP", [setting.peers + "/udp_round_trip", "108"], environment: Setting.environment)
                // Warm: every path has been taken, every buffer has its size.
                _ = try await vehicle.steer(1000, every: period, beside: raw)
                let (flight, timings) = try await vehicle.steer(count, every: period, beside: raw)
                flights.append(flight)
                raws.append(timings)
                for isRaw in run % 2 == 0 ? [false, true] : [true, false] {
                    if isRaw {
                        rawsAlone.append(try await raw.run(alone, every: period))
                    } else {
                        flightsAlone.append(try await vehicle.steer(alone, every: period, beside: nil).0)
                    }
                }
            }
        }
        func sum(_ value: (SteeredFlight) -> Int) -> Int { flights.reduce(0) { $0 + value($1) } }
        let total = count * flights.count
        section.notes = [
            "uavlink-companion has two subscribers: the one that is measured, and uavlink-sim",
            "\(flights.count) runs with a vehicle, companion, ground and echo of their own, in each \(count) setpoints, one a "
                + "millisecond; a raw UDP round trip of as many bytes half a millisecond after each",
            "arrived \(sum(\.arrived)) of \(total), \(sum(\.missed)) missed, \(sum(\.doubled)) twice, "
                + "\(sum(\.outOfOrder)) out of order, \(sum(\.failures)) refused by the link",
        ]
        section.rows = [
            .init("steering", "uavlink, steer to subscriber", RunSeries(flights.map(\.timings))),
            .init("raw_udp", "raw UDP round trip in C", RunSeries(raws)),
            .init("steering_alone", "uavlink, nothing beside it", RunSeries(flightsAlone.map(\.timings))),
            .init("raw_udp_alone", "raw UDP, nothing beside it", RunSeries(rawsAlone)),
        ]
        let (ours, theirs) = (section.series("steering"), section.series("raw_udp"))
        section.figures = [
            Figure(name: "setpoints missed", value: Double(sum(\.missed)), unit: "of \(total)", limit: .atMost(0)),
            Figure(
                name: "setpoints that came twice", value: Double(sum(\.doubled)), unit: "of \(total)", limit: .atMost(0)
            ),
            Figure("median against raw UDP", ours, over: theirs, at: .p50, limit: .atMost(4)),
            Figure("p99.9 against raw UDP", ours, over: theirs, at: .p999, limit: .atMost(6)),
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
