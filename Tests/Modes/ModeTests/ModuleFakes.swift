import FlightControl
import ModeKit
import UAVLink
import UAVTestKit
import VehicleAccess

/// A stage that writes down what it is asked.
@MainActor
final class FakeStage: Stage {
    var opened: [Mode] = []
    var wentBack = 0
    var quits = 0
    var notices: [Notice] = []

    func open(_ mode: Mode) { opened.append(mode) }
    func goBack() { wentBack += 1 }
    func quit() { quits += 1 }
    func say(_ notice: Notice) { notices.append(notice) }
}

/// A pacemaker on a clock that a test moves.
final class ManualPacemaker: Pacemaker {
    let fake = FakeClock()
    var clock: any MonotonicClock { fake }

    /// How many pauses are under way.
    var pauses: Int { fake.sleeperCount }

    func pause(_ duration: Duration) async -> Bool {
        do {
            try await fake.sleep(for: duration)
            return true
        } catch {
            return false
        }
    }

    /// Lets the time pass, and what that wakes run.
    @MainActor
    func beat(_ duration: Duration = .milliseconds(200)) async {
        await fake.run(for: duration)
    }
}

extension Fleet {
    /// A fleet with one vehicle on a fake link.
    static func withFake(_ link: FakeLink, name: String = "local") -> Fleet {
        let fleet = Fleet()
        fleet.add(profile: VehicleProfile(name: name), link: link)
        return fleet
    }
}
