internal import Digests

extension TypeDescription {
    /// The hash of the description.
    public var hash: TypeHash {
        // A digest has 32 bytes.
        TypeHash(digest: SHA256.of(Array(hashedText.utf8))) ?? TypeHash(0, 0, 0, 0)
    }

    /// The text that is hashed: JSON with the keys in this order and these separators, without defaults.
    var hashedText: String {
        let others = referenced.map(\.hashedText).joined(separator: ", ")
        return "{\"type_description\": \(type.hashedText), \"referenced_type_descriptions\": [\(others)]}"
    }
}

extension IndividualTypeDescription {
    fileprivate var hashedText: String {
        let fields = fields.map { field in
            let type = field.type
            return "{\"name\": \(field.name.json), \"type\": {\"type_id\": \(type.typeID), "
                + "\"capacity\": \(type.capacity), \"string_capacity\": \(type.stringCapacity), "
                + "\"nested_type_name\": \(type.nestedTypeName.json)}}"
        }
        return "{\"type_name\": \(typeName.json), \"fields\": [\(fields.joined(separator: ", "))]}"
    }
}

extension String {
    /// In quotes. Names are ASCII letters, digits, underscores and slashes; what a vehicle sends instead gets another hash than
    /// the one that it announces, however it is written here.
    fileprivate var json: String {
        var text = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"", "\\": text += "\\\(scalar)"
            case "\u{20}"..."\u{7E}": text.unicodeScalars.append(scalar)
            default: text += "\\u{\(String(scalar.value, radix: 16))}"
            }
        }
        return text + "\""
    }
}
