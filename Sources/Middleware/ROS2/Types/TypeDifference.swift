/// In what another description of a type differs from ours.
public struct TypeDifference: Hashable, Sendable, CustomStringConvertible {
    /// The type whose fields differ, which may be one in the type that was compared.
    public let typeName: String
    /// What differs, with our and their version.
    public let what: String

    /// One line.
    public var description: String { "\(typeName): \(what)" }
}

extension TypeDescription {
    /// The first difference from another description of the type; `nil` when both are hashed alike.
    public func firstDifference(from theirs: TypeDescription) -> TypeDifference? {
        if let found = type.firstDifference(from: theirs.type) { return found }
        for ours in referenced {
            guard let other = theirs[ours.typeName] else {
                return TypeDifference(typeName: ours.typeName, what: "is missing in theirs")
            }
            if let found = ours.firstDifference(from: other) { return found }
        }
        return theirs.referenced.first { self[$0.typeName] == nil }.map {
            TypeDifference(typeName: $0.typeName, what: "is missing in ours")
        }
    }
}

extension IndividualTypeDescription {
    fileprivate func firstDifference(from theirs: IndividualTypeDescription) -> TypeDifference? {
        func found(_ what: String) -> TypeDifference { TypeDifference(typeName: typeName, what: what) }
        guard typeName == theirs.typeName else { return found("theirs is '\(theirs.typeName)'") }
        for (place, (ours, other)) in zip(fields, theirs.fields).enumerated() {
            guard ours.name == other.name else {
                return found("field \(place + 1) is '\(ours.name)' in ours and '\(other.name)' in theirs")
            }
            guard ours.type == other.type else {
                return found("field '\(ours.name)' is '\(ours.type)' in ours and '\(other.type)' in theirs")
            }
        }
        if fields.count > theirs.fields.count {
            return found("field '\(fields[theirs.fields.count].name)' is missing in theirs")
        }
        if fields.count < theirs.fields.count {
            return found("field '\(theirs.fields[fields.count].name)' is missing in ours")
        }
        return nil
    }
}
