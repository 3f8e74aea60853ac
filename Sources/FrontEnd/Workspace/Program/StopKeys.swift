internal import TextScreen

/// Recognises the keys that stop the vehicle on every screen where they are read: they must not wait for what was typed before them.
struct StopKeys: Sendable {
    /// Those that the configuration file adds.
    private let further: [KeyEvent]

    /// - Parameter keys: the further keys by the action's word: see ``PaletteItem/effect(of:)``.
    init(further keys: [String: KeyEvent]) { further = ["hover", "emergency-landing"].compactMap { keys[$0] } }

    /// Whether a key hovers or asks for the emergency landing, whatever is open.
    func contains(_ key: KeyEvent) -> Bool {
        guard key.phase != .release else { return false }
        if further.contains(where: { key.isPress(of: $0.key, $0.modifiers) }) { return true }
        guard case .key(let usual) = InputEvent.key(key).asFunctionKey(keepsDigits: true) else { return false }
        return usual.isPress(of: .function(7)) || usual.isPress(of: .function(8))
    }
}
