internal import UAVLink

/// What was added to the channel later: the range finder, topic rates and how they are judged, the count of rejected values, the
/// vehicle's capabilities, the clock of its stamps, and the charge of a battery without a voltage. A peer that does not know the frame drops it; absent parts leave
/// everything unchanged.
enum ExtrasCoding {
    private enum Part {
        static let range: UInt8 = 1
        static let rates: UInt8 = 2
        static let rejected: UInt8 = 4
        static let capabilities: UInt8 = 8
        static let conditions: UInt8 = 16
        static let stampClock: UInt8 = 32
        static let charge: UInt8 = 64
        static let known: UInt8 = range | rates | rejected | capabilities | conditions | stampClock | charge
    }

    /// Bytes of a rate besides its name: the name's length and two numbers.
    private static let rateBytes = 10
    /// Bytes of age, count, and which value.
    private static let rejectedBytes = 13
    /// Bytes of the clock of stamps: which one, and its offset.
    private static let stampClockBytes = 9
    /// Bytes of age and charge.
    private static let chargeBytes = 12

    /// Whether there is anything to write.
    static func hasContent(
        _ telemetry: Telemetry, withRates: Bool, capabilities: VehicleCapabilities? = nil
    ) -> Bool {
        telemetry.rangeFinderMetres?.value.isFinite == true
            || (withRates && (telemetry.topicRates != nil || capabilities != nil || telemetry.stampClock != nil))
            || telemetry.rejected.newest != nil || charge(of: telemetry) != nil
    }

    /// The charge of a battery that has no voltage: one with a voltage is among the details.
    private static func charge(of telemetry: Telemetry) -> Sample<Double>? {
        guard let battery = telemetry.battery, battery.value.voltageVolts == nil, let charge = battery.value.remaining,
            charge.isFinite
        else { return nil }
        return Sample(charge, at: battery.at)
    }

    /// Writes an extras frame.
    ///
    /// - Parameter withRates: whether it has the parts that are sent once a second.
    static func write(
        _ telemetry: Telemetry, withRates: Bool, capabilities: VehicleCapabilities? = nil, sent: MonotonicTime,
        _ writer: inout WireWriter
    ) {
        let range = telemetry.rangeFinderMetres.flatMap { $0.value.isFinite ? $0 : nil }
        let rates = withRates ? telemetry.topicRates : nil
        let rejected = telemetry.rejected.newest
        let capabilities = withRates ? capabilities : nil
        let stampClock = withRates ? telemetry.stampClock : nil
        let charge = charge(of: telemetry)
        let hasConditions = rates.map { isAnyJudged($0.value) } ?? false
        writer.put(FrameKind.extras)
        writer.put(sent.nanoseconds)
        var parts: UInt8 = 0
        if range != nil { parts |= Part.range }
        if rates != nil { parts |= Part.rates }
        if rejected != nil { parts |= Part.rejected }
        if capabilities != nil { parts |= Part.capabilities }
        if hasConditions { parts |= Part.conditions }
        if stampClock != nil { parts |= Part.stampClock }
        if charge != nil { parts |= Part.charge }
        writer.put(parts)
        if let range {
            writer.put(age: range.at, sent)
            writer.put(range.value)
        }
        var ratesWritten = 0
        if let rates {
            let capacity =
                (rejected == nil ? 0 : rejectedBytes) + (capabilities?.encodedSize ?? 0)
                + (stampClock == nil ? 0 : stampClockBytes) + (charge == nil ? 0 : chargeBytes)
            ratesWritten = write(rates, leaving: capacity, withConditions: hasConditions, sent: sent, &writer)
        }
        if let rejected {
            writer.put(age: rejected.at, sent)
            writer.put(telemetry.rejected.count)
            writer.put(rejected.value.rawValue)
        }
        capabilities?.write(&writer)
        if hasConditions, let rates {
            writer.put(UInt8(truncatingIfNeeded: ratesWritten))
            for index in 0..<ratesWritten { writer.put(rates.value[index].condition.rawValue) }
        }
        if let stampClock {
            writer.put(stampClock.kind.rawValue)
            writer.put(stampClock.offset?.nanoseconds ?? 0)
        }
        if let charge {
            writer.put(age: charge.at, sent)
            writer.put(charge.value)
        }
    }

    /// Whether a rate was judged; by index, as below.
    private static func isAnyJudged(_ rates: [TopicRate]) -> Bool {
        for index in rates.indices where rates[index].condition != .unjudged { return true }
        return false
    }

    /// - Returns: how many rates were written: those that fit.
    private static func write(
        _ rates: Sample<[TopicRate]>, leaving capacity: Int, withConditions: Bool, sent: MonotonicTime,
        _ writer: inout WireWriter
    ) -> Int {
        writer.put(age: rates.at, sent)
        // With conditions, one more count, and a byte for each.
        let conditionBytes = withConditions ? 1 : 0
        let count = fitting(
            rates.value, into: writer.remaining - 1 - capacity - conditionBytes, bytesEach: rateBytes + conditionBytes)
        writer.put(UInt8(truncatingIfNeeded: count))
        // By index: the iterator of a slice is allocated on the heap, and this runs on the steering thread.
        for index in 0..<count {
            let rate = rates.value[index]
            writer.put(text: rate.name, limit: ChannelLimits.name)
            writer.put(millihertz(rate.measuredHertz))
            writer.put(millihertz(rate.expectedHertz ?? 0))
        }
        return count
    }

    /// How many rates fit into that many bytes.
    private static func fitting(_ rates: [TopicRate], into capacity: Int, bytesEach: Int) -> Int {
        var capacity = capacity
        var count = 0
        while count < min(rates.count, TopicRate.maximumCount) {
            capacity -= bytesEach + WireWriter.cut(rates[count].name, limit: ChannelLimits.name)
            guard capacity >= 0 else { break }
            count += 1
        }
        return count
    }

    private static func millihertz(_ hertz: Double) -> UInt32 {
        hertz.isFinite ? UInt32(min(max(hertz * 1000, 0), Double(UInt32.max)).rounded()) : 0
    }

    /// Reads what ``write(_:withRates:capabilities:sent:_:)`` wrote; parts of later versions follow those known here.
    ///
    /// - Returns: the vehicle's capabilities, if the frame has them.
    @discardableResult
    static func read(
        _ reader: inout WireReader, into telemetry: inout Telemetry, local: (Int64) -> MonotonicTime
    ) throws(WireError) -> VehicleCapabilities? {
        let sent = local(try reader.integer())
        let parts = try reader.integer(UInt8.self)
        var range: Sample<Double>?
        var rates: Sample<[TopicRate]>?
        if parts & Part.range != 0 {
            let at = try reader.instant(sent)
            range = Sample(try reader.finite(), at: at)
        }
        if parts & Part.rates != 0 {
            let at = try reader.instant(sent)
            rates = Sample(try readRates(&reader), at: at)
        }
        var rejected: (count: UInt64, at: MonotonicTime, value: TelemetryValue)?
        if parts & Part.rejected != 0 {
            let at = try reader.instant(sent)
            let count = try reader.integer(UInt64.self)
            guard let value = TelemetryValue(rawValue: try reader.integer()) else { throw .invalid }
            rejected = (count, at, value)
        }
        let capabilities = parts & Part.capabilities != 0 ? try VehicleCapabilities(&reader) : nil
        if parts & Part.conditions != 0 { try readConditions(&reader, into: &rates) }
        let stampClock = parts & Part.stampClock != 0 ? try readStampClock(&reader) : nil
        var battery: Sample<Battery>?
        if parts & Part.charge != 0 {
            let at = try reader.instant(sent)
            battery = Sample(Battery(remaining: try reader.finite()), at: at)
        }
        if parts & ~Part.known == 0 { try reader.end() }
        if let range {
            telemetry.rangeFinderMetres = telemetry.rejected.checked(range, .range, TelemetryBounds.range)
        }
        if let battery {
            telemetry.battery = telemetry.rejected.checked(battery, .battery, TelemetryBounds.battery)
        }
        if let rates { telemetry.topicRates = rates }
        if let stampClock { telemetry.stampClock = stampClock }
        if let rejected { telemetry.rejected.received(rejected.count, newest: rejected.value, at: rejected.at) }
        return capabilities
    }

    private static func readRates(_ reader: inout WireReader) throws(WireError) -> [TopicRate] {
        let count = Int(try reader.integer(UInt8.self))
        guard count <= TopicRate.maximumCount else { throw .invalid }
        var rates: [TopicRate] = []
        for _ in 0..<count {
            let name = try reader.text(limit: ChannelLimits.name)
            let measured = Double(try reader.integer(UInt32.self)) / 1000
            let expected = Double(try reader.integer(UInt32.self)) / 1000
            rates.append(
                TopicRate(name: name, measuredHertz: measured, expectedHertz: expected > 0 ? expected : nil))
        }
        return rates
    }

    /// One condition for each rate of the frame; one that is not known here counts as none.
    private static func readConditions(
        _ reader: inout WireReader, into rates: inout Sample<[TopicRate]>?
    ) throws(WireError) {
        let count = Int(try reader.integer(UInt8.self))
        guard rates?.value.count == count else { throw .invalid }
        for index in 0..<count {
            let condition = TopicCondition(rawValue: try reader.integer()) ?? .unjudged
            rates?.value[index].condition = condition
        }
    }

    /// `nil` for a kind of a later version.
    private static func readStampClock(_ reader: inout WireReader) throws(WireError) -> StampClock? {
        let kind = StampClock.Kind(rawValue: try reader.integer())
        let offset = try reader.integer(Int64.self)
        return kind.map { StampClock($0, offset: offset == 0 ? nil : .nanoseconds(offset)) }
    }
}
