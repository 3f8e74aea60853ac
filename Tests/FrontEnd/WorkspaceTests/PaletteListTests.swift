@testable import ModeKit
@testable import Workspace
import FlightControl
import Testing
import TextScreen
import UAVLink

@MainActor
@Suite("What the palette lists")
struct PaletteListTests {
    private func items(
        _ flight: FlightState, takeOffObstacle: String? = nil, radio: RadioFlight = .no, isLinkLost: Bool = false
    ) -> [PaletteItem] {
        var state = WorkspaceState()
        var vehicle = VehicleBar(title: "uav1")
        vehicle.flight = flight
        vehicle.takeOffObstacle = takeOffObstacle
        vehicle.radio = radio
        vehicle.isLinkLost = isLinkLost
        vehicle.hasControlAuthority = true
        state.vehicle = vehicle
        return PaletteItem.all(state, [])
    }

    @Test func `over a lost link only what stops and lands is listed`() {
        let listed = items(.flying, isLinkLost: true).filter(\.isListed).map(\.title)
        #expect(listed.contains("hover") && listed.contains("land") && listed.contains("emergency landing"))
        #expect(!listed.contains("return home and land"))
        let home = items(.flying, isLinkLost: true).first { $0.title == "return home and land" }
        #expect(home?.obstacle?.hasPrefix("link lost") == true)
        #expect(!items(.disarmed, isLinkLost: true).filter(\.isListed).map(\.title).contains("take off"))
    }

    @Test func `what the machine cannot do is not listed, and says so where it is typed`() {
        func listed(_ capabilities: VehicleCapabilities, _ flight: FlightState) -> [PaletteItem] {
            var state = WorkspaceState()
            var vehicle = VehicleBar(title: "uav1")
            (vehicle.flight, vehicle.capabilities, vehicle.isReachedDirectly) = (flight, capabilities, true)
            vehicle.hasEmergency = capabilities.commands.contains(.emergencyLand)
            vehicle.isDrivenByText = capabilities.isDrivenByText
            state.vehicle = vehicle
            return PaletteItem.all(state, [])
        }
        let drone = listed(WorkspaceTests.falling, .flying)
        let titles = drone.filter(\.isListed).map(\.title)
        for title in ["hover", "emergency: stop the motors", "land", "open Joystick", "goto X Y Z [HEADING] --body"] {
            #expect(titles.contains(title), "\(title): \(titles)")
        }
        for title in [
            "return home and land", "altitude Z", "heading DEGREES", "open Map trajectory", "open Indoor",
            "open Latency", "open Flight plan",
        ] {
            #expect(!titles.contains(title), "\(title)")
            #expect(drone.contains { $0.title == title && $0.obstacle != nil }, "\(title)")
        }
        // An example is one that this machine takes.
        let hint = drone.first { $0.title.hasPrefix("goto") }?.hint
        #expect(hint?.contains("goto 1 0 0.5 --body") == true && hint?.contains("forward") == true)
        var rover = WorkspaceTests.falling
        (rover.commands, rover.telemetry, rover.isDrivenByText) = ([.hover], [.battery], true)
        let wheels = listed(rover, .unknown).filter(\.isListed).map(\.title)
        for title in ["take off", "land", "disarm on the ground", "emergency landing", "open Joystick"] {
            #expect(!wheels.contains(title), "\(title)")
        }
        #expect(!wheels.contains { $0.hasPrefix("goto") } && wheels.contains("stop") && wheels.contains("open Robot"))
        var planner = WorkspaceTests.falling
        planner.fliesPlans = true
        #expect(listed(planner, .disarmed).filter(\.isListed).map(\.title).contains("open Flight plan"))
        // A vehicle that can do everything takes every kind of place.
        #expect(TypedCommand.goto.usage(of: .mrs) == TypedCommand.goto.usage)
    }

    @Test func `with all vehicles commanded a take-off is listed where another vehicle would take off`() {
        var state = WorkspaceState()
        var vehicle = VehicleBar(title: "uav1")
        vehicle.flight = .flying
        vehicle.othersTakeOff = true
        state.vehicle = vehicle
        #expect(PaletteItem.all(state, []).contains { $0.isListed && $0.title == "take off" })
        vehicle.othersTakeOff = false
        state.vehicle = vehicle
        #expect(!PaletteItem.all(state, []).contains { $0.isListed && $0.title == "take off" })
    }

    @Test(arguments: [(Mode.telemetry, "telemetry"), (.telemetry, "open Telemetry"), (.menu, "menu")])
    func `of the open screen it says that it is open, and lists it no more than before`(_ mode: Mode, _ line: String) {
        var state = WorkspaceState()
        state.vehicle = VehicleBar(title: "uav1")
        state.mode = mode
        let items = PaletteItem.all(state, [])
        var palette = PaletteOverlay()
        for letter in line { _ = palette.handle(.typed(letter), items) }
        #expect(lines(palette, items).contains { $0.contains("already open") }, "\(lines(palette, items))")
        #expect(palette.handle(KeyEvent(.enter), items) == .changed)
        #expect(!items.contains { $0.isListed && $0.title.lowercased().hasSuffix(line.lowercased()) })
        // A part that it shares with others means one of these.
        var shared = PaletteOverlay()
        for letter in "open" { _ = shared.handle(.typed(letter), items) }
        #expect(shared.handle(KeyEvent(.enter), items) == .run(.send(.open(.joystick))))
    }

    @Test func `the palette and the help name the emergency by what the machine does`() {
        var vehicle = VehicleBar(title: "uav1")
        func words() -> String? {
            HelpOverlay.everywhere(vehicle: vehicle, isShell: false).first { $0.keys == "F8" }?.action
        }
        #expect(words() == "emergency landing, after confirmation")
        vehicle.capabilities = WorkspaceTests.falling
        #expect(words() == "emergency: stop the motors, after confirmation")
        var state = WorkspaceState()
        vehicle.flight = .flying
        state.vehicle = vehicle
        var palette = PaletteOverlay()
        let items = PaletteItem.all(state, [])
        for letter in "emergency" { _ = palette.handle(.typed(letter), items) }
        #expect(palette.handle(KeyEvent(.enter), items) == .run(.send(.emergencyLand)))
        for (destinations, example) in [
            (VehicleCapabilities.Destinations.frame, "goto 5 0 3"), (.relative, "--relative"),
            (.latitudeLongitude, "--latlon"),
        ] {
            vehicle.capabilities.destinations = destinations
            #expect(TypedCommand.goto.hint(of: vehicle.capabilities).contains(example))
        }
    }

    private nonisolated static let flights = [
        "hover", "emergency landing", "take off", "land", "return home and land", "goto", "altitude", "heading",
        "disarm on the ground",
    ]

    @Test(arguments: [
        (FlightState.unknown, flights), (.disarmed, ["take off"]),
        (.armed, ["emergency landing", "take off", "disarm on the ground"]),
        (.takingOff, ["emergency landing", "land"]),
        (.flying, ["hover", "emergency landing", "land", "return home and land", "goto", "altitude", "heading"]),
        (.landing, ["emergency landing", "land"]), (.emergency, ["emergency landing", "land"]),
    ])
    func `it lists what acts in the vehicle's state`(_ flight: FlightState, _ expected: [String]) {
        let listed = items(flight).filter(\.isListed).map { item in
            if case .line(let command) = item.effect { command.rawValue } else { item.title }
        }
        #expect(listed.filter(Self.flights.contains) == expected)
    }

    @Test(arguments: [
        (FlightState.disarmed, "goto 1 1 1", "not flying: take off first"),
        (.armed, "altitude", "not flying: take off first"), (.disarmed, "home", "not flying: take off first"),
        (.takingOff, "goto 1 1 1", "taking off: wait until it flies"),
        (.landing, "heading 90", "landing: it takes no goal now"), (.flying, "take off", "already in the air"),
        (.emergency, "goto 1 1 1", "emergency: it takes no commands"),
        (.emergency, "take", "emergency: it takes no commands"),
        (.flying, "disarm", "in the air: without its motors it falls; land it"),
        (.disarmed, "disarm", "the motors are off already"),
    ])
    func `what is typed and not possible now says why`(_ flight: FlightState, _ line: String, _ reason: String) {
        let items = items(flight)
        var palette = PaletteOverlay()
        for letter in line { _ = palette.handle(.typed(letter), items) }
        #expect(lines(palette, items).contains { $0.contains(reason) }, "\(lines(palette, items))")
        #expect(palette.handle(KeyEvent(.enter), items) == .changed)
        #expect(lines(palette, items).contains { $0.contains("! \(reason)") }, "\(lines(palette, items))")
    }

    /// Each line begins an action that is not possible, and is found in others further down the list.
    @Test(arguments: [
        (FlightState.flying, "take", "already in the air"), (.flying, "d", "in the air: without its motors it falls"),
        (.disarmed, "re", "not flying: take off first"), (.disarmed, "a", "not flying: take off first"),
    ])
    func `Enter runs no other action than the one that is typed, and says why it is not possible`(
        _ flight: FlightState, _ line: String, _ reason: String
    ) {
        let items = items(flight)
        var palette = PaletteOverlay()
        for letter in line { _ = palette.handle(.typed(letter), items) }
        #expect(items.contains { $0.obstacle == nil && $0.title.contains(line) }, "there is no other one")
        #expect(!lines(palette, items).contains { $0.contains("›") })
        #expect(palette.handle(KeyEvent(.tab), items) == .ignored)
        #expect(palette.handle(KeyEvent(.enter), items) == .changed)
        #expect(lines(palette, items).contains { $0.contains("! \(reason)") }, "\(lines(palette, items))")
        // One that is chosen in the list is run.
        #expect(palette.handle(KeyEvent(.down), items) == .changed)
        #expect(lines(palette, items).contains { $0.contains("›") })
        guard line == "take" else { return }
        #expect(palette.handle(KeyEvent(.enter), items) == .run(.send(.takeCommand)))
    }

    @Test func `letters in the arguments of what is not possible keep no other action from being run`() {
        let items = items(.disarmed)
        var palette = PaletteOverlay()
        for letter in "lat" { _ = palette.handle(.typed(letter), items) }
        #expect(palette.handle(KeyEvent(.enter), items) == .run(.send(.open(.latencyLab))))
    }

    @Test func `of a vehicle that is flown by radio nothing is listed that takes, moves or disarms it`() {
        let items = items(.armed, radio: .certain)
        #expect(!items.contains { $0.isListed && Self.isFlight($0) }, "\(items.filter(\.isListed).map(\.title))")
        for line in ["take off", "disarm", "goto 1 1 1", "altitude 5", "home"] {
            var palette = PaletteOverlay()
            for letter in line { _ = palette.handle(.typed(letter), items) }
            #expect(palette.handle(KeyEvent(.enter), items) == .changed)
            #expect(lines(palette, items).contains { $0.contains("! it is flown by radio: land it by radio") })
        }
        // Stops and landings are never held back.
        for (line, intent) in [("hover", WorkspaceIntent.hover), ("land", .fly(.land))] {
            var palette = PaletteOverlay()
            for letter in line { _ = palette.handle(.typed(letter), items) }
            #expect(palette.handle(KeyEvent(.enter), items) == .run(.send(intent)))
        }
    }

    @Test func `one that may be flown by radio is neither taken off nor disarmed`() {
        let items = items(.armed, radio: .possible)
        for title in ["take off", "disarm on the ground"] {
            #expect(items.first { $0.title == title }?.obstacle?.contains("may be flown by radio") == true)
        }
        #expect(items.contains { $0.isListed && $0.title == "emergency landing" })
    }

    private static func isFlight(_ item: PaletteItem) -> Bool {
        guard item.place.isEmpty else { return false }
        if case .line(let command) = item.effect { return command != .record }
        return flights.contains(item.title)
    }

    @Test func `a flying vehicle that takes no references is sent nowhere, and that says why`() {
        var state = WorkspaceState()
        var vehicle = VehicleBar(title: "uav1")
        (vehicle.flight, vehicle.takesNoReferences) = (.flying, true)
        state.vehicle = vehicle
        let items = PaletteItem.all(state, []).filter { Self.isFlight($0) }
        #expect(items.filter(\.isListed).map(\.title) == ["hover", "emergency landing", "land"])
        for item in items where item.title != "take off" && !item.isListed && item.title != "disarm on the ground" {
            #expect(item.obstacle?.hasPrefix("the vehicle takes no goal: ") == true, "\(item.title)")
        }
    }

    @Test func `after an emergency landing the take-off is not listed, and says what to do`() {
        let items = items(.disarmed, takeOffObstacle: "restart the flight stack")
        #expect(!items.contains { $0.isListed && $0.title == "take off" })
        var palette = PaletteOverlay()
        for letter in "take off" { _ = palette.handle(.typed(letter), items) }
        #expect(palette.handle(KeyEvent(.enter), items) == .changed)
        #expect(lines(palette, items).contains { $0.contains("! restart the flight stack") })
    }

    private func lines(_ palette: PaletteOverlay, _ items: [PaletteItem]) -> [String] {
        var canvas = Canvas(ScreenSize(rows: 40, columns: 100))
        palette.draw(items, on: &canvas, in: canvas.area)
        return canvas.lines
    }

    @Test func `the box is as high as its entries need, and its upper edge stays where it is`() {
        let items = items(.flying)
        var palette = PaletteOverlay()
        /// Its lines.
        func shown() -> [String] { lines(palette, items).filter { !$0.allSatisfy { $0 == " " } } }
        /// Its first line and its height.
        func box() -> [Int] {
            [lines(palette, items).firstIndex { !$0.allSatisfy { $0 == " " } } ?? -1, shown().count]
        }
        let all = box()
        #expect(all[1] > 12)
        for letter in "joy" { _ = palette.handle(.typed(letter), items) }
        // The line, its keys and two edges; an entry; no line that is blank.
        #expect(box()[0] == all[0] && (5...8).contains(box()[1]), "\(shown())")
        #expect(!shown().contains { $0.allSatisfy { " │".contains($0) } }, "\(shown())")
        for letter in "xyz" { _ = palette.handle(.typed(letter), items) }
        // That there is none, in place of entries.
        #expect(box() == [all[0], 5], "\(shown())")
        for _ in "joyxyz" { _ = palette.handle(KeyEvent(.backspace), items) }
        #expect(box() == all)
    }

    @Test func `on the ground a landing is not listed, and is found by its name`() {
        for isAirborne in [true, false] {
            let items = items(isAirborne ? .flying : .disarmed)
            var palette = PaletteOverlay()
            let isListed = lines(palette, items).contains { $0.contains("  land  ") }
            #expect(isListed == isAirborne)
            for letter in "land" { _ = palette.handle(.typed(letter), items) }
            #expect(palette.handle(KeyEvent(.enter), items) == .run(.send(.fly(.land))))
        }
    }

    @Test(arguments: [("al", "altitude "), ("altitude 5", "altitude 5"), ("record my.bag", "record my.bag")])
    func `Tab completes a name, and keeps the arguments behind it`(_ typed: String, _ line: String) {
        let items = items(.flying)
        var palette = PaletteOverlay()
        for letter in typed { _ = palette.handle(.typed(letter), items) }
        _ = palette.handle(KeyEvent(.tab), items)
        #expect(lines(palette, items).contains { $0.contains(": \(line)") }, "\(lines(palette, items))")
    }

    @Test func `keys that only move something are no actions`() {
        let keys = [KeyHelp("↑ ↓ Enter", "choose"), KeyHelp("← →", "condition"), KeyHelp("x", "remove it")]
        let titles = PaletteItem.all(WorkspaceState(), keys).filter(\.isListed).map(\.title)
        #expect(titles.contains("remove it") && !titles.contains("choose") && !titles.contains("condition"))
    }
}
