package import TextScreen

/// A key that the configuration gives to an action and that another action, or a screen, has already: only one of them would have it.
package struct KeyConflict: Hashable, Sendable {
    /// What is wrong, in one line.
    package let text: String

    /// The usual keys of the actions that the configuration knows; they stay.
    private static let usual: [(action: String, key: KeyEvent)] = [
        ("help", KeyEvent(.function(1))), ("command", KeyEvent(.function(2))), ("command-all", KeyEvent(.function(5))),
        ("next-vehicle", KeyEvent(.function(6))), ("hover", KeyEvent(.function(7))),
        ("emergency-landing", KeyEvent(.function(8))), ("quit", KeyEvent(.function(10))),
        ("control", KeyEvent(.function(12))),
    ]

    /// The keys that a screen has of its own, among those that an action could be given, and what they do there. A further key is
    /// looked at before the screen, which would be without its key: a shell has no other one to be left by.
    static let ofScreens: [(use: String, key: KeyEvent)] =
        [
            ("line mode in the terminal", KeyEvent(.function(2))),
            ("search in the terminal", KeyEvent(.function(3))),
            ("the log in the terminal", KeyEvent(.function(4))), ("leaving the terminal", KeyEvent(.function(9))),
        ] + controls("hexadecimal in the robot's console", "x")
        + controls("saving the robot's console, and the log", "s")
        + controls("redo on the map, and the search of the history", "r")
        + controls("the history in the terminal", "pn")
        + controls("ending the search of the history", "g") + controls("editing a line of text", "abdefkuw")
        + "bf".map { ("editing a line of text", KeyEvent(.character($0), .alt)) }

    private static func controls(_ use: String, _ letters: String) -> [(use: String, key: KeyEvent)] {
        letters.map { (use, KeyEvent(.character($0), .control)) }
    }

    /// The first conflict among the keys of a configuration, by action; `nil` if there is none.
    package init?(in keys: [String: KeyEvent]) {
        let further = keys.map { (action: $0.key, key: $0.value) }.sorted { $0.action < $1.action }
        for (index, one) in further.enumerated() {
            let label = one.key.label ?? "a key"
            let others = Self.usual + further[..<index]
            if let other = others.first(where: { $0.action != one.action && Self.isSame($0.key, one.key) }) {
                text = "\(label) is given to '\(one.action)', and is the key of '\(other.action)' already"
                return
            }
            if let other = Self.ofScreens.first(where: { Self.isSame($0.key, one.key) }) {
                text = "\(label) is given to '\(one.action)', and is the key of \(other.use) already"
                return
            }
        }
        return nil
    }

    private static func isSame(_ one: KeyEvent, _ other: KeyEvent) -> Bool {
        one.key == other.key && one.modifiers == other.modifiers
    }
}
