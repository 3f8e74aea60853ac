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
        var notices: [Notice] = []
        func open(_ mode: Mode) {}
        func goBack() {}
        func quit() {}
        func say(_ notice: Notice) { notices.append(notice) }
    }

    private final class NoControllers: Gamepads {
        let state = GamepadsState.none
        func close() {}
    }

    private let stage = QuietStage()
    private let timeSource = FakeTimeSource()
    private let fleet: Fleet

    init() { fleet = Fleet(timeSource: timeSource) }

    private func catalog() -> ModeCatalog {
        ModeCatalog(
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

    @Test func `in front of another vehicle a route that no file has stays, and it is said whose it is`() async throws {
        var catalog = catalog()
        let first = fleet.add(profile: VehicleProfile(name: "uav1"), link: FakeLink(clock: timeSource.fake))
        let map = catalog.make(.mapTrajectory, on: stage)
        let screen = try #require(map.view as? any Screen)
        screen.resize(to: ScreenArea(rows: 20, columns: 80))
        for key in [KeyEvent(.enter), .typed("5"), KeyEvent(.enter)] { #expect(screen.handle(.key(key))) }
        map.detach()
        await fleet.remove(first.id)
        var profile = VehicleProfile(name: "uav2")
        profile.vehicle = "uav2"
        fleet.add(profile: profile, link: FakeLink(clock: timeSource.fake))
        stage.notices = []
        catalog.make(.mapTrajectory, on: stage).detach()
        let said = stage.notices.first?.text ?? ""
        #expect(
            said.hasPrefix("this route was made with uav1, in its world, and no file has it: w writes it"), "\(said)")
        #expect(catalog.losses == ["the map's route of 1 point, not saved"])
    }
}
