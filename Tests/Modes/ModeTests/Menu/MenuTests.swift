import FlightControl
import MenuMode
import ModeKit
import Testing
import TextScreen
import UAVLink
import UAVTestKit
import VehicleAccess

/// The menu's screen as a test sees it.
@MainActor
private final class FakeMenuView: MenuView {
    var shown: MenuScreenState?
    /// A view holds its presenter, and nothing else does.
    var presenter: MenuPresenter?
    func show(_ state: MenuScreenState) { shown = state }
}

@MainActor
@Suite("Menu")
struct MenuTests {
    private let stage = FakeStage()
    private let timeSource = FakeTimeSource()

    private func build(_ fleet: Fleet, _ take: (MenuPresenter) -> Void = { _ in }) -> (ModeInstance, FakeMenuView) {
        let view = FakeMenuView()
        let builder = MenuBuilder(
            .init(fleet: fleet, modes: [.joystick, .telemetry, .terminal]))
        let module = builder.build(on: stage) { presenter in
            take(presenter)
            view.presenter = presenter
            return view
        }
        return (module, view)
    }

    @Test("Enter opens the chosen mode, a number its own, and the choice goes round")
    func opening() {
        var presenter: MenuPresenter?
        let (module, view) = build(.withFake(FakeLink(), timeSource: timeSource)) { presenter = $0 }
        presenter?.handle(.move(-1))
        #expect(view.shown?.selected == 2)
        presenter?.handle(.open)
        presenter?.handle(.openItem(0))
        presenter?.handle(.openItem(7))
        #expect(stage.opened == [.terminal, .joystick])
        module.detach()
    }

    @Test("a mode that the vehicle lacks something for says what, and does not open")
    func obstacles() async {
        let link = FakeLink()
        var presenter: MenuPresenter?
        let view = FakeMenuView()
        let builder = MenuBuilder(
            .init(
                fleet: .withFake(link, timeSource: timeSource),
                modes: [.joystick, .telemetry, .mapTrajectory, .indoor])
        )
        let module = builder.build(on: stage) { made in
            presenter = made
            view.presenter = made
            return view
        }
        #expect(view.shown?.items.compactMap(\.obstacle) == [])
        // What the vehicle can do may become known later.
        link.vehicleCapabilities = ToyVehicle.capabilities
        presenter?.look()
        let lack = "velocity toy has no trajectories, no position"
        #expect(view.shown?.items.map(\.obstacle) == [nil, nil, lack, lack])
        presenter?.handle(.openItem(2))
        #expect(stage.opened == [] && stage.notices.last?.text == "Map trajectory is not available: \(lack)")
        presenter?.handle(.openItem(0))
        #expect(stage.opened == [.joystick])
        link.vehicleCapabilities.steering = nil
        presenter?.look()
        #expect(view.shown?.items.first?.obstacle == "velocity toy has no steering")
        module.detach()
    }

    @Test("a detached menu is let go of, and its tasks end")
    func release() async {
        weak var presenter: MenuPresenter?
        weak var view: FakeMenuView?
        do {
            let (module, itsView) = build(.withFake(FakeLink(), timeSource: timeSource)) { presenter = $0 }
            view = itsView
            await timeSource.beat()
            #expect(presenter != nil)
            #expect(timeSource.pauses == 1)
            module.detach()
        }
        await settle()
        #expect(timeSource.pauses == 0)
        #expect(presenter == nil)
        #expect(view == nil)
    }

    @Test("a click opens an entry, the wheel moves, and everything else is left alone")
    func mouse() {
        var sent: [MenuIntent] = []
        let screen = MenuScreen { sent.append($0) }
        var state = MenuScreenState()
        state.items = [
            MenuItem(.joystick, title: "Joystick", explanation: "fly"),
            MenuItem(.telemetry, title: "Telemetry", explanation: "watch"),
        ]
        screen.show(state)
        let area = ScreenArea(row: 2, column: 0, rows: 20, columns: 80)
        screen.resize(to: area)
        var canvas = Canvas(ScreenSize(rows: 24, columns: 80))
        screen.draw(on: &canvas, in: area)
        func click(_ text: String, button: Int = 0) -> Bool {
            for (row, line) in canvas.lines.enumerated() {
                guard let place = line.firstRange(of: text)?.lowerBound else { continue }
                let column = line.distance(from: line.startIndex, to: place)
                return screen.handle(.mouse(MouseEvent(.press, button: button, row: row, column: column)))
            }
            return false
        }
        #expect(click("Telemetry") && sent == [.openItem(1)])
        #expect(click("fly") && sent == [.openItem(1), .openItem(0)])
        #expect(!click("What do you want") && !click("Telemetry", button: 2))
        #expect(!screen.handle(.mouse(MouseEvent(.press, row: 0, column: 0))))
        #expect(screen.handle(.mouse(MouseEvent(.wheelDown, row: 0, column: 0))) && sent.last == .move(1))
    }
}
