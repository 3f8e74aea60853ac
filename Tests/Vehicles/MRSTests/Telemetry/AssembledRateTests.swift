import Testing
import UAVLink

@testable import MRS
import MRSMessages

@Suite struct AssembledRateTests {
    private func time(_ seconds: Double) -> MonotonicTime { MonotonicTime(nanoseconds: Int64(seconds * 1e9)) }

    @Test func `the rates are reported once a second, of the topics that were subscribed to`() throws {
        var assembler = TelemetryAssembler(vehicle: "uav1", counting: [.battery, .gnss])
        var reported: Set<MonotonicTime> = []
        for step in 0..<100 {
            let now = time(Double(step) / 10)
            assembler.arrived(.battery, at: now)
            assembler.arrived(.odometry, at: now)
            if let at = assembler.telemetry.topicRates?.at { reported.insert(at) }
        }
        #expect((8...10).contains(reported.count))
        let rates = try #require(assembler.telemetry.topicRates?.value)
        #expect(rates.map(\.name) == ["hw_api/battery_state", "hw_api/gnss"])
        #expect(abs(rates[0].measuredHertz - 10) < 1.5 && rates[0].expectedHertz == 10)
        #expect(rates[1].measuredHertz == 0 && rates[1].isSlow)
    }

    @Test func `a range out of the sensor's reach is no measurement`() {
        var assembler = TelemetryAssembler(vehicle: "uav1")
        var message = SensorMsgs.Range()
        (message.minRange, message.maxRange) = (0.1, 40)
        for range: Float in [0.05, 40.5, .infinity, .nan, -1] {
            message.range = range
            assembler.take(message, at: time(1))
            #expect(assembler.telemetry.rangeFinderMetres == nil)
        }
        message.range = 2.5
        assembler.take(message, at: time(2))
        #expect(assembler.telemetry.rangeFinderMetres == Sample(2.5, at: time(2)))
    }

    @Test func `every topic that a vehicle sends has a rate to be expected`() {
        #expect(VehicleTopic.sent.count == VehicleTopic.allCases.count - 2)
        #expect(VehicleTopic.sent.count <= TopicRate.maximumCount)
    }
}
