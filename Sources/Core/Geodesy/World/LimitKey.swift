internal import TextSearch

/// Tells of the key of a file whether it may limit where or how the vehicle may fly: one that is not known must not be passed over.
public enum LimitKey {
    /// Parts of keys that mean a limit.
    private static let parts = [
        "safety", "area", "zone", "fence", "border", "bound", "obstacle", "limit", "height", "altitude", "ceiling",
        "speed", "velocity", "fly", "keep", "forbid", "exclu", "avoid", "restrict", "prohibit", "allow", "radius",
        "distance",
    ]

    /// Whether a key sounds like a limit.
    public static func mayLimit(_ key: String) -> Bool {
        let name = key.lowercased()
        return parts.contains { name.includes($0) }
            || words(key).contains { $0.hasPrefix("max") || $0.hasPrefix("min") }
    }

    /// The words of a key in lower case: `maxSpeed_x` becomes `max`, `speed` and `x`.
    private static func words(_ key: String) -> [String] {
        var words: [String] = []
        var word = ""
        var last: Character?
        for character in key {
            let isNew = !character.isLetter || (character.isUppercase && last?.isLowercase == true)
            if isNew, !word.isEmpty {
                words.append(word.lowercased())
                word = ""
            }
            if character.isLetter { word.append(character) }
            last = character
        }
        return word.isEmpty ? words : words + [word.lowercased()]
    }
}
