internal import UAVLink

/// What was added to the channel later: the range finder, topic rates, the count of rejected values, and the vehicle's
/// capabilities. A peer that does not know the frame drops it; absent parts leave everything unchanged.
enum ExtrasCoding {
    private enum Part {
        static let range: UInt8 = 1
        static let rates: UInt8 = 2
        static let rejected: UInt8 = 4
        static let capabilities: UInt8 = 8
        static let known: UInt8 = range | rates | rejected | capabilities
    }

    /// Bytes of a rate besides its name: the name's length and two numbers.
    private static let rateBytes = 10
    /// Bytes of age, count, and which value.
    private static let rejectedBytes = 13

    /// Whether there is anything to write.
    static func hasContent(
        _ telemetry: Telemetry, withRates: Bool, capabilities: VehicleCapabilities? = nil
    ) -> Bool {
        telemetry.rangeFinderMetres?.value.isFinite == true
            || (withRates && (telemetry.topicRates != nil || capabilities != nil))
            || telemetry.rejected.newest != nil
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
        writer.put(FrameKind.extras)
        writer.put(sent.nanoseconds)
        writer.put(
            (range == nil ? 0 : Part.range) | (rates == nil ? 0 : Part.rates) | (rejected == nil ? 0 : Part.rejected)
                | (capabilities == nil ? 0 : Part.capabilities))
        if let range {
            writer.put(age: range.at, sent)
            writer.put(range.value)
        }
        if let rates {
            let capacity = (rejected == nil ? 0 : rejectedBytes) + (capabilities?.encodedSize ?? 0)
            write(rates, leaving: capacity, sent: sent, &writer)
        }
        if let rejected {
            writer.put(age: rejected.at, sent)
            writer.put(telemetry.rejected.count)
            writer.put(rejected.value.rawValue)
        }
        capabilities?.write(&writer)
    }

    private static func write(
        _ rates: Sample<[TopicRate]>, leaving capacity: Int, sent: MonotonicTime, _ writer: inout WireWriter
    ) {
        writer.put(age: rates.at, sent)
        let count = fitting(rates.value, into: writer.remaining - 1 - capacity)
        writer.put(UInt8(truncatingIfNeeded: count))
        // By index: the iterator of a slice is allocated on the heap, and this runs on the steering thread.
        for index in 0..<count {
            let rate = rates.value[index]
            writer.put(text: rate.name, limit: ChannelLimits.name)
            writer.put(millihertz(rate.measuredHertz))
            writer.put(millihertz(rate.expectedHertz ?? 0))
        }
    }

    /// How many rates fit into that many bytes.
    private static func fitting(_ rates: [TopicRate], into capacity: Int) -> Int {
        var capacity = capacity
        var count = 0
        while count < min(rates.count, TopicRate.maximumCount) {
            capacity -= rateBytes + WireWriter.cut(rates[count].name, limit: ChannelLimits.name)
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
        if parts & ~Part.known == 0 { try reader.end() }
        if let range {
            telemetry.rangeFinderMetres = telemetry.rejected.checked(range, .range, TelemetryBounds.range)
        }
        if let rates { telemetry.topicRates = rates }
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
}
