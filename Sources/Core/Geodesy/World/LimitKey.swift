internal import TextSearch

/// Tells of the key of a file whether it may limit where or how the vehicle may fly: one that is not known must not be passed over.
public enum LimitKey {
    /// Parts of keys that mean a limit.
    private static let parts = [
        "safety", "area", "zone", "fence", "border", "bound", "obstacle", "limit", "height", "altitude", "ceiling",
        "speed", "velocity", "fly", "keep", "forbid", "exclu", "avoid", "restrict", "prohibit", "allow", "radius",
        "distance", "danger", "hazard",
    ]
    /// Beginnings of words that do.
    private static let beginnings = ["max", "min", "nfz", "block", "enter"]
    /// Words that do where another one follows: `no_go`.
    private static let denials: Set<String> = ["no", "not", "never"]
    /// What a number or a list is that says where something is.
    private static let places: Set<String> = [
        "x", "y", "z", "lat", "lon", "lng", "latitude", "longitude", "easting", "northing", "point", "points",
        "polygon", "polygons", "coordinate", "coordinates", "coords", "corner", "corners", "vertex", "vertices",
        "centre", "center", "circle", "circles", "position", "positions",
    ]

    /// Whether a key sounds like a limit.
    public static func mayLimit(_ key: String) -> Bool {
        let name = key.lowercased()
        if parts.contains(where: { name.includes($0) }) { return true }
        let words = words(key)
        return words.contains { word in beginnings.contains { word.hasPrefix($0) } }
            || words.dropLast().contains { denials.contains($0) }
    }

    /// Whether the value of a key says where something is: `lat`, `polygon`, `tower_x`.
    static func namesPlace(_ key: String) -> Bool { words(key).last.map { places.contains($0) } ?? false }

    /// The words of a key in lower case: `maxSpeed_x` becomes `max`, `speed` and `x`.
    static func words(_ key: String) -> [String] {
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
