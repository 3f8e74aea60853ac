internal import UAVLink
internal import YAML

/// Finds keys of a world file that seem to limit where or how the vehicle may fly, and are not known: without them a flight would
/// be called safe that is not.
///
/// By their names, and, since an area and a limit can have any name, by what they hold: places, a number, or a switch.
enum UnknownLimits {
    /// Places of the flight stack that limit nothing begin with these: `utm_origin_lat`, `local_origin_x`.
    private static let origins = [
        "world_origin", "utm_origin", "local_origin", "rtk_local_origin", "init_gps_o", "use_utm_origin",
        "use_local_origin",
    ]
    /// Last words of keys whose number limits nothing.
    private static let labels: Set<String> = ["version", "id", "no", "number", "count", "year", "units"]
    /// The texts that are switches in YAML.
    private static let switches: Set<String> = ["true", "false", "yes", "no", "on", "off"]
    /// What may follow a number: `stay_below: 2 m`.
    private static let unitCharacters = " m/skft"

    /// Throws for the first such key of a mapping and of all that is below it.
    ///
    /// - Parameter known: keys of this mapping that are read with all that is below them; their readers refuse what they do not know.
    static func refuse(in node: YAMLNode, known: [String] = []) throws(YAMLError) {
        try refuse(in: node, known: known, isOrigin: false)
    }

    private static func refuse(in node: YAMLNode, known: [String], isOrigin: Bool) throws(YAMLError) {
        switch node.content {
        case .scalar: return
        case .sequence(let elements):
            for element in elements { try refuse(in: element, known: [], isOrigin: false) }
        case .mapping(let mapping):
            for entry in mapping.entries where !known.contains(entry.key) {
                let ofOrigin = origins.contains { entry.key.hasPrefix($0) }
                let isPlace = !ofOrigin && (holdsPlace(entry.value) || (!isOrigin && isCoordinate(entry)))
                let soundsSo = LimitKey.mayLimit(entry.key)
                let isValue = !ofOrigin && holdsValue(entry, isOrigin: isOrigin)
                guard !isPlace, !soundsSo, !isValue else {
                    let place = soundsSo ? "" : isPlace ? "holds a place or an area and " : "holds a value and "
                    let hint = known.isEmpty ? "" : "; known keys: " + known.joined(separator: ", ")
                    throw YAMLError(
                        .unknownKey, at: entry.keyPosition,
                        "unknown key '\(entry.key.sanitizedLine)', which \(place)may limit where the vehicle may fly"
                            + hint)
                }
                try refuse(in: entry.value, known: [], isOrigin: ofOrigin)
            }
        }
    }

    /// Whether a value is a list of numbers, or has a coordinate.
    private static func holdsPlace(_ node: YAMLNode) -> Bool {
        switch node.content {
        case .scalar(let text, _):
            // `8 -3 12 -3`, or `POLYGON((8 -3, 12 -3, ...))`; not a date, a version or one number.
            let parts = text.split(whereSeparator: { " ,;()[]\t\n".contains($0) })
            let count = parts.filter { Double($0) != nil }.count
            return count >= 2 && (count == parts.count || count >= 4)
        case .sequence(let elements):
            return elements.contains { isNumber($0) || holdsPlace($0) }
        case .mapping(let mapping): return mapping.entries.contains { isCoordinate($0) }
        }
    }

    /// Whether its key says that its value is a place, and the value may be one.
    private static func isCoordinate(_ entry: YAMLMapping.Entry) -> Bool {
        guard LimitKey.namesPlace(entry.key) else { return false }
        guard case .scalar = entry.value.content else { return true }
        return isNumber(entry.value) || holdsPlace(entry.value)
    }

    /// Whether it holds one number or a switch, and is no label and no coordinate of an origin.
    private static func holdsValue(_ entry: YAMLMapping.Entry, isOrigin: Bool) -> Bool {
        guard case .scalar(let text, _) = entry.value.content,
            !labels.contains(LimitKey.words(entry.key).last ?? ""), !isOrigin || !LimitKey.namesPlace(entry.key)
        else { return false }
        var number = Substring(text)
        while let last = number.last, unitCharacters.contains(last) { number.removeLast() }
        return Double(number) != nil || switches.contains(text.lowercased())
    }

    private static func isNumber(_ node: YAMLNode) -> Bool {
        guard case .scalar(let text, _) = node.content else { return false }
        return Double(text) != nil
    }
}
