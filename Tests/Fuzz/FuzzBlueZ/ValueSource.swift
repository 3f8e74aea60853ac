import BlueZ
import DBus

/// Makes values of D-Bus from bytes: often such as BlueZ has, so that what follows is reached, and else any.
struct ValueSource {
    private let bytes: [UInt8]
    private var place = 0
    /// The most values of one message are made of few bytes.
    private var left = 2000

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { place >= bytes.count }

    /// The next byte; 0 at the end.
    mutating func next() -> UInt8 {
        guard !isAtEnd else { return 0 }
        defer { place += 1 }
        return bytes[place]
    }

    private mutating func pick(_ words: [String]) -> String { words[Int(next()) % words.count] }

    // MARK: Words

    private static let adapter = "/org/bluez/hci0"
    private static let device = "/org/bluez/hci0/dev_AA_BB_CC_DD_EE_01"

    mutating func path() -> String {
        let choice = next()
        guard choice < 0xE0 else { return text() }
        let paths = [
            Self.adapter, Self.device, Self.device + "/service1", Self.device + "/service1/char1",
            Self.device + "/service1/char2", "/org/bluez/hci1", "/org/bluez/hci0/dev_2", "/",
        ]
        return paths[Int(choice) % paths.count]
    }

    mutating func interface() -> String {
        let choice = next()
        guard choice < 0xE0 else { return text() }
        let names = [
            BlueZNames.adapter, BlueZNames.device, BlueZNames.gattService, BlueZNames.characteristic,
            BlueZNames.properties, BlueZNames.objectManager, BlueZNames.bus,
        ]
        return names[Int(choice) % names.count]
    }

    /// Any text, sometimes a very long one.
    mutating func text() -> String {
        let choice = next()
        switch choice {
        case 0..<0x40:
            return pick([
                "org.bluez.Error.Failed", "org.bluez.Error.AlreadyConnected", "org.bluez.Error.NotReady",
                "org.freedesktop.DBus.Error.NoReply", "org.freedesktop.DBus.Error.", "le-connection-abort-by-local",
            ])
        case 0x40..<0x80:
            return pick([
                "AA:BB:CC:DD:EE:01", "aa:bb:cc:dd:ee:02", "Bluno", "bluno é\u{301}", LEUUID.full("dfb0"),
                LEUUID.full("dfb1").uppercased(), LEUUID.full("dfb2"), "write-without-response", "",
            ])
        case 0x80..<0xF0:
            let count = Int(choice & 0x1F)
            let taken = bytes[min(place, bytes.count)..<min(place + count, bytes.count)]
            place += count
            return String(decoding: taken, as: UTF8.self)
        default:
            return String(repeating: pick(["x", "/", "ä", "\u{301}", "\u{1B}[2J", ":"]), count: Int(next()) * 40)
        }
    }

    // MARK: Values

    /// Some values; none of them lies deeper than they can come.
    mutating func values() -> [DBusValue] {
        left = 2000
        return (0..<Int(next()) % 5).map { _ in value() }
    }

    mutating func value(depth: Int = 0) -> DBusValue {
        left -= 1
        guard left > 0, !isAtEnd else { return .other }
        let choice = next()
        switch choice % (depth < 16 ? 12 : 8) {
        case 0: return .bool(choice & 0x80 != 0)
        case 1: return .integer(Int64(next()) - 128)
        case 2: return .integer([.min, .max, 3, 4, 23, 517, 1 << 32][Int(next()) % 7])
        case 3: return .large(.max)
        case 4: return .double([0, .nan, .infinity, -1e300][Int(next()) % 4])
        case 5, 6: return .string(text())
        case 7: return .bytes([UInt8](repeating: choice, count: Int(next()) * 8))
        case 8, 9: return .list((0..<Int(next()) % 40).map { _ in value(depth: depth + 1) })
        case 10:
            var entries: [String: DBusValue] = [:]
            for _ in 0..<Int(next()) % 12 { entries[text()] = value(depth: depth + 1) }
            return .dictionary(entries)
        default: return .other
        }
    }

    private static let names = [
        "Powered", "Address", "Name", "RSSI", "UUIDs", "Connected", "ServicesResolved", "UUID", "Flags", "MTU", "Value",
    ]

    /// Properties, mostly with names that are looked at, and with values that they have or not.
    mutating func properties() -> DBusValue {
        let choice = next()
        guard choice < 0xF0 else { return value() }
        var entries: [String: DBusValue] = [:]
        for _ in 0..<Int(choice) % 8 {
            let name = next() < 0xF0 ? pick(Self.names) : text()
            entries[name] = next() < 0x80 ? usual(name) : value()
        }
        return .dictionary(entries)
    }

    private mutating func usual(_ name: String) -> DBusValue {
        switch name {
        case "Powered", "Connected", "ServicesResolved": .bool(next() < 0xC0)
        case "Address": .string("AA:BB:CC:DD:EE:01")
        case "Name": .string("Bluno")
        case "RSSI": .integer(-Int64(next()))
        case "UUIDs": .list([.string(LEUUID.full("dfb0"))])
        case "UUID": .string(LEUUID.full(next() < 0x80 ? "dfb1" : "dfb2"))
        case "Flags": .list([.string("write"), .string("notify")])
        case "MTU": .integer(Int64(next()) * 4)
        default: .bytes([next(), next()])
        }
    }

    /// Interfaces with their properties.
    mutating func interfaces() -> DBusValue {
        let choice = next()
        guard choice < 0xF0 else { return value() }
        var entries: [String: DBusValue] = [:]
        for _ in 0..<Int(choice) % 4 { entries[interface()] = properties() }
        return .dictionary(entries)
    }

    /// Objects as `GetManagedObjects` answers them; now and then those of a board that is well.
    mutating func objects() -> DBusValue {
        let choice = next()
        guard choice < 0xF0 else { return value() }
        var entries: [String: DBusValue] = [:]
        if choice & 1 == 0 {
            entries[Self.adapter] = .dictionary([BlueZNames.adapter: .dictionary(["Powered": .bool(true)])])
        }
        if choice & 2 == 0 {
            entries[Self.device] = .dictionary([
                BlueZNames.device: .dictionary([
                    "Address": .string("AA:BB:CC:DD:EE:01"), "Name": .string("Bluno"), "RSSI": .integer(-50),
                    "Connected": .bool(choice & 4 == 0), "ServicesResolved": .bool(choice & 8 == 0),
                ])
            ])
            entries[Self.device + "/service1/char1"] = .dictionary([
                BlueZNames.characteristic: .dictionary([
                    "UUID": .string(LEUUID.full("dfb1")), "MTU": .integer(Int64(choice)),
                ])
            ])
        }
        for _ in 0..<Int(choice >> 4) % 6 { entries[path()] = interfaces() }
        return .dictionary(entries)
    }
}
