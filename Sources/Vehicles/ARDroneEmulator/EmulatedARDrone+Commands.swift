extension EmulatedARDrone {
    /// The longest datagram, and line, that is read.
    private static let mostBytes = 1024

    /// A datagram has come to the port of commands. Lines end with CR; LF and CRLF are tolerated.
    package mutating func receive(_ bytes: some Collection<UInt8>) {
        guard bytes.count <= Self.mostBytes else { return refused += 1 }
        for line in bytes.split(whereSeparator: { $0 == 0x0D || $0 == 0x0A }) {
            obey(String(decoding: Array(line), as: UTF8.self))
        }
    }

    /// A datagram has come to the port of navigation data: whatever it says, they are wanted. One while they come postpones nothing.
    package mutating func receiveRequest() {
        guard stream == .none else { return }
        isLost = false
        lastOpeningAt = now
        stream = .bootstrap
        navdataSequence = 0
        packetDue = now
    }

    private mutating func obey(_ line: String) {
        guard line.hasPrefix("AT*"), let equals = line.firstIndex(of: "=") else { return refused += 1 }
        let name = line[..<equals].dropFirst(3)
        let arguments = Self.arguments(line[line.index(after: equals)...])
        guard let first = arguments.first, let sequence = UInt32(first), sequence == 1 || sequence > lastSequence else {
            return refused += 1
        }
        lastSequence = sequence
        lastCommandAt = now
        isLost = false
        obeyed += 1
        if !settings.isWatchdogStrict { isWatchdogSet = false }
        execute(String(name), Array(arguments.dropFirst()))
    }

    private mutating func execute(_ name: String, _ arguments: [String]) {
        let numbers = arguments.compactMap { Int32($0) }
        switch name {
        case "REF": if let bits = numbers.first { refer(bits) }
        case "PCMD", "PCMD_MAG": if numbers.count >= 5 { steer(flag: numbers[0], numbers[1...4].map(Self.float)) }
        case "COMWDG": isWatchdogSet = false
        case "CONFIG": if arguments.count == 2 { configure(arguments[0], arguments[1]) }
        case "CTRL": if let mode = numbers.first { control(mode) }
        case "FTRIM": note(motorsRun ? "trim refused in flight" : "trim")
        case "CALIB": note(motorsRun ? "calibrate" : "calibration refused on the ground")
        case "ANIM": if activity == .flying { note("animation \(numbers.first ?? -1)") }
        case "LED": note("lights \(numbers.first ?? -1)")
        // Accepted and ignored: identifiers, and the vendor's own.
        default: break
        }
    }

    private mutating func refer(_ bits: Int32) {
        let isSet = bits & 1 << 8 != 0
        if isSet, !emergencyBit { toggleEmergency() }
        emergencyBit = isSet
        guard activity != .cut, !isSet else { return }
        if bits & 1 << 9 != 0 { takeOff() } else { land() }
    }

    private mutating func steer(flag: Int32, _ values: [Double]) {
        guard activity == .flying, flag & 1 != 0 else { return sticks = nil }
        sticks = values.map { min(max($0, -1), 1) }
    }

    private mutating func configure(_ key: String, _ value: String) {
        guard !settings.dropsConfiguration else { return }
        note("config \(key) \(value)")
        isAcknowledging = true
        let isStream = key == "general:navdata_demo"
        if isStream || !settings.forgetsConfiguration { _ = configuration.set(key, value) }
        if isStream, stream == .bootstrap {
            stream = .whole
            packetDue = now
        }
    }

    private mutating func control(_ mode: Int32) {
        switch mode {
        case 4: controlOutput += configuration.dump
        case 5: isAcknowledging = false
        case 6: controlOutput += configuration.identifiers
        default: break
        }
    }

    /// What is to be sent on the control channel since the last call.
    package mutating func takeControlOutput() -> [UInt8] {
        defer { controlOutput = [] }
        return controlOutput
    }

    /// The arguments, texts without their quotes; commas between quotes separate nothing.
    private static func arguments(_ text: Substring) -> [String] {
        var all = [""]
        var isQuoted = false
        for character in text {
            switch character {
            case "\"": isQuoted.toggle()
            case "," where !isQuoted: all.append("")
            default: all[all.count - 1].append(character)
            }
        }
        return all
    }

    private static func float(_ bits: Int32) -> Double {
        let value = Double(Float(bitPattern: UInt32(bitPattern: bits)))
        return value.isFinite ? value : 0
    }
}
