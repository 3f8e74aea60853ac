internal import ModeKit
internal import UAVLink

/// The help of the joystick's keys: those that act in its present state, the next step first.
struct JoystickKeyHelp {
    private let state: JoystickScreenState

    /// The keys that act in a state.
    init(_ state: JoystickScreenState) { self.state = state }

    /// The most important first: those at the end may not fit the line at the bottom.
    var keys: [KeyHelp] {
        let isEngaged = state.toggle == .release
        // Over a lost link nothing acts but what ends steering.
        let isHeard = !state.isLinkLost
        let command = [
            (
                state.hasTakeOff && !isEngaged && isHeard,
                KeyHelp("t", state.clearsEmergency ? "clear the emergency" : "take off")
            ),
            (state.hasLanding && isHeard, KeyHelp("L", "land")),
        ]
        let isOnGround = state.hasTakeOff && !state.hasLanding
        // In few words: the line at the bottom has place for little else on a narrow terminal.
        var keys: [(Bool, KeyHelp)] = [(state.underWay != nil, KeyHelp("Esc", "stop waiting"))]
        keys += isOnGround ? command + toggle : toggle + hover + (isEngaged ? moves : []) + command
        keys += [
            (state.hasDisarming && isHeard, KeyHelp("D", "disarm on the ground")),
            (state.hasFrames, KeyHelp("G", "body or world frame")), (true, KeyHelp("+ -", "speed limit")),
        ]
        // What a run is set up with cannot be changed during it.
        let isReleased = state.toggle == .take
        keys += [
            (isReleased, KeyHelp("[ ]", "setpoint rate")), (isReleased, KeyHelp("c", "keyboard or game controller")),
            (isReleased, KeyHelp("m", "stick layout")),
        ]
        if !isEngaged { keys += moves }
        keys += hover.map { ($0.0, KeyHelp("x", "hover")) }
        keys.append((state.underWay == nil, KeyHelp("Esc", isReleased ? "leave" : "release control, leave")))
        return keys.filter(\.0).map(\.1)
    }

    private var toggle: [(Bool, KeyHelp)] {
        switch state.toggle {
        case .take:
            [
                (
                    state.acceptsCommands && state.takesControl && !state.isControlledByOther && !state.isFlownByRadio
                        && !state.isLinkLost,
                    KeyHelp("Enter", "take control")
                )
            ]
        case .cancel: [(true, KeyHelp("Enter", "cancel the request"))]
        case .release: [(true, KeyHelp("Enter", "release control"))]
        case .nothing: []
        }
    }

    private var hover: [(Bool, KeyHelp)] {
        let acts = (state.canHover && !state.isLinkLost) || state.toggle == .release
        return [(state.acceptsCommands && acts, KeyHelp("Space", "hover"))]
    }

    /// Of the axes that the vehicle has.
    private var moves: [(Bool, KeyHelp)] {
        let level = state.axes.intersection([.forward, .sideways])
        let ways =
            level == .forward ? "forward, back" : level == .sideways ? "left, right" : "forward, back, left, right"
        let condition = state.toggle == .release ? "" : "in control: "
        return [
            (!level.isEmpty, KeyHelp("w s a d", "\(condition)\(ways) (also k j h l, arrows)")),
            (state.axes.contains(.turn), KeyHelp("q e", "\(condition)turn left, right")),
            (state.axes.contains(.climb), KeyHelp("r f", "\(condition)climb, descend")),
        ]
    }
}
