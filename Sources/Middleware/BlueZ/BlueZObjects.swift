internal import DBus

/// BlueZ's objects, as far as they are needed: adapters, devices, and their characteristics.
package struct BlueZObjects: Sendable {
    /// The most objects that are kept: a hall full of devices has some hundreds.
    package static let most = 4096

    private typealias Properties = [String: DBusValue]
    /// The longest path that is kept, bytes: those of BlueZ have some 70.
    static let longestPath = 255
    /// The longest text that is kept, bytes: a device's name has at most 248.
    static let longestText = 248
    /// The most texts of a list that are kept: a device has some tens of services.
    static let mostTexts = 256
    /// What is kept of each interface: nothing else is ever looked at, however much of it comes.
    private static let known: [String: Set<String>] = [
        BlueZNames.adapter: ["Powered"],
        BlueZNames.device: ["Address", "Name", "RSSI", "UUIDs", "Connected", "ServicesResolved"],
        BlueZNames.gattService: [],
        BlueZNames.characteristic: ["UUID", "Flags", "MTU"],
    ]
    /// The properties of each interface of each path.
    private var objects: [String: [String: Properties]] = [:]

    /// None.
    package init() {}

    // MARK: What BlueZ says

    /// The answer to `GetManagedObjects`.
    mutating func replace(_ answer: DBusValue?) {
        objects = [:]
        for (path, interfaces) in answer?.dictionary ?? [:] { add(path, interfaces) }
    }

    /// An object has come, or got more interfaces.
    mutating func add(_ path: String, _ interfaces: DBusValue) {
        guard objects[path] != nil || objects.count < Self.most, path.utf8.first == UInt8(ascii: "/"),
            path.utf8.count <= Self.longestPath
        else { return }
        for (interface, properties) in interfaces.dictionary ?? [:] {
            guard let names = Self.known[interface] else { continue }
            let wanted = (properties.dictionary ?? [:]).filter { names.contains($0.key) }
            objects[path, default: [:]][interface] = wanted.compactMapValues(Self.kept)
        }
    }

    /// An object has lost interfaces, and is gone with the last.
    mutating func remove(_ path: String, _ interfaces: [String]) {
        for interface in interfaces { objects[path]?[interface] = nil }
        if objects[path]?.isEmpty == true { objects[path] = nil }
    }

    /// Properties have changed.
    mutating func change(_ path: String, _ interface: String, _ changed: DBusValue?, invalid: [String]) {
        guard objects[path]?[interface] != nil, let names = Self.known[interface] else { return }
        for (name, value) in changed?.dictionary ?? [:] where names.contains(name) {
            objects[path]?[interface]?[name] = Self.kept(value)
        }
        for name in invalid { objects[path]?[interface]?[name] = nil }
    }

    /// What is kept of a value, within the limits; `nil` for what no property that is looked at can be.
    private static func kept(_ value: DBusValue) -> DBusValue? {
        switch value {
        case .bool, .integer: value
        case .string(let text): .string(text.cut(to: longestText))
        case .list: .list((value.strings ?? []).prefix(mostTexts).map { .string($0.cut(to: longestText)) })
        case .large, .double, .bytes, .dictionary, .other: nil
        }
    }

    /// How many objects there are, and the bytes of their texts.
    var size: (objects: Int, bytes: Int) {
        var bytes = 0
        for (path, interfaces) in objects {
            bytes += path.utf8.count
            for value in interfaces.values.flatMap(\.values) {
                bytes += value.string?.utf8.count ?? value.strings?.reduce(0) { $0 + $1.utf8.count } ?? 0
            }
        }
        return (objects.count, bytes)
    }

    // MARK: What there is

    private func paths(of interface: String) -> [(path: String, properties: Properties)] {
        objects.compactMap { path, interfaces in interfaces[interface].map { (path, $0) } }
            .sorted { $0.path < $1.path }
    }

    /// The adapters by their paths: `/org/bluez/hci0` first.
    var adapters: [LEAdapter] {
        paths(of: BlueZNames.adapter).map { path, properties in
            LEAdapter(path: path, isPowered: properties["Powered"]?.bool ?? false)
        }
    }

    /// An adapter by its path.
    func adapter(_ path: String) -> LEAdapter? {
        objects[path]?[BlueZNames.adapter].map { LEAdapter(path: path, isPowered: $0["Powered"]?.bool ?? false) }
    }

    /// The devices that an adapter has seen or remembers.
    func devices(of adapter: String) -> [LEDevice] {
        paths(of: BlueZNames.device).filter { $0.path.hasPrefix(adapter + "/") }
            .compactMap { LEDevice(path: $0.path, $0.properties) }
    }

    /// A device by its path.
    func device(_ path: String) -> LEDevice? {
        objects[path]?[BlueZNames.device].flatMap { LEDevice(path: path, $0) }
    }

    /// The characteristics of a device, once its services are resolved.
    func characteristics(of device: String) -> [LECharacteristic] {
        paths(of: BlueZNames.characteristic).filter { $0.path.hasPrefix(device + "/") }.map { path, properties in
            LECharacteristic(
                path: path, uuid: properties["UUID"]?.string?.lowercased() ?? "",
                flags: Set(properties["Flags"]?.strings ?? []), mtu: Int(properties["MTU"]?.integer ?? 0))
        }
    }
}

/// A radio of this computer.
package struct LEAdapter: Hashable, Sendable {
    package var path: String
    package var isPowered: Bool

    /// Its short name: `hci0`.
    package var name: String { path.split(separator: "/").last.map(String.init) ?? path }
}

/// A device in range, or one that BlueZ remembers.
package struct LEDevice: Hashable, Sendable {
    package var path: String
    /// `AA:BB:CC:DD:EE:FF`.
    package var address: String
    /// What it calls itself. Untrusted.
    package var name: String?
    /// How strong it is heard, dBm; `nil` if it is not heard now.
    package var rssi: Int?
    /// The UUIDs of its services, as far as they are known before it is connected; lower case.
    package var services: Set<String>
    package var isConnected: Bool
    package var isResolved: Bool

    /// - Returns: `nil` without an address.
    init?(path: String, _ properties: [String: DBusValue]) {
        guard let address = properties["Address"]?.string, LEAddress.isValid(address) else { return nil }
        self.path = path
        self.address = address.uppercased()
        name = properties["Name"]?.string
        rssi = properties["RSSI"]?.integer.flatMap { Int(exactly: $0) }
        services = Set((properties["UUIDs"]?.strings ?? []).map { $0.lowercased() })
        isConnected = properties["Connected"]?.bool ?? false
        isResolved = properties["ServicesResolved"]?.bool ?? false
    }
}

/// A characteristic of a connected device.
package struct LECharacteristic: Hashable, Sendable {
    package var path: String
    /// Its full UUID, lower case.
    package var uuid: String
    /// `read`, `write`, `write-without-response`, `notify` and others.
    package var flags: Set<String>
    /// The largest packet, bytes; 0 if it is not known.
    package var mtu: Int

    /// The most bytes of a value that is written at once: what the packet's head leaves, and 20 where the size is not known.
    package var mostBytes: Int { mtu > 3 ? min(mtu - 3, 512) : 20 }
}

/// Addresses of Bluetooth devices.
package enum LEAddress {
    /// Whether a text is one: six bytes in hexadecimal, with colons.
    package static func isValid(_ text: some StringProtocol) -> Bool {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count == 6
            && parts.allSatisfy { $0.utf8.count == 2 && $0.utf8.allSatisfy(isHexadecimal) }
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
    }
}

extension String {
    /// At most so many bytes of it; a character that is cut through becomes a replacement character.
    func cut(to bytes: Int) -> String {
        utf8.count <= bytes ? self : String(decoding: utf8.prefix(bytes), as: UTF8.self)
    }
}
