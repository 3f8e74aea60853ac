/// Makes messages of D-Bus from bytes: often valid ones, so that what follows is reached, and then spoilt ones.
struct MessageSource {
    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { place >= bytes.count }

    /// The next byte; 0 at the end.
    mutating func next() -> UInt8 {
        guard !isAtEnd else { return 0 }
        defer { place += 1 }
        return bytes[place]
    }

    /// The next bytes as they are, at most so many.
    mutating func rest(_ most: Int) -> [UInt8] {
        let end = min(place + most, bytes.count)
        defer { place = end }
        return Array(bytes[min(place, end)..<end])
    }

    /// The answer to the log-in's call.
    static var hello: [UInt8] {
        var body = WireBytes()
        body.text(":1.7")
        return message(type: 2, replyTo: 1, signature: "s", body: body.bytes, serial: 1)
    }

    private static let signatures = [
        "s", "v", "a{sv}", "a{oa{sa{sv}}}", "oa{sa{sv}}", "sa{sv}as", "ay", "aay", "as", "a{us}", "a{vs}", "(sv(yy))",
        "h", "ah", "bynqiuxtdsog", "a{s(ia{sv})}", "aaaaaaaaaaaaaaaaaaaay", "av", "a(v)", "", "a{s", "()", "a", "zz",
        "a{sv}}",
    ]

    /// A message, or what passes for one.
    mutating func message() -> [UInt8] {
        let choice = next()
        guard choice >= 0x08 else { return rest(64) }
        let signature = Self.signatures[Int(next()) % Self.signatures.count]
        var body = WireBytes()
        var left = Array(signature)[...]
        while !left.isEmpty { value(&left, depth: 0, into: &body) }
        var made = Self.message(
            type: choice < 0xF0 ? [2, 3, 4, 4][Int(choice) % 4] : next(), replyTo: UInt32(next()) % 8,
            signature: signature, body: body.bytes, serial: UInt32(next()) + 1)
        // Some bytes of it are others, or missing.
        if choice & 0x10 != 0 {
            for _ in 0..<Int(next()) % 4 where !made.isEmpty {
                let at = (Int(next()) << 8 | Int(next())) % made.count
                made[at] = next()
            }
        }
        if choice & 0x60 == 0x60 { made.removeLast(min(made.count, Int(next()))) }
        return made
    }

    private static func message(
        type: UInt8, replyTo: UInt32, signature: String, body: [UInt8], serial: UInt32
    ) -> [UInt8] {
        var wire = WireBytes()
        wire.bytes = [UInt8(ascii: "l"), type, 1, 1]
        wire.number(UInt32(truncatingIfNeeded: body.count))
        wire.number(serial)
        wire.list(of: 8) { wire in
            func field(_ code: UInt8, _ kind: String, _ text: String) {
                wire.align(8)
                wire.bytes.append(code)
                wire.signature(kind)
                if kind == "g" { wire.signature(text) } else { wire.text(text) }
            }
            if type == 4 || type == 1 {
                field(1, "o", "/org/bluez/hci0")
                field(2, "s", "org.freedesktop.DBus.Properties")
                field(3, "s", "PropertiesChanged")
            }
            if type == 3 { field(4, "s", "org.bluez.Error.Failed") }
            if type == 2 || type == 3 {
                wire.align(8)
                wire.bytes.append(5)
                wire.signature("u")
                wire.number(replyTo)
            }
            field(7, "s", ":1.2")
            if !signature.isEmpty { field(8, "g", signature) }
        }
        wire.align(8)
        return wire.bytes + body
    }

    // MARK: Values

    /// A value of the next type of a signature.
    private mutating func value(_ types: inout ArraySlice<Character>, depth: Int, into wire: inout WireBytes) {
        guard let type = types.popFirst() else { return }
        switch type {
        case "y": wire.bytes.append(next())
        case "n", "q":
            wire.align(2)
            wire.bytes += [next(), next()]
        case "b": wire.number(UInt32(next() & 1))
        case "i", "u", "h": wire.number(UInt32(next()))
        case "x", "t", "d":
            wire.align(8)
            wire.bytes += (0..<8).map { _ in next() }
        case "s": wire.text(String(decoding: rest(Int(next()) % 16), as: UTF8.self).filter { $0 != "\0" })
        case "o": wire.text(next() < 0x80 ? "/org/bluez/hci0" : "/")
        case "g": wire.signature("a{sv}")
        case "v":
            let inside = isAtEnd || depth > 70 ? "y" : ["v", "s", "ay", "av", "a{sv}", "u", "(v)"][Int(next()) % 7]
            wire.signature(inside)
            var left = Array(inside)[...]
            value(&left, depth: depth + 1, into: &wire)
        case "a": list(&types, depth: depth, into: &wire)
        case "(", "{":
            wire.align(8)
            while let first = types.first, first != ")", first != "}" { value(&types, depth: depth + 1, into: &wire) }
            _ = types.popFirst()
        default: break
        }
    }

    private mutating func list(_ types: inout ArraySlice<Character>, depth: Int, into wire: inout WireBytes) {
        let (count, element) = (isAtEnd ? 0 : Int(next()) % 4, types)
        let alignment = "xtd({".contains(element.first ?? "y") ? 8 : "nq".contains(element.first ?? "y") ? 2 : 4
        // A long array of bytes, now and then.
        if element.first == "y", count == 3 {
            types.removeFirst()
            return wire.list(of: 1) { $0.bytes += [UInt8](repeating: 7, count: 60_000) }
        }
        var me = self
        wire.list(of: "ysgv".contains(element.first ?? "y") ? 1 : alignment) { wire in
            for _ in 0..<count {
                var types = element
                me.value(&types, depth: depth + 1, into: &wire)
            }
        }
        self = me
        // What an empty one does not pass over.
        var skipped = WireBytes()
        var nothing = MessageSource([])
        if depth < 80 { nothing.value(&types, depth: depth + 1, into: &skipped) }
    }
}

/// Bytes in the form of D-Bus, in little endian.
struct WireBytes {
    var bytes: [UInt8] = []

    mutating func align(_ size: Int) { while bytes.count % size != 0 { bytes.append(0) } }

    mutating func number(_ value: UInt32) {
        align(4)
        for shift in [0, 8, 16, 24] as [UInt32] { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
    }

    mutating func text(_ text: String) {
        number(UInt32(truncatingIfNeeded: text.utf8.count))
        bytes += Array(text.utf8) + [0]
    }

    mutating func signature(_ text: String) {
        bytes.append(UInt8(truncatingIfNeeded: text.utf8.count))
        bytes += Array(text.utf8) + [0]
    }

    /// An array, with its length in front.
    mutating func list(of alignment: Int, _ body: (inout WireBytes) -> Void) {
        number(0)
        let place = bytes.count - 4
        align(alignment)
        let start = bytes.count
        body(&self)
        let count = UInt32(truncatingIfNeeded: bytes.count - start)
        for shift in 0..<4 { bytes[place + shift] = UInt8(truncatingIfNeeded: count >> UInt32(shift * 8)) }
    }
}
