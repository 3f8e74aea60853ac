package import TextScreen

/// Two actions that the configuration gives the same key: only one of them would have it.
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

    /// The first conflict among the keys of a configuration, by action; `nil` if there is none.
    package init?(in keys: [String: KeyEvent]) {
        let further = keys.map { (action: $0.key, key: $0.value) }.sorted { $0.action < $1.action }
        for (index, one) in further.enumerated() {
            let others = Self.usual + further[..<index]
            if let other = others.first(where: { $0.action != one.action && Self.isSame($0.key, one.key) }) {
                let label = one.key.label ?? "a key"
                text = "\(label) is given to '\(one.action)', and is the key of '\(other.action)' already"
                return
            }
        }
        return nil
    }

    private static func isSame(_ one: KeyEvent, _ other: KeyEvent) -> Bool {
        one.key == other.key && one.modifiers == other.modifiers
    }
}
