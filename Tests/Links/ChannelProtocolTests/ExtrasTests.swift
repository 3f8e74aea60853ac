import ChannelTestKit
import Testing
import UAVLink

@testable import ChannelProtocol

@Suite("Extras on the wire") struct ExtrasTests {
    private let sent = MonotonicTime(nanoseconds: 5_000_000_000)

    private func written(_ telemetry: Telemetry, withRates: Bool = true) -> [UInt8] {
        EncodedPayload.bytes(capacity: ChannelLimits.payload) {
            ExtrasCoding.write(telemetry, withRates: withRates, sent: sent, &$0)
        }
    }

    private func read(_ bytes: [UInt8], over known: Telemetry = Telemetry(vehicle: "uav1")) throws(WireError)
        -> Telemetry
    {
        try EncodedPayload.read(bytes) { reader throws(WireError) in
            guard try reader.integer(UInt8.self) == FrameKind.extras.rawValue else { throw .invalid }
            var telemetry = known
            try ExtrasCoding.read(&reader, into: &telemetry) { MonotonicTime(nanoseconds: $0) }
            return telemetry
        }
    }

    private func telemetry(rates: [TopicRate]?, range: Double? = nil) -> Telemetry {
        var telemetry = Telemetry(vehicle: "uav1")
        telemetry.rangeFinderMetres = range.map { Sample($0, at: sent - .milliseconds(3)) }
        telemetry.topicRates = rates.map { Sample($0, at: sent - .milliseconds(700)) }
        return telemetry
    }

    private let two = [
        TopicRate(name: "hw_api/gnss", measuredHertz: 40.125, expectedHertz: 41),
        TopicRate(name: "hw_api/imu", measuredHertz: 0, expectedHertz: nil),
    ]

    @Test func `range and rates come back with their ages`() throws {
        let telemetry = telemetry(rates: two, range: 2.75)
        #expect(try read(written(telemetry)) == telemetry)
    }

    @Test
    func `a battery without a voltage comes back, stays beside details without one, and gives way to one with it`()
        throws
    {
        var machine = telemetry(rates: two)
        machine.battery = Sample(Battery(remaining: 0.42), at: sent - .milliseconds(90))
        let bytes = written(machine, withRates: false)
        #expect(ExtrasCoding.hasContent(machine, withRates: false))
        #expect(try read(bytes).battery == machine.battery)
        #expect(throws: WireError.truncated) { try read(Array(bytes.dropLast())) }
        #expect(throws: WireError.trailing) { try read(bytes + [0]) }
        func details(of vehicle: Telemetry, over known: Telemetry) throws -> Battery? {
            let bytes = EncodedPayload.bytes(capacity: ChannelLimits.payload) {
                TelemetryCoding.writeDetails(vehicle, sent: sent, &$0)
            }
            return try EncodedPayload.read(bytes) { reader throws(WireError) in
                _ = try reader.integer(UInt8.self)
                var seen = known
                try TelemetryCoding.readDetails(&reader, into: &seen) { MonotonicTime(nanoseconds: $0) }
                return seen.battery?.value
            }
        }
        #expect(try details(of: machine, over: try read(bytes)) == Battery(remaining: 0.42))
        var other = machine
        other.battery = Sample(Battery(voltageVolts: 11, remaining: 0.5), at: sent)
        #expect(try details(of: other, over: try read(bytes)) == other.battery?.value)
        #expect(try details(of: machine, over: other) == nil)
        #expect(
            !ExtrasCoding.hasContent(
                { () -> Telemetry in
                    var only = Telemetry(vehicle: "uav1")
                    only.battery = other.battery
                    return only
                }(), withRates: true))
    }

    @Test func `what the vehicle's end rejected is reported, beside as many rates as then fit`() throws {
        let many = (0..<32).map { TopicRate(name: String(repeating: "x", count: 100) + "\($0)", measuredHertz: 1) }
        var telemetry = telemetry(rates: many)
        _ = telemetry.rejected.checked(Sample(1e308, at: sent - .milliseconds(3)), .height, TelemetryBounds.height)
        #expect(ExtrasCoding.hasContent(telemetry, withRates: false))
        let bytes = written(telemetry)
        #expect(bytes.count <= ChannelLimits.payload)
        let seen = try read(bytes)
        #expect(seen.rejected.byVehicle == 1 && seen.rejected.here == 0)
        #expect(seen.rejected.newest == Sample(.height, at: sent - .milliseconds(3)))
        #expect(seen.topicRates?.value.count == 10)
        // Sent again it is the same one.
        #expect(try read(bytes, over: seen).rejected == seen.rejected)
        #expect(throws: WireError.invalid) { try read(Array(bytes.dropLast()) + [0]) }
    }

    @Test func `a range that cannot be is counted, and the rates go on`() throws {
        let seen = try read(written(telemetry(rates: two, range: 1e308)), over: telemetry(rates: nil, range: 2))
        #expect(seen.rangeFinderMetres == nil && seen.topicRates?.value == two)
        #expect(seen.rejected.here == 1 && seen.rejected.newest?.value == .range)
    }

    @Test func `a part that is not there stays as it was`() throws {
        let known = telemetry(rates: two, range: 1)
        let bytes = written(telemetry(rates: two, range: 2), withRates: false)
        let seen = try read(bytes, over: known)
        #expect(seen.rangeFinderMetres?.value == 2)
        #expect(seen.topicRates == known.topicRates)
    }

    @Test func `cut off anywhere it is refused, and changes nothing`() throws {
        let bytes = written(telemetry(rates: two, range: 2))
        for count in 1..<bytes.count {
            #expect(throws: WireError.truncated) { try read(Array(bytes[..<count])) }
        }
        #expect(throws: WireError.trailing) { try read(bytes + [0]) }
    }

    @Test func `thirty-two topics are taken, one more is refused`() throws {
        let many = (0..<40).map { TopicRate(name: "t\($0)", measuredHertz: Double($0), expectedHertz: 50) }
        var bytes = written(telemetry(rates: many))
        let seen = try read(bytes)
        #expect(seen.topicRates?.value == Array(many.prefix(TopicRate.maximumCount)))
        // Kind, sent, parts, age.
        #expect(bytes[14] == 32)
        bytes[14] = 33
        #expect(throws: WireError.invalid) { try read(bytes) }
    }

    @Test func `as many names as fit are sent, and a frame is never too long`() throws {
        let many = (0..<32).map { TopicRate(name: String(repeating: "x", count: 100) + "\($0)", measuredHertz: 1) }
        let bytes = written(telemetry(rates: many, range: 1))
        #expect(!bytes.isEmpty && bytes.count <= ChannelLimits.payload)
        let names = try #require(try read(bytes).topicRates?.value.map(\.name))
        #expect(names == many.prefix(names.count).map(\.name) && names.count == 10)
    }

    @Test func `how rates are judged and the clock of stamps come back, and both are sent with the rates only`() throws
    {
        let judged = Samples.judgedRates(at: sent - .milliseconds(700))
        let bytes = written(judged)
        #expect(try read(bytes) == judged)
        for count in 1..<bytes.count {
            #expect(throws: WireError.truncated) { try read(Array(bytes[..<count])) }
        }
        #expect(throws: WireError.trailing) { try read(bytes + [0]) }
        #expect(try read(written(judged, withRates: false)) == Telemetry(vehicle: "uav1"))
        var clockOnly = Telemetry(vehicle: "uav1")
        for clock in [StampClock(.wall), StampClock(.differing, offset: .seconds(-3)), StampClock(.simulated)] {
            clockOnly.stampClock = clock
            #expect(ExtrasCoding.hasContent(clockOnly, withRates: true))
            #expect(!ExtrasCoding.hasContent(clockOnly, withRates: false))
            #expect(try read(written(clockOnly)) == clockOnly)
        }
        // What is not in a later frame stays.
        #expect(try read(written(telemetry(rates: nil, range: 2)), over: judged).stampClock == judged.stampClock)
    }

    @Test func `conditions that do not belong to the rates are refused, and unknown ones count as none`() throws {
        let judged = Samples.judgedRates(at: sent - .milliseconds(700))
        let bytes = written(judged)
        // Behind the rates: count, two conditions, and the clock of stamps with nine bytes.
        let count = bytes.count - 12
        #expect(bytes[count] == 2 && bytes[count + 1] == TopicCondition.slow.rawValue)
        func changed(_ index: Int, _ value: UInt8) -> [UInt8] {
            var bytes = bytes
            bytes[index] = value
            return bytes
        }
        #expect(throws: WireError.invalid) { try read(changed(count, 1)) }
        #expect(throws: WireError.invalid) { try read(changed(count, 3)) }
        #expect(try read(changed(count + 1, 200)).topicRates?.value.map(\.condition) == [.unjudged, .good])
        #expect(try read(changed(count + 3, 9)).stampClock == nil)
        // Conditions without rates: kind, sent, parts.
        #expect(throws: WireError.invalid) { try read(Array(bytes[..<9]) + [16, 1, 1]) }
    }

    @Test func `conditions have capacity beside as many rates as then fit`() throws {
        let many = (0..<32).map {
            TopicRate(name: String(repeating: "x", count: 100) + "\($0)", measuredHertz: 1, condition: .good)
        }
        var telemetry = telemetry(rates: many, range: 1)
        telemetry.stampClock = StampClock(.wall)
        let bytes = written(telemetry)
        #expect(bytes.count <= ChannelLimits.payload)
        let seen = try read(bytes)
        #expect(seen.topicRates?.value == Array(many.prefix(10)) && seen.stampClock == telemetry.stampClock)
    }

    private func written(_ capabilities: VehicleCapabilities, _ telemetry: Telemetry = Telemetry(vehicle: "uav1"))
        -> [UInt8]
    {
        EncodedPayload.bytes(capacity: ChannelLimits.payload) {
            ExtrasCoding.write(telemetry, withRates: true, capabilities: capabilities, sent: sent, &$0)
        }
    }

    private func capabilities(_ bytes: [UInt8]) throws(WireError) -> VehicleCapabilities? {
        try EncodedPayload.read(bytes) { reader throws(WireError) in
            guard try reader.integer(UInt8.self) == FrameKind.extras.rawValue else { throw .invalid }
            var telemetry = Telemetry(vehicle: "uav1")
            return try ExtrasCoding.read(&reader, into: &telemetry) { MonotonicTime(nanoseconds: $0) }
        }
    }

    @Test func `what the vehicle can do comes back`() throws {
        var still = Samples.capabilities
        still.steering = nil
        for said in [.mrs, Samples.capabilities, still] {
            #expect(try capabilities(written(said)) == said)
        }
        #expect(try capabilities(written(telemetry(rates: two, range: 2))) == nil)
        let none = Telemetry(vehicle: "uav1")
        #expect(ExtrasCoding.hasContent(none, withRates: true, capabilities: .mrs))
        #expect(!ExtrasCoding.hasContent(none, withRates: false, capabilities: .mrs))
    }

    @Test func `capabilities have capacity beside as many rates as then fit`() throws {
        let many = (0..<32).map { TopicRate(name: String(repeating: "x", count: 100) + "\($0)", measuredHertz: 1) }
        var said = Samples.capabilities
        said.machine = String(repeating: "m", count: VehicleCapabilities.longestMachine)
        let bytes = written(said, telemetry(rates: many, range: 1))
        #expect(bytes.count <= ChannelLimits.payload)
        #expect(try capabilities(bytes) == said)
        #expect(try read(bytes).topicRates?.value.count == 9)
    }

    @Test func `capabilities that cannot be are refused, and change nothing`() throws {
        let bytes = written(Samples.capabilities)
        for count in 1..<bytes.count {
            #expect(throws: WireError.truncated) { try capabilities(Array(bytes[..<count])) }
        }
        #expect(throws: WireError.trailing) { try capabilities(bytes + [0]) }
        // Kind, sent, parts; length and name; commands; destinations; axes, frames, unit; speeds.
        let (name, axes) = (12, 12 + 3 + 4 + 1)
        func changed(_ index: Int, _ value: UInt8) -> [UInt8] {
            var bytes = bytes
            bytes[index] = value
            return bytes
        }
        #expect(throws: WireError.invalid) { try capabilities(changed(10, 65)) }
        #expect(throws: WireError.notText) { try capabilities(changed(name, 0xFF)) }
        #expect(throws: WireError.invalid) { try capabilities(changed(axes + 1, 0)) }
        #expect(throws: WireError.invalid) { try capabilities(changed(axes + 2, 2)) }
        // A speed below 0, one above 1000, and one that is no number.
        #expect(throws: WireError.invalid) { try capabilities(changed(axes + 10, 0xC0)) }
        #expect(throws: WireError.invalid) { try capabilities(changed(axes + 10, 0x41)) }
        #expect(throws: WireError.notFinite) {
            var bytes = changed(axes + 10, 0x7F)
            bytes[axes + 9] = 0xF0
            _ = try capabilities(bytes)
        }
        var nameless = bytes
        nameless.replaceSubrange(10..<15, with: [0, 0])
        #expect(throws: WireError.invalid) { try capabilities(nameless) }
        // Bits of later versions.
        var later = bytes
        later[axes - 2] |= 0x80
        later[axes] |= 0x80
        #expect(try capabilities(later) == Samples.capabilities)
    }

    @Test func `parts of a later version are passed over`() throws {
        var bytes = written(telemetry(rates: nil, range: 2))
        bytes[9] |= 0x80
        #expect(try read(bytes + [1, 2, 3]).rangeFinderMetres?.value == 2)
    }

    @Test func `what is not a number is not sent, and a rate beyond all measure is the largest there is`() throws {
        #expect(!ExtrasCoding.hasContent(telemetry(rates: nil, range: .nan), withRates: true))
        #expect(!ExtrasCoding.hasContent(telemetry(rates: two), withRates: false))
        let odd = [TopicRate(name: "a", measuredHertz: .nan), TopicRate(name: "b", measuredHertz: 1e300)]
        #expect(try read(written(telemetry(rates: odd))).topicRates?.value.map(\.measuredHertz) == [0, 4_294_967.295])
    }
}
