import FlightControl
import MenuMode
import ModeKit
import ModeTestKit
import Testing
import UAVLink
import UAVTestKit
import VehicleAccess

/// The menu of a machine that is driven by text, and has no flight state.
@MainActor
@Suite("Menu of a robot") struct MenuRobotTests {
    private let timeSource = FakeTimeSource()

    private func interactor(_ link: FakeLink) -> MenuInteractor {
        MenuInteractor(fleet: .withFake(link, timeSource: timeSource), modes: [.joystick, .telemetry, .robot])
    }

    @Test func `the mode is listed for such a machine only`() {
        let link = FakeLink()
        let menu = interactor(link)
        #expect(menu.items.map(\.mode) == [.joystick, .telemetry])
        var robot = VehicleCapabilities(
            machine: "rover", commands: .hover, steering: .init(axes: [.forward, .turn], frames: .body),
            telemetry: .battery)
        robot.isDrivenByText = true
        link.vehicleCapabilities = robot
        #expect(menu.items.map(\.mode) == [.joystick, .telemetry, .robot])
        #expect(menu.items.map(\.obstacle) == ["rover has no flight state", nil, nil])
    }

    @Test func `of a machine that is reached directly the shell is this computer's, and it has no links to compare`() {
        func items(_ kind: LinkKind) -> [MenuItem] {
            MenuInteractor(
                fleet: .withFake(FakeLink(kind: kind), timeSource: timeSource), modes: [.terminal, .latencyLab]
            ).items
        }
        #expect(items(.direct).map(\.explanation).first == "a shell on this computer")
        #expect(items(.direct).last?.obstacle?.hasPrefix("it has no links to compare") == true)
        #expect(items(.udp).map(\.explanation).first == "a shell on the vehicle's computer")
        #expect(items(.udp).map(\.obstacle) == [nil, nil])
    }

    @Test func `what other machines lack for it has a name`() {
        #expect(VehicleCapabilities.mrs.lack(of: Mode.robot.requirement) == "MRS vehicle has no text commands")
        let both = Mode.robot.requirement.and(Mode.joystick.requirement)
        #expect(both.isDrivenByText && both.isSteered)
    }

    @Test func `flight plans are listed for a machine that flies them, and what the others lack has a name`() {
        let link = FakeLink()
        let menu = MenuInteractor(fleet: .withFake(link, timeSource: timeSource), modes: [.telemetry, .flightPlan])
        #expect(menu.items.map(\.mode) == [.telemetry])
        var drone = VehicleCapabilities(machine: "drone", commands: .land, steering: nil, telemetry: .battery)
        drone.fliesPlans = true
        link.vehicleCapabilities = drone
        #expect(menu.items.map(\.mode) == [.telemetry, .flightPlan] && menu.items.map(\.obstacle) == [nil, nil])
        #expect(VehicleCapabilities.mrs.lack(of: Mode.flightPlan.requirement) == "MRS vehicle has no flight plans")
        #expect(Mode.flightPlan.requirement.and(Mode.joystick.requirement).fliesPlans)
    }
}
