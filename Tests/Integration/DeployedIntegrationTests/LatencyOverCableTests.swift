#if os(Linux)
    import FlightTestKit
    import Foundation
    import IntegrationKit
    import Testing

    /// The laboratory between two computers: their networks share nothing but a cable, and their programs nothing but the processors.
    @Suite(
        "Latency over a cable", .enabled(if: VehicleRoot.missing == nil, "\(VehicleRoot.missing ?? "")"),
        .serialized, .timeLimit(.minutes(MachinePace.minutes(3))))
    struct LatencyOverCableTests {
        private static let links = ["ssh-tunnel", "tcp", "udp"]
        private static let lossy = "delay=5ms,loss=5%"

        @Test func `links are measured over the cable as it is, and with packets lost in front of it`() async throws {
            try await RootedVehicle.with { vehicle in
                try vehicle.placeCompanion()
                let outcome = try await vehicle.uavlink(
                    "latency", "--links", Self.links.joined(separator: ","), "--for", "1s", "--impair", "none",
                    "--impair", Self.lossy, "--quiet", "--json", to: "placed")
                #expect(outcome.status == 0, "\(outcome)")
                let report = try json(outcome)
                let machine = try #require(report["machine"] as? [String: Any])
                #expect((machine["network device"] as? String)?.hasPrefix("near") == true, "\(machine)")
                let conditions = try #require(report["conditions"] as? [[String: Any]])
                #expect(conditions.compactMap { $0["emulation"] as? String } == ["none", "packets"])
                let offsets = try possibleOffsets(report)
                for condition in conditions { try check(condition, offsets) }
            }
        }

        /// Both ends read the clock of one kernel, each from the start of its process: what is between them is unknown and never
        /// changes. So it lies in what all exchanges of timestamps have in common.
        private func possibleOffsets(_ report: [String: Any]) throws -> ClosedRange<Double> {
            let exchanges = try #require(report["clock_exchanges"] as? [String: Any])
            let rows = try #require(exchanges["rows"] as? [[Double]])
            #expect(rows.count >= 20, "ten a second")
            let low = try #require(rows.map { $0[1] - $0[2] / 2 }.max())
            let high = try #require(rows.map { $0[1] + $0[2] / 2 }.min())
            // Within the rounding of half a nanosecond.
            try #require(low <= high + 1e-5, "no offset fits all exchanges: \(low) \(high)")
            return min(low, high)...high
        }

        private func check(_ condition: [String: Any], _ offsets: ClosedRange<Double>) throws {
            let isLossy = condition["impairment"] as? String == Self.lossy
            let links = try #require(condition["links"] as? [[String: Any]])
            #expect(links.compactMap { $0["link"] as? String } == Self.links)
            for link in links {
                let name = try #require(link["link"] as? String)
                #expect(link["failure"] is NSNull, "\(name): \(link["failure"] ?? "")")
                let command = try #require(link["command"] as? [String: Any])
                #expect(try number(command, "min_ms") >= (isLossy ? 10 : 0), "\(name): there and back")
                let steering = try #require(link["steering"] as? [String: Any])
                let clock = try #require(steering["clock"] as? [String: Any])
                #expect(clock["relation"] as? String == "measured", "\(name): \(clock)")
                let (bound, offset) = (try number(clock, "bound_ms"), try number(clock, "offset_ms"))
                let isTrue = offsets.lowerBound - bound...offsets.upperBound + bound ~= offset
                #expect(isTrue, "\(name): \(offset) ± \(bound), and it is in \(offsets)")
                #expect(try number(steering, "min_ms") >= (isLossy ? 5 : 0) - bound, "\(name)")
                let cost = try #require(link["cost"] as? [String: Any])
                #expect(try number(cost, "bytes_up") > 0, "\(name): \(cost)")
            }
        }

        private func number(_ object: [String: Any], _ key: String) throws -> Double {
            try #require(object[key] as? Double ?? (object[key] as? Int).map(Double.init), "\(key): \(object)")
        }
    }
#endif
