/// What `swift package dump-package` tells of the targets; the rest of it is not read.
struct Manifest: Decodable {
    struct Target: Decodable {
        enum Kind: String, Decodable {
            case regular, executable, test, system
            case other

            init(from decoder: any Decoder) throws {
                self = Self(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .other
            }
        }

        var name: String
        var type: Kind
        var path: String?
        var dependencies: [Dependency]

        /// Where its sources are, from the package's folder.
        var folder: String { path ?? (type == .test ? "Tests/" : "Sources/") + name }
        /// Whether it is there for tests and measurements only: a test, or what tests are made with.
        var servesTests: Bool { folder.hasPrefix("Tests/") || folder.hasPrefix("Benchmarks/") }
        /// The folder of `Sources` in which it stands; `nil` for what stands elsewhere.
        var layer: String? {
            let parts = folder.split(separator: "/")
            return parts.count == 3 && parts[0] == "Sources" ? String(parts[1]) : nil
        }
        /// Whether it is a tool of the build.
        var isTool: Bool { folder.hasPrefix("Tools/") }
    }

    /// `{"byName": ["X", null]}` or `{"target": ["X", null]}`.
    struct Dependency: Decodable {
        var name: String

        init(from decoder: any Decoder) throws {
            let byKind = try decoder.singleValueContainer().decode([String: [Part]].self)
            guard case .name(let name) = byKind.values.first?.first else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath, debugDescription: "a dependency without a name"))
            }
            self.name = name
        }

        /// A name, or whatever else stands beside it.
        private enum Part: Decodable {
            case name(String), other

            init(from decoder: any Decoder) throws {
                let text = try? decoder.singleValueContainer().decode(String.self)
                self = text.map(Part.name) ?? .other
            }
        }
    }

    var targets: [Target]
}
