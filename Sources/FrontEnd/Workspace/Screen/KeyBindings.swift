package import TextScreen
internal import UAVLink

/// What is wrong with the keys of the configuration file's section `front-end: keys`.
package struct KeyBindingProblem: Error, Hashable, Sendable {
    /// What is wrong, in one line.
    package let what: String
    /// What to do.
    package let hint: String
}

/// The further keys of the configuration file, read from their labels.
package enum KeyBindings {
    /// The keys by action.
    ///
    /// - Parameter labels: the labels by action: `Ctrl-O`.
    /// - Throws: ``KeyBindingProblem`` for the first label that is no key which an action can have, and for a key that
    ///   another action or a screen has.
    package static func keys(_ labels: [String: String]) throws(KeyBindingProblem) -> [String: KeyEvent] {
        var keys: [String: KeyEvent] = [:]
        for (action, label) in labels.sorted(by: { $0.key < $1.key }) {
            guard let key = KeyEvent(label: label), key.isFreeForActions else {
                throw KeyBindingProblem(
                    what: "front-end: keys: '\(label.sanitizedLine)' is not a key that an action can have",
                    hint:
                        "a function key such as F11, Insert, or a letter with Ctrl or Alt such as Ctrl-O; not Ctrl-C, L, Z"
                )
            }
            keys[action] = key
        }
        if let conflict = KeyConflict(in: keys) {
            throw KeyBindingProblem(
                what: "front-end: keys: \(conflict.text)",
                hint: "give each action a key that nothing else has, such as F11 or Ctrl-O")
        }
        return keys
    }
}

extension KeyEvent {
    /// Whether the key is needed neither for typing nor for editing a line, and has no meaning of its own on every screen.
    fileprivate var isFreeForActions: Bool {
        switch (key, modifiers) {
        case (.function, []), (.insert, []): true
        // Ctrl-H, I, J, M and the bracket are Backspace, Tab, Enter and Esc for a terminal.
        case (.character(let character), .control): character.isLetter && !"chijlmz".contains(character)
        case (.character(let character), .alt): character.isLetter
        default: false
        }
    }
}
