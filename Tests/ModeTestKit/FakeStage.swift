package import FlightControl
package import ModeKit
package import UAVTestKit
import VehicleAccess

/// A stage that writes down what it is asked.
@MainActor
package final class FakeStage: Stage {
    /// The modes that were to be opened.
    package private(set) var opened: [Mode] = []
    /// How often it was to go back.
    package private(set) var wentBack = 0
    /// How often the program was to be quit.
    package private(set) var quits = 0
    /// The notices, the newest last.
    package private(set) var notices: [Notice] = []

    /// A stage that was asked for nothing yet.
    package init() {}

    package func open(_ mode: Mode) { opened.append(mode) }
    package func goBack() { wentBack += 1 }
    package func quit() { quits += 1 }
    package func say(_ notice: Notice) { notices.append(notice) }
}

extension Fleet {
    /// A fleet with one vehicle on a fake link.
    package static func withFake(_ link: FakeLink, name: String = "local", timeSource: FakeTimeSource) -> Fleet {
        let fleet = Fleet(timeSource: timeSource)
        fleet.add(profile: VehicleProfile(name: name), link: link)
        return fleet
    }
}
