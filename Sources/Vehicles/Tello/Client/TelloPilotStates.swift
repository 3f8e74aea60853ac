package import UAVLink

extension PilotStates {
    /// The six states of a Tello, of which this is the present one.
    package init(_ mode: TelloMode) {
        let all = TelloMode.allCases
        let states = all.map { state in
            State(
                name: state.title, meaning: state.meaning,
                arrows: (TelloMode.table[state] ?? []).compactMap { arrow in
                    all.firstIndex(of: arrow.next).map {
                        Arrow(event: arrow.event.words, next: $0, isPlanning: arrow.event == .planOpened)
                    }
                })
        }
        let current = all.firstIndex(of: mode) ?? 0
        self =
            PilotStates(
                states, current: current, isPlanning: mode == .planning, takeOffObstacle: mode.takeOffObstacle)
            ?? PilotStates(one: mode.title, meaning: mode.meaning)
    }
}

extension TelloMode {
    /// Its name on a screen.
    package var title: String {
        switch self {
        case .disconnected: "Disconnected"
        case .wifiUp: "WiFiUp"
        case .command: "Command"
        case .planning: "Planning"
        case .manual: "Manual"
        case .autoPilot: "AutoPilot"
        }
    }

    /// What it means, in a few words.
    package var meaning: String {
        switch self {
        case .disconnected: "nothing is heard of the drone"
        case .wifiUp: "it has not confirmed 'command' yet"
        case .command: "it stands, and takes commands"
        case .planning: "a plan is edited; nothing is flown"
        case .manual: "it flies by commands and sticks"
        case .autoPilot: "it flies a plan"
        }
    }
}

extension TelloMode.Event {
    /// What happens, in a few words.
    package var words: String {
        switch self {
        case .joined: "its Wi-Fi is joined"
        case .lost: "nothing is heard"
        case .confirmed: "'command' confirmed"
        case .tookOff: "it takes off"
        case .landed: "it lands"
        case .planOpened: "a plan is opened"
        case .planClosed: "the plan is closed"
        case .planStarted: "a plan is flown"
        case .planEnded: "the plan ends"
        }
    }
}
