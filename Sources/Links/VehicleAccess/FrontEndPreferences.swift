internal import YAML

/// How the text front end looks and sounds, and which further keys it has: the section `front-end` of the configuration file.
///
/// ```yaml
/// front-end:
///   theme: light
///   bell: false
///   keys:
///     hover: Ctrl-O
/// ```
package struct FrontEndPreferences: Hashable, Sendable {
    /// The themes.
    package static let themes = ["dark", "light", "high-contrast", "none"]
    /// The actions that can get a further key. Their own keys stay: what stops a vehicle must be where everyone looks for it.
    package static let actions = [
        "hover", "emergency-landing", "control", "next-vehicle", "command-all", "help", "command", "quit",
    ]

    /// One of ``themes``.
    package var theme = "dark"
    /// Whether only ASCII characters are written; `nil` leaves it to the terminal's locale.
    package var isASCII: Bool?
    /// Whether the terminal's bell rings for a low battery and a lost link.
    package var hasBell = true
    /// The further keys, by action: `Ctrl-O`.
    package var keys: [String: String] = [:]

    package init() {}

    init(node: YAMLNode) throws(YAMLError) {
        if node.isNull { return }
        try node.requireKeys(in: ["theme", "ascii", "bell", "keys"])
        if let theme = node.find("theme") {
            self.theme = try theme.string
            guard Self.themes.contains(self.theme) else {
                throw theme.unexpected("one of \(Self.themes.joined(separator: ", "))")
            }
        }
        isASCII = try node.find("ascii")?.bool
        if let bell = node.find("bell") { hasBell = try bell.bool }
        guard let keys = node.find("keys"), !keys.isNull else { return }
        try keys.requireKeys(in: Self.actions)
        for entry in try keys.mapping.entries { self.keys[entry.key] = try entry.value.string }
    }
}
