internal import ModeKit
internal import TextScreen

/// Keys of the mode.
enum FlightPlanKeys {
    private static let page = 10

    static func intent(_ key: KeyEvent) -> FlightPlanIntent? {
        guard key.modifiers.isEmpty else { return nil }
        // A key that is held moves the simulated drone, and nothing else.
        if let step = step(key.key) { return step }
        guard key.phase == .press else { return nil }
        switch key.key {
        case .escape: return .leave
        case .tab: return .nextPanel
        case .character(let letter): return letters[letter]
        default: return nil
        }
    }

    private static func step(_ key: KeyEvent.Key) -> FlightPlanIntent? {
        switch key {
        case .down, .character("j"): .move(1)
        case .up, .character("k"): .move(-1)
        case .pageDown: .move(page)
        case .pageUp: .move(-page)
        case .home: .toStart
        case .end: .toEnd
        default: nil
        }
    }

    private static let letters: [Character: FlightPlanIntent] = [
        "o": .ask(.open), "w": .ask(.write), "i": .ask(.importRoute), "e": .ask(.exportRoute),
        "r": .fly, "n": .nextStep, "p": .pause, "x": .stop, "l": .land,
    ]

    /// Beginning a flight.
    static let fly = [KeyHelp("r", "fly"), KeyHelp("n", "fly step by step")]

    /// The keys that act in a state, the most useful first.
    static func help(_ state: FlightPlanScreenState) -> [KeyHelp] {
        let back = KeyHelp("Esc", "back")
        guard state.obstacle == nil else { return [back] }
        var keys: [KeyHelp] = []
        let isUnderWay = state.flight?.isUnderWay == true
        if let flight = state.flight, isUnderWay {
            keys.append(KeyHelp("Space", "hover"))
            keys +=
                flight.phase == .paused
                ? [KeyHelp("n", "next step"), KeyHelp("x", "stop"), KeyHelp("l", "land"), KeyHelp("r", "fly on")]
                : [KeyHelp("p", "pause"), KeyHelp("x", "stop"), KeyHelp("l", "land")]
        } else {
            if state.canLand { keys.append(KeyHelp("l", "land")) }
            if state.isOK, state.canFly { keys += fly }
            keys += [KeyHelp("o", "open"), KeyHelp("i", "make of a route")]
        }
        if !state.steps.isEmpty {
            keys.append(KeyHelp("↑ ↓", "move without flying"))
            // Without a plan there is no map, and the states are shown.
            if state.states != nil { keys.append(KeyHelp("Tab", state.panel == .map ? "states" : "map")) }
            keys += [KeyHelp("e", "write as a route"), KeyHelp("w", "write")]
        }
        return keys + [back]
    }
}
