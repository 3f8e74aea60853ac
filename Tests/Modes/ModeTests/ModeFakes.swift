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

extension Fleet {
    /// A fleet with one vehicle on a fake link.
    static func withFake(_ link: FakeLink, name: String = "local", timeSource: FakeTimeSource) -> Fleet {
        let fleet = Fleet(timeSource: timeSource)
        fleet.add(profile: VehicleProfile(name: name), link: link)
        return fleet
    }
}
