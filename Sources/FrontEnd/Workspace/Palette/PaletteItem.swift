internal import FlightControl
internal import ModeKit
internal import TextScreen
internal import UAVLink

/// An action in the palette, with its key where it has one.
struct PaletteItem {
    /// What choosing it does.
    enum Effect: Equatable {
        case send(WorkspaceIntent)
        /// As if the key was pressed on the screen below.
        case press(KeyEvent)
        /// Opens or closes the help.
        case help
        /// Opens or closes the palette.
        case palette
        /// Needs arguments, which are typed behind its name.
        case line(TypedCommand)
    }

    var title: String
    var keys: String
    var effect: Effect
    /// Whether it has no effect as far as telemetry shows: it is not listed, and found behind all that acts, or by its whole name.
    var isIdle = false
    /// Why it is not possible now: it is not listed, and typed it says this.
    var obstacle: String?
    /// Whether it is a key of the screen, or the like, that is not possible now: what acts comes before it, unless its name is typed whole.
    var isRefusedKey = false
    /// The name of the other screen that has it: it is found behind all others, and opens that screen. Empty for what is done here.
    var place = ""

    init(_ title: String, _ keys: String = "", _ effect: Effect, isIdle: Bool = false, obstacle: String? = nil) {
        (self.title, self.keys, self.effect) = (title, keys, effect)
        (self.isIdle, self.obstacle) = (isIdle, obstacle)
    }

    /// What is typed behind its name, with units and an example; empty without arguments.
    var hint = ""

    /// Whether it stands in the list before anything is typed.
    var isListed: Bool { !isIdle && obstacle == nil && place.isEmpty }

    /// How it stands in the list.
    var label: String { place.isEmpty ? title : "\(title) (\(place))" }

    /// Its title without arguments.
    var name: String { if case .line(let command) = effect { command.rawValue } else { title } }

    /// The action of a word in the configuration file's section `front-end: keys`; `nil` for an unknown one.
    static func effect(of action: String) -> Effect? {
        switch action {
        case "hover": .send(.hover)
        case "emergency-landing": .send(.emergencyLand)
        case "control": .send(.takeCommand)
        case "next-vehicle": .send(.nextVehicle)
        case "command-all": .send(.commandAll)
        case "help": .help
        case "command": .palette
        case "quit": .send(.quit)
        default: nil
        }
    }

    /// What can be done now, what stops first: Enter on an empty line must not move anything.
    ///
    /// - Parameters:
    ///   - state: whether a vehicle is logged in, and which mode is open.
    ///   - screenKeys: the keys of the open screen.
    ///   - refused: those whose actions are not possible now.
    ///   - further: the keys that the configuration file gives to an action.
    @MainActor
    static func all(
        _ state: WorkspaceState, _ screenKeys: [KeyHelp], refused: [RefusedKey] = [],
        further: (Effect) -> [String] = { _ in [] }
    ) -> [PaletteItem] {
        var items: [PaletteItem] = []
        // Behind all others, so that no part of its name keeps another one from being run.
        var later: [PaletteItem] = []
        let vehicle = state.vehicle ?? VehicleBar(title: "")
        // As in the menu: the mode is for one kind of machine.
        let modes = ModeCatalog.modes.filter { $0 != .robot || vehicle.isDrivenByText }
        if state.vehicle != nil {
            items += flight(vehicle)
            items += fleet(vehicle, state)
            items += opening(modes.filter { $0 != state.mode }, vehicle, state)
            let menu = PaletteItem("open the menu", "", .send(.back))
            if state.mode != .menu { items.append(menu) }
            later = modes.filter { $0 == state.mode }.map { PaletteItem("open \($0.title)", "", .send(.open($0))) }
            if state.mode == .menu { later.append(menu) }
            for index in later.indices { later[index].obstacle = "already open" }
        } else {
            later = withoutVehicle(flight(vehicle) + fleet(vehicle, state) + opening(modes, vehicle, state))
        }
        let last = [PaletteItem("help and messages", "F1", .help), PaletteItem("quit", "F10", .send(.quit))]
        for help in screenKeys {
            if let same = items.firstIndex(where: { $0.title == help.action }) {
                // The same action: with one of its keys it stands there once.
                if items[same].keys.isEmpty { items[same].keys = help.keys }
            } else if let key = KeyEvent(label: help.keys), !help.isMovement,
                !last.contains(where: { $0.title == help.action })
            {
                items.append(PaletteItem(help.action, help.keys, .press(key)))
            }
        }
        // They only say why; what acts all the same has it as its hint.
        for each in refused {
            guard let key = KeyEvent(label: each.help.keys) else { continue }
            let reason = each.reason.sanitizedLine
            if let same = items.firstIndex(where: { $0.title == each.help.action }) {
                if items[same].effect == .press(key) { items[same].hint = reason }
                continue
            }
            var item = PaletteItem(each.help.action, each.help.keys, .press(key), obstacle: reason)
            item.isRefusedKey = true
            items.append(item)
        }
        let here = items + later + last
        let others = ScreenActions.of(state.mode).filter { action in !here.contains { $0.title == action.action } }
        later += others.compactMap { (help: KeyHelp) -> PaletteItem? in
            guard let key = KeyEvent(label: help.keys) else { return nil }
            var item = PaletteItem(help.action, help.keys, .press(key), obstacle: "nothing to do on this screen now")
            item.isRefusedKey = true
            return item
        }
        later +=
            state.vehicle != nil
            ? elsewhere(modes + [.menu], vehicle, state)
            : withoutVehicle(elsewhere(ModeCatalog.modes + [.menu], vehicle, state))
        return (items + later + last).map { item in
            let keys = [item.keys] + further(item.effect)
            var item = item
            item.keys = keys.filter { !$0.isEmpty }.joined(separator: " ")
            return item
        }
    }

    /// The same while no vehicle is logged in: each says so.
    private static func withoutVehicle(_ items: [PaletteItem]) -> [PaletteItem] {
        items.map { item in
            var item = item
            (item.isIdle, item.isRefusedKey, item.obstacle) = (false, true, "no vehicle is logged in: log in first")
            return item
        }
    }

    /// What concerns control and the other vehicles; where there is none of these, it is found with the reason.
    private static func fleet(_ vehicle: VehicleBar, _ state: WorkspaceState) -> [PaletteItem] {
        let lack = vehicle.hasControlAuthority ? nil : noControlAuthority(over: state.link?.link ?? "present")
        let alone = vehicle.position.isEmpty ? onlyOneVehicle : nil
        var items = [
            PaletteItem("request, take over or release control", "F12", .send(.takeCommand), obstacle: lack),
            PaletteItem("next vehicle", "F6", .send(.nextVehicle), obstacle: alone),
            PaletteItem("command all vehicles", "F5", .send(.commandAll), obstacle: alone),
        ]
        for index in items.indices { items[index].isRefusedKey = items[index].obstacle != nil }
        return items
    }

    /// Why F5 and F6 do nothing with one vehicle.
    static let onlyOneVehicle = "only one vehicle; press n in the menu to log in to another"

    /// Why F12 does nothing over a link.
    static func noControlAuthority(over link: String) -> String { "the \(link) link has no control authority" }

    /// The other modes, with the keys that they have in the menu.
    @MainActor
    private static func opening(_ modes: [Mode], _ vehicle: VehicleBar, _ state: WorkspaceState) -> [PaletteItem] {
        let menu = modes.filter { $0 != .flightPlan || vehicle.capabilities.fliesPlans }
        return modes.map { mode in
            let number = state.mode == .menu ? menu.firstIndex(of: mode).map { "\($0 + 1)" } : nil
            return PaletteItem(
                "open \(mode.title)", number ?? "", .send(.open(mode)),
                obstacle: mode.obstacle(of: vehicle.capabilities, isReachedDirectly: vehicle.isReachedDirectly))
        }
    }

    /// The actions of the other screens: they open these.
    private static func elsewhere(_ modes: [Mode], _ vehicle: VehicleBar, _ state: WorkspaceState) -> [PaletteItem] {
        modes.filter { $0 != state.mode }.flatMap { (mode: Mode) -> [PaletteItem] in
            let obstacle = mode.obstacle(of: vehicle.capabilities, isReachedDirectly: vehicle.isReachedDirectly)
            return ScreenActions.of(mode).map { help in
                var item = PaletteItem(
                    help.action, help.keys, .send(mode == .menu ? .back : .open(mode)), obstacle: obstacle)
                item.place = mode.title
                item.hint = "\(help.keys) on the screen \(mode.title), which Enter opens"
                return item
            }
        }
    }

    /// The commands of flying, and recording it.
    @MainActor
    private static func flight(_ vehicle: VehicleBar) -> [PaletteItem] {
        let state = vehicle.flight
        let isByRadio = vehicle.radio == .certain
        // It is refused in a take-off, and a landing goes on. A vehicle that is flown by radio obeys no stop and no landing; they are given
        // by their whole names and keys.
        let canHover = (state == .unknown || state == .flying) && !isByRadio
        // What stops and lands is given all the same: it may just reach the vehicle.
        let lost: String? = vehicle.isLinkLost ? "link lost: it would not reach the vehicle" : nil
        let goal = lost ?? (isByRadio ? vehicle.radio.obstacle() : obstacle(toGoal: state, vehicle))
        // What the machine does not have comes first: nothing that happens later gives it that.
        func lack(_ command: CommandKinds) -> String? {
            vehicle.capabilities.lack(of: VehicleRequirement(commands: command))
        }
        var items = [
            PaletteItem(vehicle.stopAction, "F7", .send(.hover), isIdle: !canHover),
            PaletteItem(
                vehicle.emergencyAction, "F8", .send(.emergencyLand), isIdle: state == .disarmed || isByRadio,
                obstacle: vehicle.hasEmergency ? nil : lack(.emergencyLand)),
            PaletteItem(
                state == .emergency && vehicle.takeOffClearsEmergency ? clears : "take off", "",
                .send(.fly(.takeOff)),
                obstacle: lack(.takeoff)
                    ?? (vehicle.othersTakeOff
                        ? nil
                        : lost ?? vehicle.radio.obstacle() ?? obstacle(toTakeOff: state, vehicle)
                            ?? vehicle.takeOffObstacle)),
            // A landing is never held back, whatever telemetry says; on the ground it is not listed.
            PaletteItem(
                "land", "", .send(.fly(.land)), isIdle: state == .disarmed || state == .armed || isByRadio,
                obstacle: lack(.land)),
            PaletteItem("return home and land", "", .send(.fly(.landHome)), obstacle: lack(.landHome) ?? goal),
        ]
        if items.contains(where: { $0.title == clears }) {
            items.append(
                PaletteItem("take off", "", .send(.fly(.takeOff)), obstacle: "in an emergency: clear it first"))
        }
        func typed(_ command: TypedCommand, obstacle: String? = nil) -> PaletteItem {
            var item = PaletteItem(
                command.usage(of: vehicle.capabilities), "", .line(command), obstacle: obstacle)
            item.hint = command.hint(of: vehicle.capabilities)
            return item
        }
        items += TypedCommand.allCases.filter { $0 != .record }.map { typed($0, obstacle: lack($0.kind) ?? goal) }
        var stopRecording = PaletteItem("stop recording", "", .send(.stopRecording))
        if !vehicle.isRecorded {
            items.append(typed(.record))
            (stopRecording.obstacle, stopRecording.isRefusedKey) = ("no recording is running: record begins one", true)
        }
        items.append(stopRecording)
        if vehicle.isRecorded {
            // By a part of its name the other one is found; with a file it says why.
            var record = typed(.record, obstacle: "it is recorded already: stop recording first")
            record.isIdle = true
            items.append(record)
        }
        let airborne = state.isAirborne ? "in the air: without its motors it falls; land it" : nil
        let falls = lack(.arm) ?? lost ?? vehicle.radio.obstacle() ?? airborne
        // It is found all the same, with the reason.
        let isOff = state == .disarmed ? "the motors are off already" : nil
        items.append(PaletteItem("disarm on the ground", "", .send(.fly(.disarm)), obstacle: falls ?? isOff))
        for index in items.indices where items[index].isIdle && items[index].hint.isEmpty {
            items[index].hint = "no effect now, as far as telemetry shows"
        }
        return items
    }

    private static func obstacle(toTakeOff state: FlightState, _ vehicle: VehicleBar) -> String? {
        switch state {
        case .unknown, .disarmed, .armed: nil
        case .takingOff, .flying, .landing: "already in the air"
        case .emergency: vehicle.takeOffClearsEmergency ? nil : emergency
        }
    }

    /// Why the vehicle takes no goal; `nil` if it does, or its state is not known.
    private static func obstacle(toGoal state: FlightState, _ vehicle: VehicleBar) -> String? {
        switch state {
        case .flying where vehicle.takesNoReferences: Telemetry.refusal(of: "goal")
        case .unknown, .flying: nil
        // What cannot be taken off is not told to take off.
        case .disarmed, .armed: vehicle.takeOffObstacle ?? "not flying: take off first"
        case .takingOff: "taking off: wait until it flies"
        case .landing: "landing: it takes no goal now"
        case .emergency: emergency
        }
    }

    private static let clears = "clear the emergency"
    private static let emergency = "emergency: it takes no commands"
}

extension KeyHelp {
    /// Whether its keys move something step by step: chosen in a list, that does nothing of use.
    fileprivate var isMovement: Bool { keys.first.map { "↑↓←→".contains($0) } ?? false }
}
