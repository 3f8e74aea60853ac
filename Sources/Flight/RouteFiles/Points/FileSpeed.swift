internal import UAVLink

/// A speed that a file demands, which a route does not hold: flown faster, the file's limit is exceeded.
package struct FileSpeed: Hashable, Sendable {
    /// The speed, m/s; the lowest one where the file has several of this kind.
    package var metresPerSecond: Double
    /// What demands it, for display: `a change of speed`.
    package var source: String
    /// Whether programs always write it, also where nobody chose a speed.
    package var isDefault: Bool

    init(_ metresPerSecond: Double, _ source: String, isDefault: Bool = false) {
        (self.metresPerSecond, self.source, self.isDefault) = (metresPerSecond, source.sanitizedLine, isDefault)
    }
}

extension FileSpeed {
    private static let units: [(words: Set<String>, metresPerSecond: Double)] = [
        (["kmh", "kph", "km/h", "km"], 1 / 3.6), (["knots", "knot", "kn", "kt", "kts"], 1852.0 / 3600),
        (["mph"], 0.44704),
        (["ft", "ft/s", "fps"], 0.3048),
    ]

    /// Factor from a column or property of this name to m/s; `nil` if its name does not say that it is a speed.
    static func factor(ofName name: String) -> Double? {
        let words = words(of: name)
        guard words.contains(where: { $0.hasSuffix("speed") || $0.hasSuffix("velocity") || $0 == "maxvel" }) else {
            return nil
        }
        return units.first { unit in words.contains { unit.words.contains($0) } }?.metresPerSecond ?? 1
    }

    /// Whether a name that is not known says that it is a limit.
    static func isLimit(_ name: String) -> Bool {
        let words = words(of: name)
        return ["min", "minimum"].contains(words.first) || !words.filter(["max", "maximum", "limit"].contains).isEmpty
    }

    /// In lower case: `maxSpeed (km/h)` is `max`, `speed` and `km/h`.
    static func words(of name: String) -> [String] {
        var words = [""]
        var last: Character?
        for character in name {
            let isBreak = !(character.isLetter || character.isNumber || character == "/")
            if isBreak || (character.isUppercase && last?.isLowercase == true) { words.append("") }
            if !isBreak { words[words.count - 1].append(contentsOf: character.lowercased()) }
            last = character
        }
        return words.filter { !$0.isEmpty }
    }
}

extension RouteBuilder {
    /// Adds the speed in a cell or property that the route leaves out; one that is no number is left out aloud.
    mutating func demand(speed text: String, factor: Double, source: String) {
        guard let value = PlainNumber.double(text) else { return omit("\(source) is left out, and is no number") }
        // Zero and below: none is demanded.
        if value > 0 { demand(FileSpeed(value * factor, source)) }
    }
}
