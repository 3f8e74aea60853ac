import Testing
import UAVLink

@testable import JoystickMode

/// How long it is told why steering ended.
@Suite struct EndingNewsTests {
    private let end = MonotonicTime(nanoseconds: 1_000_000_000)

    private func telemetry(_ state: FlightState, hasGoal: Bool, at time: MonotonicTime) -> Telemetry {
        var telemetry = Telemetry(vehicle: "uav1")
        telemetry.flight = Sample(
            FlightStatus(state: state, isArmed: true, isOffboard: true, isOutputEnabled: true, isFlyingNormally: true),
            at: time)
        telemetry.tracker = Sample(
            TrackerStatus(tracker: "MpcTracker", controller: "", takesReferences: true, hasGoal: hasGoal), at: time)
        return telemetry
    }

    @Test func `a goto makes it old, and it does not come back after the arrival`() {
        var news = EndingNews(at: end, state: .flying)
        func isStale(after seconds: Double, hasGoal: Bool) -> Bool {
            let now = end + .seconds(seconds)
            return news.isStale(.terminalSilent, knowing: telemetry(.flying, hasGoal: hasGoal, at: now), now: now)
        }
        let isStale = [(4.0, true), (6, false), (7, true), (20, false)].map { isStale(after: $0.0, hasGoal: $0.1) }
        #expect(isStale == [false, false, true, true])
    }

    @Test func `another state of the vehicle makes it old, and nothing does that is not known`() {
        var (landed, silent) = (EndingNews(at: end, state: .flying), EndingNews(at: end, state: .flying))
        let now = end + .seconds(6)
        let isOld = landed.isStale(.hover, knowing: telemetry(.landing, hasGoal: false, at: now), now: now)
        let isOldUnknown = silent.isStale(.hover, knowing: nil, now: now)
        #expect(isOld && !isOldUnknown)
    }
}
