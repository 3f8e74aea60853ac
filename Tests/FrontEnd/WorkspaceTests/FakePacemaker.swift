import UAVLink
import UAVTestKit

/// A pacemaker on a clock that a test moves.
final class FakePacemaker: Pacemaker {
    let fake = FakeClock()
    var clock: any MonotonicClock { fake }

    func pause(_ duration: Duration) async -> Bool { (try? await fake.sleep(for: duration)) != nil }
}
