internal import TextSearch
internal import UAVLink
internal import YAML

/// Finds keys of a world file that seem to limit where or how the vehicle may fly, and are not known: without them a flight would
/// be called safe that is not.
enum UnknownLimits {
    /// Throws for the first such key of a mapping and of all that is below it.
    ///
    /// - Parameter known: keys of this mapping that are read with all that is below them; their readers refuse what they do not know.
    static func refuse(in node: YAMLNode, known: [String] = []) throws(YAMLError) {
        switch node.content {
        case .scalar: return
        case .sequence(let elements): for element in elements { try refuse(in: element) }
        case .mapping(let mapping):
            for entry in mapping.entries where !known.contains(entry.key) {
                guard !mayLimit(entry.key) else {
                    let hint = known.isEmpty ? "" : "; known keys: " + known.joined(separator: ", ")
                    throw YAMLError(
                        .unknownKey, at: entry.keyPosition,
                        "unknown key '\(entry.key.sanitizedLine)', which may limit where the vehicle may fly\(hint)")
                }
                try refuse(in: entry.value)
            }
        }
    }

    /// Parts of keys that mean a limit.
    private static let parts = [
        "safety", "area", "zone", "fence", "border", "bound", "obstacle", "limit", "height", "altitude", "ceiling",
        "speed", "velocity", "fly", "keep", "forbid", "exclu", "avoid", "restrict", "prohibit", "allow", "radius",
        "distance",
    ]

    /// Whether a key sounds like a limit.
    private static func mayLimit(_ key: String) -> Bool {
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
