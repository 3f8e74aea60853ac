import Doctor
import MRS
import Testing
import UAVLink
import VehicleAccess

@Suite("Advice on what a vehicle sends") struct TelemetryAdviceTests {
    private func rate(
        _ name: String, _ hertz: Double, usual: Double? = nil, _ condition: TopicCondition = .good
    ) -> TopicRate {
        TopicRate(name: name, measuredHertz: hertz, expectedHertz: usual, condition: condition)
    }

    private func finding(_ rates: [TopicRate], profile: [String: Double] = [:]) -> Finding {
        TelemetryAdvice.rates(TopicRateReport(rates, profile: profile), vehicle: "uav1")
    }

    /// The real flight stack with a simulation at 100 Hz.
    private let healthy = [
        TopicRate(name: "hw_api/status", measuredHertz: 199, expectedHertz: 200, condition: .good),
        TopicRate(name: "hw_api/distance_sensor", measuredHertz: 80, expectedHertz: 80, condition: .good),
        TopicRate(name: "mrs_uav_status/uav_status", measuredHertz: 0),
    ]

    @Test func `a healthy vehicle of any rates gets no warning, and what is not judged is named`() {
        let whole = finding(healthy)
        #expect(whole.verdict == .good)
        #expect(whole.message == "2 at their usual rates; not received: mrs_uav_status/uav_status")
        let learning = finding(healthy + [rate("hw_api/gnss", 41, .unjudged)])
        #expect(learning.verdict == .good && learning.message.contains("not judged yet: hw_api/gnss"))
    }

    @Test func `without a companion nobody learns what is usual, and no such advice is given`() {
        let report = TopicRateReport([rate("navdata", 200, .unjudged)])
        let direct = TelemetryAdvice.rates(report, vehicle: "ardrone", hasCompanion: false)
        #expect(direct.verdict == .skipped && direct.advice.isEmpty)
        #expect(direct.message == "not judged: navdata at 200 Hz")
        #expect(TelemetryAdvice.rates(report, vehicle: "uav1").advice.contains("companion"))
    }

    @Test func `a flight stack that is silent while the link works is noticed`() {
        let begin = MonotonicTime(nanoseconds: 1_000_000_000)
        var telemetry = Telemetry(vehicle: "uav1")
        #expect(TelemetryAdvice.silence(telemetry, now: begin) == nil)
        telemetry.velocityMetresPerSecond = Sample(.zero, at: begin)
        #expect(TelemetryAdvice.silence(telemetry, now: begin + .seconds(1)) == nil)
        #expect(
            TelemetryAdvice.silence(telemetry, now: begin + .seconds(12))
                == "the flight stack has been silent for 12 s")
    }

    @Test func `rates from before a silence are not called usual`() {
        let silent = TelemetryAdvice.rates(
            TopicRateReport(healthy), vehicle: "uav1", silence: "the flight stack has been silent for 12 s")
        #expect(silent.verdict == .skipped)
        #expect(silent.message == "not judged: the flight stack has been silent for 12 s")
    }

    @Test func `a topic that falls to a third of its rate is a warning with a command`() {
        let fallen = finding(healthy + [rate("hw_api/gnss", 13.7, usual: 41, .slow)])
        #expect(fallen.verdict == .warning)
        #expect(fallen.message.hasPrefix("hw_api/gnss at 13.7 Hz, usually 41 Hz; 2 at their usual rates"))
        #expect(fallen.advice.contains("on the vehicle: rostopic hz /uav1/hw_api/gnss;"))
        let report = TopicRateReport([rate("hw_api/gnss", 13.7, usual: 41, .slow)])
        let inROS2 = TelemetryAdvice.rates(report, vehicle: "uav1", isROS2: true)
        #expect(inROS2.advice.contains("on the vehicle: ros2 topic hz /uav1/hw_api/gnss;"))
        let silent = finding([rate("hw_api/gnss", 0, usual: 41, .silent)])
        #expect(silent.verdict == .warning && silent.message == "hw_api/gnss silent, usually 41 Hz")
        let irregular = finding([rate("hw_api/gnss", 30, .irregular)])
        #expect(irregular.verdict == .warning && irregular.message.contains("irregular, with long pauses, at 30 Hz"))
    }

    @Test func `a profile's rate is judged at once, and says where it is from`() {
        let rates = [rate("hw_api/gnss", 13, .unjudged)]
        #expect(finding(rates).verdict == .skipped)
        let slow = finding(rates, profile: ["hw_api/gnss": 41])
        #expect(slow.verdict == .warning && slow.message.hasPrefix("hw_api/gnss at 13 Hz, 41 Hz in the profile"))
        #expect(finding(rates, profile: ["hw_api/gnss": 14]).verdict == .good)
        // One that the vehicle should have is silent; without the profile it is only not received.
        let absent = finding([rate("hw_api/gnss", 0, .unjudged)], profile: ["hw_api/gnss": 41])
        #expect(absent.verdict == .warning && absent.message.hasPrefix("hw_api/gnss silent, 41 Hz in the profile"))
    }

    @Test func `a companion that has just been started is said to learn`() {
        for rates in [[], [rate("hw_api/gnss", 41, .unjudged)]] {
            let finding = finding(rates)
            #expect(finding.verdict == .skipped && finding.advice.contains("run this again"))
        }
    }

    @Test func `the clock of stamps is stated, and one that differs is a warning`() throws {
        #expect(TelemetryAdvice.stamps(nil) == nil)
        #expect(TelemetryAdvice.stamps(StampClock(.wall))?.verdict == .good)
        let simulated = try #require(TelemetryAdvice.stamps(StampClock(.simulated, offset: .milliseconds(740))))
        #expect(simulated.verdict == .good && simulated.message.contains("receipt on board, not from stamps"))
        let differing = try #require(TelemetryAdvice.stamps(StampClock(.differing, offset: .milliseconds(-3200))))
        #expect(
            differing.verdict == .warning && differing.message.contains("3.2 s ahead of the clock of the companion's"))
        #expect(differing.advice.contains("chronyd"))
    }
}
