import FlightControl
import Testing
import UAVLink
import UAVTestKit
import VehicleAccess

@testable import TelemetryMode

/// The rates of topics, judged against those of the vehicle's profile.
@MainActor
@Suite("Topic rates of a profile")
struct TelemetryRateTests {
    private let timeSource = FakeTimeSource()
    private let link = FakeLink()

    private func interactor(_ rates: [String: Double]) -> TelemetryInteractor {
        let fleet = Fleet(timeSource: timeSource)
        var profile = VehicleProfile(name: "local")
        profile.rates = rates
        fleet.add(profile: profile, link: link)
        let watch = FakeTopicWatch()
        return TelemetryInteractor(
            fleet: fleet, clock: timeSource.fake, desk: TelemetryStore(), makeWatch: { _ in watch })
    }

    /// What is shown of a rate that was measured at that second.
    private func condition(
        _ hertz: Double, at second: Int64, _ condition: TopicCondition = .unjudged, in interactor: TelemetryInteractor
    ) -> TopicCondition? {
        var telemetry = Telemetry(vehicle: "uav1")
        telemetry.topicRates = Sample(
            [TopicRate(name: "hw_api/gnss", measuredHertz: hertz, condition: condition)],
            at: MonotonicTime(nanoseconds: second * 1_000_000_000))
        link.publish(telemetry)
        _ = interactor.look()
        return interactor.rates.rates.first?.condition
    }

    @Test("a rate near the limit is not judged differently each time")
    func hysteresis() {
        let interactor = interactor(["hw_api/gnss": 10])
        let shown = [6.0, 4, 6, 6.9, 8, 6, 4.9].enumerated().map { second, hertz in
            condition(hertz, at: Int64(second), in: interactor)
        }
        #expect(shown == [.good, .slow, .slow, .slow, .good, .good, .slow])
        #expect(condition(6, at: 6, in: interactor) == .slow, "the same rates are not judged again")
        #expect(interactor.rates.rates.first?.isFromProfile == true)
    }

    @Test("without a rate in the profile the vehicle's own judgement is shown")
    func learned() {
        let interactor = interactor(["hw_api/status": 10])
        #expect(condition(6, at: 0, in: interactor) == .unjudged)
        #expect(condition(6, at: 1, .slow, in: interactor) == .slow)
        #expect(condition(6, at: 2, .good, in: interactor) == .good)
    }
}
