/// The targets in the output of `swift package dump-package`; the rest is ignored.
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

        /// The folder of its sources, relative to the package.
        var folder: String { path ?? (type == .test ? "Tests/" : "Sources/") + name }
        /// Whether it is for tests and measurements only: a test, or a helper of tests.
        var isForTests: Bool { folder.hasPrefix("Tests/") || folder.hasPrefix("Benchmarks/") }
        /// The folder of `Sources` that contains it; `nil` outside of `Sources`.
        var layer: String? {
            let parts = folder.split(separator: "/")
            return parts.count == 3 && parts[0] == "Sources" ? String(parts[1]) : nil
        }
        /// Whether it is a build tool.
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

        /// A name, or any other element.
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
