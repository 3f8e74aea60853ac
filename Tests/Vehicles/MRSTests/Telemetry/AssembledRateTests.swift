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
        #expect(abs(rates[0].measuredHertz - 10) < 1.5 && abs((rates[0].expectedHertz ?? 0) - 10) < 0.1)
        #expect(rates[0].condition == .good)
        #expect(rates[1].isAbsent && !rates[1].isSlow, "not every vehicle has it")
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

    /// The real flight stack at 100 Hz of simulation: half the rates of the simulator that the figures were once taken from, and
    /// one topic less.
    @Test func `a healthy vehicle of other rates has no warning, and one whose topic falls to a third has one`() throws
    {
        let hertz: [VehicleTopic: Double] = [
            .odometry: 100, .hardwareStatus: 200, .distanceSensor: 80, .gainDiagnostics: 0.5,
        ]
        var assembler = TelemetryAssembler(vehicle: "uav1", counting: VehicleTopic.sent)
        var fallen: VehicleTopic?
        func run(from: Int, to: Int) {
            for millisecond in from..<to {
                for (topic, rate) in hertz {
                    let interval = Int((1000 / rate * (topic == fallen ? 3 : 1)).rounded())
                    if millisecond.isMultiple(of: interval) {
                        assembler.arrived(topic, at: time(Double(millisecond) / 1000))
                    }
                }
            }
        }
        run(from: 0, to: 40_000)
        let healthy = try #require(assembler.telemetry.topicRates?.value)
        #expect(healthy.allSatisfy { !$0.condition.isFault }, "\(healthy)")
        #expect(healthy.count { $0.condition == .good } == hertz.count)
        #expect(healthy.first { $0.name == VehicleTopic.uavStatus.rawValue }?.isAbsent == true)
        fallen = .distanceSensor
        run(from: 40_000, to: 46_000)
        let faults = try #require(assembler.telemetry.topicRates?.value).filter(\.condition.isFault)
        #expect(faults.map(\.name) == [VehicleTopic.distanceSensor.rawValue] && faults.map(\.condition) == [.slow])
    }

    @Test func `every topic that a vehicle sends is counted`() {
        #expect(VehicleTopic.sent.count == VehicleTopic.allCases.count - 2)
        #expect(VehicleTopic.sent.count <= TopicRate.maximumCount)
    }
}
