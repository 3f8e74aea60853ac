import ReportKit

/// What programs are made of, as an SPDX 2.3 document (https://spdx.github.io/spdx-spec/v2.3/).
struct BillOfMaterials {
    /// Of the release that the programs belong to.
    struct Release {
        /// The document's name.
        var name: String
        var version: String
        var swiftVersion: String
        /// Debian, or what is derived from it, as in `ID` of `/etc/os-release`.
        var distribution: String
        /// ISO 8601, UTC.
        var created: String
        /// Different for every content.
        var namespace: String
    }

    /// A line that is none, counted from 1.
    struct LineError: Error, CustomStringConvertible {
        let line: Int
        let text: String
        var description: String { "line \(line): not understood: \(text)" }
    }

    /// How a library belongs to a program.
    private enum Inclusion: String {
        /// Its code is inside the program.
        case `static`
        /// The program is linked with it.
        case dynamic
        /// The program loads it when it needs it.
        case loaded
    }

    private let release: Release
    private var packages: [String: JSONValue] = [:]
    private var relationships: [JSONValue] = []

    init(_ release: Release) { self.release = release }

    // MARK: Content

    /// Adds what a line says, its words separated by tabs:
    ///
    /// ```
    /// program NAME SHA256
    /// static PROGRAM PACKAGE VERSION     code of this Debian package is inside the program
    /// dynamic PROGRAM PACKAGE VERSION    the program is linked with a library of this package
    /// loaded PROGRAM PACKAGE VERSION     the program loads a library of this package when it needs it
    /// ```
    mutating func add(line text: String, number: Int) throws(LineError) {
        let words = text.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        if words.count == 3, words[0] == "program" {
            add(program: words[1], sha256: words[2])
        } else if words.count == 4, let inclusion = Inclusion(rawValue: words[0]) {
            add(library: words[2], version: words[3], of: words[1], inclusion)
        } else {
            throw LineError(line: number, text: text)
        }
    }

    private mutating func add(program name: String, sha256: String) {
        let checksum: JSONValue = ["algorithm": "SHA256", "checksumValue": .string(sha256)]
        let program = add(
            "Program", name, version: release.version, license: "Apache-2.0", purpose: "APPLICATION",
            .init("checksums", [checksum]))
        relate("SPDXRef-DOCUMENT", "DESCRIBES", program)
        let runtime = add(
            "Library", "swift-runtime", version: release.swiftVersion, license: "Apache-2.0 WITH Swift-exception",
            purpose: "LIBRARY")
        relate(program, "STATIC_LINK", runtime)
    }

    private mutating func add(library name: String, version: String, of program: String, _ inclusion: Inclusion) {
        let isKnown = !version.isEmpty
        let locator = "pkg:deb/\(release.distribution)/\(name)@\(Self.percentEncoded(version))"
        let reference: JSONValue = [
            "referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": .string(locator),
        ]
        let library = add(
            "Library", name, version: isKnown ? version : "NOASSERTION", license: "NOASSERTION", purpose: "LIBRARY",
            isKnown ? .init("externalRefs", [reference]) : nil)
        let program = Self.identifier("Program", program)
        switch inclusion {
        case .static: relate(program, "STATIC_LINK", library)
        case .dynamic: relate(program, "DYNAMIC_LINK", library)
        case .loaded: relate(library, "OPTIONAL_DEPENDENCY_OF", program)
        }
    }

    /// The first of a name counts.
    private mutating func add(
        _ kind: String, _ name: String, version: String, license: String, purpose: String,
        _ more: JSONValue.Member? = nil
    ) -> String {
        let identifier = Self.identifier(kind, name)
        guard packages[identifier] == nil else { return identifier }
        let members: [JSONValue.Member] = [
            .init("SPDXID", .string(identifier)), .init("name", .string(name)),
            .init("versionInfo", .string(version)), .init("downloadLocation", "NOASSERTION"),
            .init("filesAnalyzed", false), .init("licenseConcluded", .string(license)),
            .init("licenseDeclared", .string(license)), .init("copyrightText", "NOASSERTION"),
            .init("primaryPackagePurpose", .string(purpose)),
        ]
        packages[identifier] = .object(members + (more.map { [$0] } ?? []))
        return identifier
    }

    private mutating func relate(_ one: String, _ kind: JSONValue, _ other: String) {
        relationships.append([
            "spdxElementId": .string(one), "relationshipType": kind, "relatedSpdxElement": .string(other),
        ])
    }

    // MARK: Document

    /// The document, on one line; the same content gives the same bytes.
    var text: String {
        let document: JSONValue = [
            "spdxVersion": "SPDX-2.3",
            "dataLicense": "CC0-1.0",
            "SPDXID": "SPDXRef-DOCUMENT",
            "name": .string(release.name),
            "documentNamespace": .string(release.namespace),
            "creationInfo": [
                "created": .string(release.created),
                "creators": [.string("Tool: uavlink-package-\(release.version)")],
            ],
            "packages": .array(packages.sorted { $0.key < $1.key }.map(\.value)),
            "relationships": .array(relationships),
        ]
        return document.text
    }

    /// Letters, digits, full stops and hyphens are all that an identifier may have.
    static func identifier(_ kind: String, _ name: String) -> String {
        "SPDXRef-\(kind)-" + String(name.unicodeScalars.map { isPlain($0) ? Character($0) : "-" })
    }

    /// As in a package URL: what is not unreserved in RFC 3986.
    static func percentEncoded(_ text: String) -> String {
        text.utf8.reduce(into: "") { encoded, byte in
            let scalar = Unicode.Scalar(byte)
            if isPlain(scalar) || scalar == "_" || scalar == "~" {
                encoded.unicodeScalars.append(scalar)
            } else {
                encoded += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", ".", "-": true
        default: false
        }
    }
}
