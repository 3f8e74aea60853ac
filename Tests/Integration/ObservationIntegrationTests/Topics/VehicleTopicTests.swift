import FlightTestKit
import IntegrationKit
import MRS
import Testing
import UAVLink
import VehicleAccess

/// Rates and topics of the real servers, over each link.
@Suite(
    .enabled(if: FlightStack.missing == nil, "\(FlightStack.missing ?? "")"), .serialized, .oneFlightStack,
    .timeLimit(.minutes(MachinePace.minutes(5))))
struct VehicleTopicTests {
    @Test(arguments: [LinkKind.udp, .tcp, .ros])
    func `the rates of topics come to the ground, each with what is usual for it`(_ kind: LinkKind) async throws {
        let stack = try await sharedStack()
        try await stack.withLink(kind) { link in
            let isThere = await eventually(within: .seconds(40)) {
                let rates = link.latestTelemetry?.topicRates?.value ?? []
                return rates.count == VehicleTopic.sent.count
                    && rates.allSatisfy { $0.measuredHertz > 0 && $0.expectedHertz != nil }
            }
            let rates = try #require(link.latestTelemetry?.topicRates?.value)
            #expect(isThere, "\(rates)")
            // A busy machine makes the vehicle slower, and for a moment faster when it has made up for a pause: what counts is what
            // another node receives meanwhile.
            let witness = try await stack.witness()
            var patience = Patience(.seconds(30))
            while true {
                let (before, begun) = (try await witness.account(), ContinuousClock.now)
                try await Task.sleep(for: .seconds(1))
                let after = try await witness.account()
                let own = Double(after.odometry - before.odometry) / ((ContinuousClock.now - begun) / .seconds(1))
                let reported = Self.odometryHertz(link)
                if reported > own * 0.7, reported < min(own * 1.3, 130) { break }
                guard !patience.isOver() else {
                    throw ProcessFailure("\(reported) Hz, but the witness hears \(own) Hz")
                }
            }
        }
    }

    /// What a link tells of the odometry's rate.
    private static func odometryHertz(_ link: any UAVLink) -> Double {
        let rates = link.latestTelemetry?.topicRates?.value ?? []
        return Double(rates.first { $0.name == VehicleTopic.odometry.rawValue }?.measuredHertz ?? 0)
    }

    @Test func `over SSH the rates are those of what is read`() async throws {
        let stack = try await sharedStack()
        try await stack.withLink(.ssh) { link in
            #expect(
                await eventually(within: .seconds(60)) {
                    let rates = link.latestTelemetry?.topicRates?.value ?? []
                    return rates.map(\.name) == VehicleTopic.printable.map(\.rawValue)
                        && rates.allSatisfy { $0.measuredHertz > 0 }
                })
        }
    }

    @Test func `a topic is watched on the vehicle over SSH, and its program ends with it`() async throws {
        let stack = try await sharedStack()
        let connector = try stack.connector()
        let watch = connector.topicWatch(over: .udp)
        let published = try await watch.published(within: .patient(seconds: 30))
        #expect(published.contains { $0.name == "/uav1/hw_api/distance_sensor" && $0.type == "sensor_msgs/Range" })
        let lidar = try stack.master.python(TopicWatchTests.publisher)
        try await lidar.line(containing: "ready")
        let update = try await TopicWatchTests.hears(watch, "/uav1/lidar/scan", within: .seconds(60)) {
            if case .reading(let reading) = $0 { (reading.hertz ?? 0) > 10 } else { false }
        }
        await lidar.stop()
        guard case .reading(let reading) = update else { return }
        #expect(reading.type == "sensor_msgs/LaserScan")
        #expect(reading.fields.contains(TopicField(path: "ranges", value: "720 elements")))
        let nothing = try await TopicWatchTests.hears(watch, "/uav1/no/such", within: .seconds(60)) {
            if case .silent = $0 { true } else { false }
        }
        guard case .silent(let why, _) = nothing else { return }
        #expect(why.contains("no such topic is published"), "\(why)")
        await watch.close()
        // Its node has left the graph, so the program on the vehicle has ended.
        #expect(
            try await eventually(within: .seconds(30)) {
                try await !stack.master.tool("rosnode", "list").output.contains("uavlink_topics")
            })
        await connector.close()
    }
}
