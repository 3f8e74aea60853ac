internal import ModeKit

/// The keys that currently have an effect, most important first.
struct KeyLine {
    /// What is drawn over the mode's screen, and takes its keys.
    enum Overlay {
        case none
        /// A confirmation, the help or the palette, with the keys that act there.
        case open([KeyHelp])
    }

    /// What the key of the help does.
    static let help = "help"
    /// What the key of the palette does.
    static let command = "command"
    /// What the key that ends the program does.
    static let quit = "quit"
    /// The key that stops a vehicle.
    static let stop = "F7"

    var overlay: Overlay
    /// The keys of the mode's screen.
    var screen: [KeyHelp]
    /// Whether the mode's screen asks something.
    var isAsking: Bool
    /// Whether letters are text input.
    var takesText: Bool
    var state: WorkspaceState
    var further: FurtherKeys

    var keys: [KeyHelp] {
        switch overlay {
        case .open(let keys): return stops + keys
        case .none: break
        }
        // A question takes the keys of the help and of the palette too.
        if isAsking { return stops + takeOver + screen }
        // What matters most on a screen is there on a narrow terminal too.
        return stops + takeOver + [further.help(takesText ? "F1" : "?", Self.help, .help)] + screen.prefix(1)
            + [further.help(paletteKey, Self.command, .palette)] + screen.dropFirst()
    }

    private var stops: [KeyHelp] {
        guard let vehicle = state.vehicle, !vehicle.hasNothingToStop else { return [] }
        let emergency = further.help("F8", "emergency", .send(.emergencyLand))
        return [further.help(Self.stop, vehicle.stopAction, .send(.hover))] + (vehicle.hasEmergency ? [emergency] : [])
    }

    private var takeOver: [KeyHelp] {
        guard state.vehicle?.isControlledByOther == true else { return [] }
        return [further.help("F12", "take over", .send(.takeCommand))]
    }

    private var paletteKey: String { !takesText ? ":" : state.mode == .terminal ? "Shift-F2" : "F2" }
}
