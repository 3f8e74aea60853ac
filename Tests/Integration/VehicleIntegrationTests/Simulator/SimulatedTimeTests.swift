import IntegrationKit
import MRS
import Testing
import UAVLink

/// A vehicle on simulated time, as the real flight stack's simulator: its clock is close to the wall clock, but behind it.
@Suite(.serialized, .timeLimit(.minutes(MachinePace.minutes(2))))
struct SimulatedTimeTests {
    /// Connects to a vehicle and returns when the clock of its stamps is known.
    private func withLink(clockLag: Duration?, _ body: (ROSLink, StampClock) async throws -> Void) async throws {
        try await SimulatorFixture.run(clockLag: clockLag) { fixture in
            let link = try ROSLink(vehicle: "uav1", environment: fixture.environment)
            do {
                try await link.connect(within: .patient(seconds: 20))
                let isKnown = await eventually(within: .seconds(30)) {
                    guard let clock = link.latestTelemetry?.stampClock else { return false }
                    return clock.kind == .wall || clock.offset != nil
                }
                #expect(isKnown)
                try await body(link, try #require(link.latestTelemetry?.stampClock))
            } catch {
                await link.close()
                throw error
            }
            await link.close()
        }
    }

    @Test func `stamps of a clock that lags are known as such, and are not taken for ages`() async throws {
        try await withLink(clockLag: .milliseconds(740)) { link, clock in
            #expect(clock.kind == .simulated)
            // A busy machine lets it fall further behind.
            #expect((clock.offset ?? .zero) > .milliseconds(700), "\(clock)")
            var poses: Set<MonotonicTime> = []
            let areJudged = await eventually {
                if let at = link.latestTelemetry?.pose?.at, poses.insert(at).inserted {
                    #expect(link.stamp(ofPoseAt: at) == nil)
                }
                return poses.count >= 20
            }
            #expect(areJudged, "\(poses.count) poses")
            let age = try #require(link.latestTelemetry?.pose?.age(now: SystemMonotonicClock().now))
            #expect(age < .milliseconds(700) * MachinePace.factor, "an age counts from the receipt")
        }
    }

    @Test func `stamps of the wall clock are used`() async throws {
        try await withLink(clockLag: nil) { link, clock in
            #expect(clock == StampClock(.wall))
            let isStamped = await eventually {
                link.latestTelemetry?.pose.flatMap { link.stamp(ofPoseAt: $0.at) } != nil
            }
            #expect(isStamped)
        }
    }
}
