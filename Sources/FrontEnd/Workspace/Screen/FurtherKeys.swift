internal import ModeKit
internal import TextScreen

/// The further keys of the configuration file: each does what another key does, on every screen and over every dialog.
struct FurtherKeys {
    private let bindings: [(key: KeyEvent, effect: PaletteItem.Effect)]

    init(_ bindings: [(key: KeyEvent, effect: PaletteItem.Effect)] = []) { self.bindings = bindings }

    /// What a further key does; `nil` for any other key.
    func effect(of key: KeyEvent) -> PaletteItem.Effect? {
        bindings.first { key.isPress(of: $0.key.key, $0.key.modifiers) }?.effect
    }

    /// The further keys of an action, as in the help.
    func labels(of effect: PaletteItem.Effect) -> [String] {
        bindings.filter { $0.effect == effect }.compactMap { $0.key.label }
    }

    /// The description of a key that works on every screen, with the further keys of its action.
    func help(_ key: String, _ action: String, _ effect: PaletteItem.Effect) -> KeyHelp {
        KeyHelp(([key] + labels(of: effect)).joined(separator: " "), action)
    }

    /// Whether a key, a further one or the usual one, hovers or asks for the emergency landing.
    func stops(_ key: KeyEvent) -> Bool {
        switch effect(of: key) {
        case .send(.hover), .send(.emergencyLand): true
        case nil: [.function(7), .function(8)].contains(key.key)
        default: false
        }
    }
}
