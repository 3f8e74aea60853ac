#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

extension EmulatedARDrone {
    /// The packet of navigation data that is due; `nil` if none is.
    package mutating func takePacket() -> [UInt8]? {
        guard stream != .none, now >= packetDue else { return nil }
        let hertz: Double = configuration.isOn("general:navdata_demo") || stream == .bootstrap ? 15 : 200
        packetDue = max(packetDue + 1 / hertz, now)
        navdataSequence &+= 1
        return packet()
    }

    /// The state bits.
    package var status: UInt32 {
        var bits: UInt32 = 0x0F80_0090
        func set(_ bit: UInt32, _ isSet: Bool) { if isSet { bits |= 1 << bit } }
        set(0, motorsRun)
        set(6, isAcknowledging)
        set(10, configuration.isOn("general:navdata_demo"))
        set(11, stream == .bootstrap)
        set(13, isLost)
        set(15, settings.battery < Self.lowPercent)
        set(18, !settings.hasCompass)
        set(21, settings.isDeaf)
        set(22, hasCutOut)
        set(30, isWatchdogSet)
        set(31, activity == .cut)
        return bits
    }

    /// The control state: major in the high half.
    private var controlState: UInt32 {
        let major: UInt32
        var minor: UInt32 = 0
        switch activity {
        case .landed: major = 2
        case .takingOff: major = 6
        case .flying where isLost: (major, minor) = (4, 8)
        case .flying: major = sticks == nil ? 4 : 3
        case .landing: major = 8
        case .cut: major = 0
        }
        return major << 16 | minor
    }

    private func packet() -> [UInt8] {
        var packet = EmulatedPacket()
        packet.put(UInt32(0x5566_7788))
        packet.put(status)
        packet.put(navdataSequence)
        packet.put(UInt32(stream == .whole ? 1 : 0))
        if stream == .whole {
            putDemo(&packet)
            if !configuration.isOn("general:navdata_demo") { putRest(&packet) }
            packet.option(16, 328) { _ in }
            if !configuration.isOn("general:navdata_demo") { putLast(&packet) }
        }
        return packet.finished(wrongly: settings.hasWrongChecksum)
    }

    private func putDemo(_ packet: inout EmulatedPacket) {
        let velocity = body.bodyVelocity
        packet.option(0, 148) { option in
            option.put(controlState, at: 4)
            option.put(UInt32(bitPattern: Self.whole(settings.battery)), at: 8)
            option.put(Float(body.pitch * 180_000 / .pi), at: 12)
            option.put(Float(body.roll * 180_000 / .pi), at: 16)
            option.put(Float(body.heading * 180_000 / .pi), at: 20)
            option.put(Self.whole(settings.isDeaf ? 0 : body.up * 1000), at: 24)
            option.put(Float(velocity.forward * 1000), at: 28)
            option.put(Float(velocity.right * 1000), at: 32)
            option.put(Float(velocity.down * 1000), at: 36)
        }
    }

    private func putRest(_ packet: inout EmulatedPacket) {
        let altitude = Self.whole(settings.isDeaf ? 0 : body.up * 1000)
        packet.option(1, 8) { option in
            let clock = max(0, now).truncatingRemainder(dividingBy: 2048)
            let (seconds, rest) = (clock.rounded(.down), clock.truncatingRemainder(dividingBy: 1))
            option.put(UInt32(seconds) << 21 | UInt32(rest * 1_000_000), at: 4)
        }
        packet.option(2, 52) { option in
            option.put(UInt32(bitPattern: Self.whole(9500 + settings.battery * 30)), at: 20)
            option.put(altitude, at: 46)
        }
        packet.option(3, 46) { option in
            option.put(Float(-1000), at: 18)
            option.put(Float(body.wanted.turn * 180 / .pi), at: 30)
        }
        packet.option(4, 16) { _ in }
        packet.option(5, 12) { _ in }
        packet.option(6, 88) { _ in }
        packet.option(7, 16) { _ in }
        packet.option(8, 24) { _ in }
        packet.option(9, 76) { option in
            for motor in 0..<4 { option.put(UInt8(motorsRun ? 160 : 0), at: 4 + motor) }
        }
        packet.option(10, 56) { option in
            option.put(altitude, at: 4)
            option.put(Float(body.velocity.up * 1000), at: 8)
            option.put(altitude, at: 16)
        }
        for (tag, size) in [(11, 16), (12, 44), (13, 92), (14, 108), (15, 364)] as [(UInt16, Int)] {
            packet.option(tag, size) { _ in }
        }
    }

    private func putLast(_ packet: inout EmulatedPacket) {
        for (tag, size) in [(17, 8), (18, 40), (19, 65), (20, 12)] as [(UInt16, Int)] {
            packet.option(tag, size) { _ in }
        }
        packet.option(21, 18) { option in
            option.put(Int32(215), at: 10)
            option.put(Self.whole(101_325 - body.up * 12), at: 14)
        }
        packet.option(22, 75) { option in
            let degrees = Float(body.heading * 180 / .pi)
            for offset in [46, 50, 54] { option.put(degrees, at: offset) }
            option.put(UInt8(settings.hasCompass ? 1 : 0), at: 58)
        }
        for (tag, size) in [(23, 56), (24, 72), (25, 32)] as [(UInt16, Int)] { packet.option(tag, size) { _ in } }
        packet.option(26, 8) { option in option.put(UInt32(90), at: 4) }
        if settings.hasGPS, Self.whole(configuration.number("general:navdata_options")) & 1 << 27 != 0 {
            putGPS(&packet)
        }
        if settings.hasUnknownOptions {
            packet.option(28, 24) { _ in }
            packet.option(29, 5) { _ in }
        }
    }

    private static func whole(_ value: Double) -> Int32 { Int32(exactly: value.rounded()) ?? 0 }

    private func putGPS(_ packet: inout EmulatedPacket) {
        // On a sphere, as is exact enough for the way that an AR.Drone flies.
        let degree = 6_371_008.8 * Double.pi / 180
        let latitude = settings.latitude + body.north / degree
        let longitude = settings.longitude + body.east / (degree * cos(settings.latitude * .pi / 180))
        packet.option(27, 216) { option in
            for offset in [4, 64] { option.put(latitude, at: offset) }
            for offset in [12, 72] { option.put(longitude, at: offset) }
            option.put(200 + body.up, at: 20)
            option.put(1.1, at: 28)
            option.put(Int32(1), at: 36)
            option.put(Float(2.5), at: 156)
            option.put(UInt32(9), at: 168)
            option.put(Int32(1), at: 196)
        }
    }
}

/// Writes a packet.
struct EmulatedPacket {
    private(set) var bytes: [UInt8] = []

    mutating func put(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func option(_ tag: UInt16, _ size: Int, _ fill: (inout EmulatedOption) -> Void) {
        var option = EmulatedOption(bytes: [UInt8](repeating: 0, count: size))
        option.put(tag, at: 0)
        option.put(UInt16(size), at: 2)
        fill(&option)
        bytes += option.bytes
    }

    /// With the checksum at the end.
    func finished(wrongly: Bool) -> [UInt8] {
        var sum = bytes.reduce(UInt32(0)) { $0 &+ UInt32($1) }
        if wrongly { sum &+= 1 }
        var packet = self
        packet.put(UInt16(0xFFFF))
        packet.put(UInt16(8))
        packet.put(sum)
        return packet.bytes
    }
}

/// The bytes of an option; what does not fit is left out.
struct EmulatedOption {
    fileprivate(set) var bytes: [UInt8]

    mutating func put(_ value: some FixedWidthInteger, at offset: Int) {
        withUnsafeBytes(of: value.littleEndian) { raw in
            for (index, byte) in raw.enumerated() where offset + index < bytes.count { bytes[offset + index] = byte }
        }
    }

    mutating func put(_ value: Float, at offset: Int) { put(value.bitPattern, at: offset) }
    mutating func put(_ value: Double, at offset: Int) { put(value.bitPattern, at: offset) }
}
