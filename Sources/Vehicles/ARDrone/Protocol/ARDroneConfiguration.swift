/// The drone's configuration as it sends it on TCP port 5559: lines `section:key = value`, ended by a NUL byte.
///
/// Bytes come in any split; several dumps may follow on one connection.
package struct ARDroneConfigurationReader: Sendable {
    /// The most bytes of one dump; a real one has some 8000.
    package static let mostBytes = 262_144
    /// The most keys of one dump; a real one has some 130.
    package static let mostKeys = 2048

    private var bytes: [UInt8] = []
    /// Whether the dump that comes is too long, so that the rest of it is skipped.
    private var isTooLong = false

    /// Nothing has come.
    package init() {}

    /// Takes what has come.
    ///
    /// - Returns: the newest dump that is complete now; `nil` if none is.
    package mutating func take(_ more: some Collection<UInt8>) -> [String: String]? {
        var newest: [String: String]?
        for byte in more {
            guard byte == 0 else {
                if bytes.count < Self.mostBytes { bytes.append(byte) } else { isTooLong = true }
                continue
            }
            if !isTooLong, let dump = Self.parse(bytes) { newest = dump }
            (bytes, isTooLong) = ([], false)
        }
        return newest
    }

    /// The keys and values of a text; `nil` if it has none, as a list of identifiers.
    static func parse(_ text: [UInt8]) -> [String: String]? {
        var values: [String: String] = [:]
        var openKey: String?
        for line in text.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            // A vector may wrap over lines.
            if let key = openKey {
                values[key]? += " " + trimmed(line)
                if line.contains(UInt8(ascii: "}")) { openKey = nil }
                continue
            }
            guard let equals = line.firstIndex(of: UInt8(ascii: "=")), values.count < mostKeys else { continue }
            let (key, value) = (trimmed(line[..<equals]), trimmed(line[line.index(after: equals)...]))
            guard key.contains(":") else { continue }
            values[key] = value
            if value.hasPrefix("{"), !value.contains("}") { openKey = key }
        }
        return values.isEmpty ? nil : values
    }

    /// Whether two values mean the same: numbers are compared as such, since the drone prints them in its own way.
    package static func same(_ left: String, _ right: String) -> Bool {
        if left == right { return true }
        if let left = Double(left), let right = Double(right) {
            return abs(left - right) <= 1e-4 * max(abs(left), abs(right))
        }
        return left.lowercased() == right.lowercased()
    }

    private static func trimmed(_ bytes: some BidirectionalCollection<UInt8>) -> String {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        var content = Array(bytes.drop(while: isBlank))
        while let last = content.last, isBlank(last) { content.removeLast() }
        return String(decoding: content, as: UTF8.self)
    }
}
