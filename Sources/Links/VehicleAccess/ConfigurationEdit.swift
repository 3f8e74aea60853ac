internal import UAVLink
internal import YAML

/// Adds to the text of a configuration: bytes in, bytes out.
///
/// Only whole lines are inserted, so comments and spacing stay as they were. The result is parsed again and refused if it is
/// not the old configuration plus the addition (flow style, a second document, ...).
struct ConfigurationEdit {
    private let bytes: [UInt8]
    private let source: String
    private let before: Configuration
    private let root: YAMLNode?

    /// - Throws: ``LinkError`` for a text that is not a valid configuration.
    init(_ bytes: [UInt8], source: String) throws(LinkError) {
        self.bytes = bytes
        self.source = source
        before = try Configuration(bytes: bytes, source: source)
        root = (try? YAMLReader.documents(bytes))?.first
    }

    /// The text with one more vehicle, after the others.
    ///
    /// - Throws: ``LinkError`` if the name is taken, or there is no place to insert it.
    func adding(_ profile: VehicleProfile) throws(LinkError) -> [UInt8] {
        guard !before.vehicles.contains(where: { $0.name == profile.name }) else {
            throw LinkError(
                .invalidInput, "\(source) already has a vehicle '\(profile.name)'", hint: "choose another name")
        }
        var expected = before
        expected.vehicles.append(profile)
        let byHand = "\(Self.scalar(profile.name)): {\(profile.written.map { "\($0): \($1)" }.joined(separator: ", "))}"
        let place = newVehicleInsertion
        let inner = place.indentation + place.step
        let lines =
            place.opening + [spaces(place.indentation) + Self.scalar(profile.name) + ":"]
            + profile.written.map { spaces(inner) + "\($0): \($1)" }
        return try checked(inserting(lines, before: place.line), expected, byHand: byHand)
    }

    /// The text with a password file added to a vehicle.
    func naming(passwordFile: String, of name: String) throws(LinkError) -> [UInt8] {
        var expected = before
        guard let index = before.vehicles.firstIndex(where: { $0.name == name }),
            let entry = vehicleEntries.first(where: { $0.key == name })
        else { throw LinkError(.invalidInput, "\(source) has no vehicle '\(name)'") }
        expected.vehicles[index].passwordFile = passwordFile
        let text = "password-file: \(Self.scalar(passwordFile))"
        let first = (try? entry.value.mapping)?.entries.first?.keyPosition
        let column = first.map { $0.column - 1 } ?? entry.keyPosition.column + 1
        let line = first.map { $0.line - 1 } ?? entry.keyPosition.line
        return try checked(inserting([spaces(column) + text], before: line), expected, byHand: text)
    }

    // MARK: Where

    private struct Place {
        /// Index of the line before which to insert, from 0.
        var line: Int
        /// Indentation of the vehicle's name, and the further indentation of its keys.
        var indentation: Int
        var step = 2
        /// Lines that must precede it.
        var opening: [String] = []
    }

    private var vehicleEntries: [YAMLMapping.Entry] { (try? root?["vehicles"]?.mapping)?.entries ?? [] }

    private var newVehicleInsertion: Place {
        let keys = (try? root?.mapping)?.entries ?? []
        let margin = (keys.first?.keyPosition.column ?? 1) - 1
        guard let vehicles = keys.first(where: { $0.key == "vehicles" }) else {
            return Place(line: lines.count, indentation: margin + 2, opening: [spaces(margin) + "vehicles:"])
        }
        guard let first = vehicleEntries.first else {
            return Place(line: vehicles.keyPosition.line, indentation: margin + 2)
        }
        let indentation = first.keyPosition.column - 1
        let children = vehicleEntries.compactMap { try? $0.value.mapping.entries.first?.keyPosition.column }
        let step = children.first.map { $0 - 1 - indentation } ?? 2
        let next = keys.map(\.keyPosition.line).filter { $0 > vehicles.keyPosition.line }.min()
        // YAML has line ends that are not split here (a lone CR, NEL, ...): its line numbers may exceed the last line.
        var end = min(next.map { $0 - 1 } ?? lines.count, lines.count)
        // Blank lines and comments of the next key stay with it.
        while end > first.keyPosition.line, belongsToNextKey(lines[end - 1], within: indentation) { end -= 1 }
        return Place(line: end, indentation: indentation, step: max(1, step))
    }

    private func belongsToNextKey(_ line: ArraySlice<UInt8>, within indentation: Int) -> Bool {
        let text = line.drop { $0 == 0x20 }
        guard let first = text.first, first != 0x0D else { return true }
        if first == UInt8(ascii: "#") { return text.startIndex - line.startIndex < indentation }
        return text.starts(with: Array("...".utf8)) && text.startIndex == line.startIndex
    }

    /// The lines without line feeds; none after the last line feed.
    private var lines: [ArraySlice<UInt8>] {
        var all = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        if all.last?.isEmpty == true { all.removeLast() }
        return all
    }

    // MARK: What

    private func inserting(_ new: [String], before line: Int) -> [UInt8] {
        let end = bytes.contains(0x0D) ? Array("\r\n".utf8) : [0x0A]
        let old = lines
        let at = min(max(line, 0), old.count)
        var out: [UInt8] = []
        for (index, text) in old.enumerated() {
            if index == at { for line in new { out += Array(line.utf8) + end } }
            out += text
            // A last line without a line feed gets one only if something follows it.
            if index < old.count - 1 || bytes.last == 0x0A { out.append(0x0A) } else if at == old.count { out += end }
        }
        if at == old.count { for line in new { out += Array(line.utf8) + end } }
        return out
    }

    private func checked(
        _ result: [UInt8], _ expected: Configuration, byHand: String
    ) throws(LinkError) -> [UInt8] {
        guard let read = try? Configuration(bytes: result, source: source), read == expected else {
            throw LinkError(
                .invalidInput, "\(source) has a layout to which nothing can be added without changing it",
                hint: "nothing was changed; add by hand: \(byHand)")
        }
        return result
    }

    private func spaces(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }

    /// Text as a YAML scalar: unquoted if it is unambiguous.
    static func scalar(_ text: String) -> String {
        let isLetter = { (byte: UInt8) in (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte) }
        let isPlain =
            text.utf8.first.map { isLetter($0) || $0 == UInt8(ascii: "/") } == true
            && text.utf8.allSatisfy { isLetter($0) || (0x2D...0x39).contains($0) || $0 == 0x5F }
            && !["true", "false", "yes", "no", "on", "off", "null", "y", "n"].contains(text.lowercased())
        let isAddress =
            text.utf8.filter { $0 == 0x2E }.count == 3
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E } && text.utf8.first != 0x2E
        return isPlain || isAddress ? text : YAMLText.text(text).flow
    }
}

extension VehicleProfile {
    /// The keys and values of the profile as YAML; defaults are left out, except `uav`.
    fileprivate var written: [(String, String)] {
        let standard = VehicleProfile(name: name)
        var out: [(String, String)] = []
        func add(_ key: String, _ value: String?) {
            if let value { out.append((key, ConfigurationEdit.scalar(value))) }
        }
        add("host", host)
        if port != standard.port { out.append(("port", String(port))) }
        add("user", user)
        add("uav", vehicle)
        if link != standard.link { add("link", link.word) }
        if setup != standard.setup { add("setup", setup) }
        if companion != standard.companion { add("companion", companion) }
        add("bind", bindAddress)
        if !identities.isEmpty {
            out.append(("identity", "[" + identities.map(ConfigurationEdit.scalar).joined(separator: ", ") + "]"))
        }
        add("known-hosts", knownHosts)
        add("ros-master", rosMaster)
        if let version = ros.version { out.append(("ros", String(version))) }
        add("router", ros.router)
        add("router-ca", ros.authorityFile)
        add("router-client-certificate", ros.certificateFile)
        add("router-client-key", ros.keyFile)
        if let domain = ros.domain { out.append(("domain", String(domain))) }
        add("password-file", passwordFile)
        if snapshotService != standard.snapshotService { add("snapshot-service", snapshotService) }
        add("world", world)
        if !rates.isEmpty {
            let pairs = rates.sorted { $0.key < $1.key }.map { "\(ConfigurationEdit.scalar($0.key)): \($0.value)" }
            out.append(("rates", "{" + pairs.joined(separator: ", ") + "}"))
        }
        if robot != standard.robot { out.append(("robot", robot.flow)) }
        return out
    }
}
