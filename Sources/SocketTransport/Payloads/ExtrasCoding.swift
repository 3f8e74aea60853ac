internal import UAVLink

/// Telemetry that came to the channel later: a range finder and the rates of topics. An end that does not know the frame
/// drops it; a part that is not in it stays as it was.
enum ExtrasCoding {
    private enum Part {
        static let range: UInt8 = 1
        static let rates: UInt8 = 2
        static let known: UInt8 = range | rates
    }

    /// Beside its name each rate takes the name's length and two numbers.
    private static let rateBytes = 10

    /// Whether there is anything to write.
    static func isWorthSending(_ telemetry: Telemetry, withRates: Bool) -> Bool {
        telemetry.rangeFinderMetres?.value.isFinite == true || (withRates && telemetry.topicRates != nil)
    }

    static func write(_ telemetry: Telemetry, withRates: Bool, sent: MonotonicTime, _ writer: inout WireWriter) {
        let range = telemetry.rangeFinderMetres.flatMap { $0.value.isFinite ? $0 : nil }
        let rates = withRates ? telemetry.topicRates : nil
        writer.put(FrameKind.extras)
        writer.put(sent.nanoseconds)
        writer.put((range == nil ? 0 : Part.range) | (rates == nil ? 0 : Part.rates))
        if let range {
            writer.put(age: range.at, sent)
            writer.put(range.value)
        }
        guard let rates else { return }
        writer.put(age: rates.at, sent)
        let count = fitting(rates.value, into: writer.remaining - 1)
        writer.put(UInt8(truncatingIfNeeded: count))
        // By index: the iterator of a slice is made on the heap, and this runs on the thread that steers.
        for index in 0..<count {
            let rate = rates.value[index]
            writer.put(text: rate.name, limit: ChannelLimits.name)
            writer.put(millihertz(rate.measuredHertz))
            writer.put(millihertz(rate.expectedHertz ?? 0))
        }
    }

    /// How many rates go into so many bytes.
    private static func fitting(_ rates: [TopicRate], into room: Int) -> Int {
        var room = room
        var count = 0
        while count < min(rates.count, TopicRate.maximumCount) {
            room -= rateBytes + WireWriter.cut(rates[count].name, limit: ChannelLimits.name)
            guard room >= 0 else { break }
            count += 1
        }
        return count
    }

    private static func millihertz(_ hertz: Double) -> UInt32 {
        hertz.isFinite ? UInt32(min(max(hertz * 1000, 0), Double(UInt32.max)).rounded()) : 0
    }

    /// Reads what ``write(_:withRates:sent:_:)`` wrote; parts of a later version stand behind those known here.
    static func read(
        _ reader: inout WireReader, into telemetry: inout Telemetry, local: (Int64) -> MonotonicTime
    ) throws(WireError) {
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
        if parts & ~Part.known == 0 { try reader.end() }
        if let range { telemetry.rangeFinderMetres = range }
        if let rates { telemetry.topicRates = rates }
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
