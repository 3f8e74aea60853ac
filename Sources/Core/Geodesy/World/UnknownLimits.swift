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
                guard !LimitKey.mayLimit(entry.key) else {
                    let hint = known.isEmpty ? "" : "; known keys: " + known.joined(separator: ", ")
                    throw YAMLError(
                        .unknownKey, at: entry.keyPosition,
                        "unknown key '\(entry.key.sanitizedLine)', which may limit where the vehicle may fly\(hint)")
                }
                try refuse(in: entry.value)
            }
        }
    }
}
