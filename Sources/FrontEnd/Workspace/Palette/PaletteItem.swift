internal import FlightControl
internal import ModeKit
internal import TextScreen

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
    /// Whether it has no effect as far as telemetry shows: it is found only by its whole name.
    var isIdle = false

    init(_ title: String, _ keys: String = "", _ effect: Effect, isIdle: Bool = false) {
        (self.title, self.keys, self.effect, self.isIdle) = (title, keys, effect, isIdle)
    }

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
    ///   - further: the keys that the configuration file gives to an action.
    @MainActor
    static func all(
        _ state: WorkspaceState, _ screenKeys: [KeyHelp], further: (Effect) -> [String] = { _ in [] }
    ) -> [PaletteItem] {
        var items: [PaletteItem] = []
        if let vehicle = state.vehicle {
            let (mayFly, mayStand) = (vehicle.isAirborne != false, vehicle.isAirborne != true)
            items += [
                PaletteItem("hover", "F7", .send(.hover)),
                PaletteItem("emergency landing", "F8", .send(.emergencyLand)),
            ]
            let accepts = vehicle.acceptsCommands
            if mayStand, accepts { items.append(PaletteItem("take off", "", .send(.fly(.takeOff)))) }
            // A landing is never held back, whatever telemetry says; on the ground it is not listed.
            items.append(PaletteItem("land", "", .send(.fly(.land)), isIdle: !mayFly))
            if mayFly, accepts {
                items.append(PaletteItem("return home and land", "", .send(.fly(.landHome))))
                items += TypedCommand.allCases.filter { $0 != .record }.map { PaletteItem($0.usage, "", .line($0)) }
            }
            items.append(
                vehicle.isRecorded
                    ? PaletteItem("stop recording", "", .send(.stopRecording))
                    : PaletteItem(TypedCommand.record.usage, "", .line(.record)))
            if mayStand { items.append(PaletteItem("disarm on the ground", "", .send(.fly(.disarm)))) }
            if vehicle.hasControlAuthority {
                items.append(PaletteItem("request, take over or release control", "F12", .send(.takeCommand)))
            }
            if !vehicle.position.isEmpty {
                items += [
                    PaletteItem("next vehicle", "F6", .send(.nextVehicle)),
                    PaletteItem("command all vehicles", "F5", .send(.commandAll)),
                ]
            }
            items += ModeCatalog.modes.filter { $0 != state.mode }.map {
                PaletteItem("open \($0.title)", "", .send(.open($0)))
            }
            if state.mode != .menu { items.append(PaletteItem("open the menu", "", .send(.back))) }
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
        return (items + last).map { item in
            let keys = [item.keys] + further(item.effect)
            return PaletteItem(
                item.title, keys.filter { !$0.isEmpty }.joined(separator: " "), item.effect, isIdle: item.isIdle)
        }
    }
}

extension KeyHelp {
    /// Whether its keys move something step by step: chosen in a list, that does nothing of use.
    fileprivate var isMovement: Bool { keys.first.map { "↑↓←→".contains($0) } ?? false }
}
