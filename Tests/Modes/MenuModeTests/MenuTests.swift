import FlightControl
import MenuMode
import ModeKit
import ModeTestKit
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
    private let losses = Losses()

    /// What a log-out would end.
    @MainActor
    private final class Losses { var all: [String] = [] }

    private func build(_ fleet: Fleet, _ take: (MenuPresenter) -> Void = { _ in }) -> (ModeInstance, FakeMenuView) {
        let view = FakeMenuView()
        let builder = MenuBuilder(
            .init(fleet: fleet, modes: [.joystick, .telemetry, .terminal], losses: { [losses] _ in losses.all }))
        let instance = builder.build(on: stage) { presenter in
            take(presenter)
            view.presenter = presenter
            return view
        }
        return (instance, view)
    }

    @Test("Enter opens the chosen mode, a number its own, and the choice goes round")
    func opening() {
        var presenter: MenuPresenter?
        let (instance, view) = build(.withFake(FakeLink(), timeSource: timeSource)) { presenter = $0 }
        presenter?.handle(.move(-1))
        #expect(view.shown?.selected == 2)
        presenter?.handle(.open)
        presenter?.handle(.openItem(0))
        presenter?.handle(.openItem(7))
        #expect(stage.opened == [.terminal, .joystick])
        instance.detach()
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
        let instance = builder.build(on: stage) { made in
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
        instance.detach()
    }

    @Test("a detached menu is let go of, and its tasks end")
    func release() async {
        weak var presenter: MenuPresenter?
        weak var view: FakeMenuView?
        do {
            let (instance, itsView) = build(.withFake(FakeLink(), timeSource: timeSource)) { presenter = $0 }
            view = itsView
            await timeSource.beat()
            #expect(presenter != nil)
            #expect(timeSource.pauses == 1)
            instance.detach()
        }
        await settle()
        #expect(timeSource.pauses == 0)
        #expect(presenter == nil)
        #expect(view == nil)
    }

    /// A vehicle that says what it does.
    private func link(_ state: FlightState) -> FakeLink {
        let link = FakeLink()
        link.setQuality(LinkQuality(isConnected: true))
        report(state, link)
        return link
    }

    private func report(_ state: FlightState, _ link: FakeLink) {
        var telemetry = Telemetry(vehicle: "uav1")
        telemetry.flight = Sample(
            FlightStatus(
                state: state, isArmed: state != .disarmed, isOffboard: true, isOutputEnabled: true,
                isFlyingNormally: state == .flying), at: timeSource.clock.now)
        link.publish(telemetry)
    }

    @Test func `in flight the log-out is not among the keys, since it is refused`() {
        for (state, isOffered) in [(FlightState.disarmed, true), (.unknown, true), (.flying, false), (.landing, false)]
        {
            let (instance, view) = build(.withFake(link(state), timeSource: timeSource))
            #expect(view.shown?.allowsLogOut == isOffered)
            let screen = MenuScreen { _ in }
            screen.show(view.shown ?? MenuScreenState())
            #expect(screen.keys.contains(KeyHelp("o", "log out")) == isOffered)
            instance.detach()
        }
    }

    @Test func `a vehicle that is flown by radio is in the air: it is not logged out of, and not to be taken off`() {
        let link = FakeLink()
        link.setQuality(LinkQuality(isConnected: true))
        var telemetry = Telemetry(vehicle: "uav1")
        let now = timeSource.clock.now
        telemetry.flight = Sample(
            FlightStatus(
                state: .armed, isArmed: true, isOffboard: false, isOutputEnabled: false, isFlyingNormally: false),
            at: now)
        telemetry.heightAboveGroundMetres = Sample(4, at: now)
        link.publish(telemetry)
        let (instance, view) = build(.withFake(link, timeSource: timeSource))
        #expect(view.shown?.advice?.contains("flown by radio") == true && view.shown?.allowsLogOut == false)
        view.presenter?.handle(.logOut)
        #expect(stage.notices.last?.text == "the vehicle is airborne; land before logging out")
        instance.detach()
    }

    @Test func `a log-out by which nothing is lost is not asked about`() async {
        let fleet = Fleet.withFake(link(.disarmed), timeSource: timeSource)
        let (instance, view) = build(fleet)
        view.presenter?.handle(.logOut)
        #expect(view.shown?.confirmation == nil)
        #expect(await becomesTrue { fleet.vehicles.isEmpty && stage.wentBack == 1 })
        instance.detach()
    }

    @Test func `a log-out that ends a shell or a recording is asked about, and names them`() async {
        let fleet = Fleet.withFake(link(.disarmed), timeSource: timeSource)
        losses.all = ["the open shell", "the recording to a.bag"]
        let (instance, view) = build(fleet)
        view.presenter?.handle(.logOut)
        #expect(view.shown?.confirmation?.title == "Log out of uav1?")
        #expect(
            view.shown?.confirmation?.findings.map(\.text)
                == ["Ends when you log out: the open shell, the recording to a.bag."])
        #expect(view.shown?.confirmation?.isDangerous == false)
        view.presenter?.handle(.decline)
        await settle()
        #expect(view.shown?.confirmation == nil && fleet.vehicles.count == 1)
        view.presenter?.handle(.logOut)
        view.presenter?.handle(.confirm)
        #expect(await becomesTrue { fleet.vehicles.isEmpty })
        instance.detach()
    }

    @Test func `in the air there is no log-out; where nothing is known of the flight it is asked about`() async {
        let link = FakeLink()
        link.setQuality(LinkQuality(isConnected: true))
        let fleet = Fleet.withFake(link, timeSource: timeSource)
        let (instance, view) = build(fleet)
        view.presenter?.handle(.logOut)
        #expect(view.shown?.confirmation?.isDangerous == true)
        #expect(view.shown?.confirmation?.findings.first?.text.contains("it may be in the air") == true)
        // It turns out to fly: the question is taken back, and an answer to it does nothing.
        report(.flying, link)
        view.presenter?.look()
        #expect(view.shown?.confirmation == nil)
        view.presenter?.handle(.confirm)
        view.presenter?.handle(.logOut)
        await settle()
        #expect(fleet.vehicles.count == 1 && view.shown?.confirmation == nil)
        #expect(stage.notices.last?.text.contains("airborne") == true)
        instance.detach()
    }

    @Test func `over a lost link nothing is said of flying, and the log-out is asked about`() async {
        let link = link(.flying)
        let fleet = Fleet.withFake(link, timeSource: timeSource)
        let (instance, view) = build(fleet)
        #expect(view.shown?.advice?.contains("1 for manual flight") == true)
        link.setQuality(LinkQuality(isConnected: false))
        view.presenter?.look()
        #expect(view.shown?.advice?.hasPrefix("link lost: ") == true && view.shown?.allowsLogOut == true)
        view.presenter?.handle(.logOut)
        #expect(view.shown?.confirmation?.findings.first?.text.hasPrefix("Link lost: it may be in the air") == true)
        view.presenter?.handle(.confirm)
        #expect(await becomesTrue { fleet.vehicles.isEmpty })
        instance.detach()
    }

    @Test func `the question about one vehicle is not answered for another`() async {
        let fleet = Fleet.withFake(link(.disarmed), name: "a", timeSource: timeSource)
        fleet.add(profile: VehicleProfile(name: "b"), link: link(.disarmed))
        losses.all = ["the open shell"]
        let (instance, view) = build(fleet)
        view.presenter?.handle(.logOut)
        fleet.selectNext()
        view.presenter?.handle(.confirm)
        await settle()
        #expect(fleet.vehicles.count == 2 && view.shown?.confirmation == nil)
        instance.detach()
    }

    @Test func `the question takes the keys: Enter logs out, any other key does not, and Space hovers too`() {
        var sent: [MenuIntent] = []
        let screen = MenuScreen { sent.append($0) }
        var state = MenuScreenState()
        state.items = [MenuItem(.joystick, title: "Joystick", explanation: "fly")]
        state.confirmation = ConfirmationRequest(
            title: "Log out of uav1?", facts: [], action: "log out", otherwise: "you stay logged in",
            isDangerous: false)
        screen.show(state)
        screen.resize(to: ScreenArea(row: 2, rows: 11, columns: 60))
        #expect(screen.handle(.key(.typed("1"))) && screen.handle(.key(KeyEvent(.enter))))
        #expect(!screen.handle(.key(.typed(" "))))
        #expect(sent == [.decline, .confirm, .decline])
        #expect(screen.keys.first == KeyHelp("Enter y", "log out"))
        var canvas = Canvas(ScreenSize(rows: 15, columns: 60))
        screen.draw(on: &canvas, in: ScreenArea(row: 2, rows: 11, columns: 60))
        #expect(canvas.lines.contains { $0.contains("Enter, y: log out   any other key: you stay logged in") })
    }

    @Test func `on a small screen the selected entry's explanation and the advice are whole below the list`() {
        let screen = MenuScreen { _ in }
        var state = MenuScreenState()
        state.items = (0..<9).map { index in
            MenuItem(.joystick, title: "Mode \(index)", explanation: "manual flight: keyboard or game controller")
        }
        state.advice = "to fly: press 1 for the joystick"
        screen.show(state)
        func lines(_ rows: Int, _ columns: Int) -> [String] {
            var canvas = Canvas(ScreenSize(rows: rows, columns: columns))
            screen.draw(on: &canvas, in: canvas.area)
            return canvas.lines
        }
        let small = lines(8, 40)
        #expect(small.contains { $0.contains("▼ 6 more") }, "\(small)")
        #expect(small.contains { $0.contains("manual flight: keyboard …") }, "\(small)")
        #expect(small.contains { $0.contains("manual flight: keyboard or game") }, "\(small)")
        #expect(small.contains { $0.contains("│ controller ") }, "\(small)")
        #expect(small.contains { $0.contains("to fly: press 1 for the joystick") }, "\(small)")
        // Where nothing is cut, it stands once.
        let large = lines(20, 80)
        #expect(large.count { $0.contains("manual flight: keyboard or game controller") } == 9, "\(large)")
        #expect(large.contains { $0.contains("to fly") } && !large.contains { $0.contains("…") }, "\(large)")
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
