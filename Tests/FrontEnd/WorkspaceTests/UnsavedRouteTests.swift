@testable import FlightControl
@testable import ModeKit
@testable import Workspace
import GameController
import LoginMode
import Testing
import TextScreen
import UAVTestKit
import VehicleAccess

/// What the program names as lost before it ends, from the modes that it really has.
@MainActor
@Suite("Unsaved routes")
struct UnsavedRouteTests {
    @MainActor
    private final class QuietStage: Stage {
        func open(_ mode: Mode) {}
        func goBack() {}
        func quit() {}
        func say(_ notice: Notice) {}
    }

    private final class NoControllers: Gamepads {
        let state = GamepadsState.none
        func close() {}
    }

    private let stage = QuietStage()

    private func catalog() -> ModeCatalog {
        let timeSource = FakeTimeSource()
        let fleet = Fleet(timeSource: timeSource)
        return ModeCatalog(
            .init(
                fleet: fleet, environment: [:],
                login: .init(
                    fleet: fleet, configuration: ConfigurationFile(path: "/dev/null", environment: [:]),
                    environment: [:]),
                abilities: TerminalAbilities(), makeGamepads: { NoControllers() }, timeSource: timeSource))
    }

    @Test func `a route that no file has is named until it is gone, also when another mode is open`() async throws {
        var catalog = catalog()
        let map = catalog.make(.mapTrajectory, on: stage)
        let screen = try #require(map.view as? any Screen)
        #expect(catalog.losses.isEmpty)
        func press(_ keys: KeyEvent...) {
            for key in keys {
                screen.resize(to: ScreenArea(rows: 20, columns: 80))
                #expect(screen.handle(.key(key)), "\(key)")
            }
        }
        // A waypoint at the cursor, 5 m high, and one to the right of it.
        press(KeyEvent(.enter), .typed("5"), KeyEvent(.enter))
        #expect(catalog.losses == ["the map's route of 1 point, not saved"])
        press(KeyEvent(.right), KeyEvent(.enter))
        map.detach()
        #expect(catalog.losses == ["the map's route of 2 points, not saved"])
        let again = catalog.make(.mapTrajectory, on: stage)
        let next = try #require(again.view as? any Screen)
        #expect(next.handle(.key(.typed("C"))))
        #expect(catalog.losses.isEmpty)
        again.detach()
    }
}
