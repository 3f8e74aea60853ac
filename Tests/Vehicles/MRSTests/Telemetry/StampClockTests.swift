import MRSMessages
import ROSMessages
import Testing
import UAVLink

@testable import MRS

/// By which clock a vehicle stamps its messages, and whether an age may be counted from that.
@Suite struct StampClockTests {
    private static let wallMinusClock: Int64 = 1_700_000_000_000_000_000

    private func at(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: milliseconds * 1_000_000) }

    private func message(stampedAt instant: MonotonicTime) -> NavMsgs.Odometry {
        let wall = instant.nanoseconds + Self.wallMinusClock
        var message = NavMsgs.Odometry()
        message.header.frameID = "uav1/gps_garmin_origin"
        message.header.stamp = ROSTime(
            seconds: UInt32(wall / 1_000_000_000), nanoseconds: UInt32(wall % 1_000_000_000))
        message.pose.pose.orientation.w = 1
        return message
    }

    /// Ten poses a second, each stamped that long before its receipt.
    private func assembler(
        isTimeSimulated: Bool?, seconds: Int64 = 3, delay: (Int64) -> Duration
    ) -> TelemetryAssembler {
        var assembler = TelemetryAssembler(vehicle: "uav1")
        assembler.wallMinusClock = Self.wallMinusClock
        assembler.isTimeSimulated = isTimeSimulated
        for step in 0..<(seconds * 10) {
            let now = at(10_000 + step * 100)
            assembler.take(message(stampedAt: now - delay(step)), at: now)
        }
        return assembler
    }

    private func newestStamp(_ assembler: TelemetryAssembler) -> MonotonicTime? {
        assembler.telemetry.pose.flatMap { assembler.stamp(ofPoseAt: $0.at) }
    }

    @Test func `stamps of the receiver's own clock are used`() {
        let known = assembler(isTimeSimulated: false) { Duration.milliseconds(1 + $0 % 3) }
        #expect(known.telemetry.stampClock == StampClock(.wall))
        #expect(newestStamp(known) != nil)
        // Without an answer of the master it is not known whether they only happen to be close.
        let unknown = assembler(isTimeSimulated: nil) { _ in .milliseconds(1) }
        #expect(unknown.telemetry.stampClock == nil && newestStamp(unknown) != nil)
    }

    @Test(arguments: [1, 740, 3000, 1_000_000]) func `simulated time is never compared, however close it is`(_ lag: Int)
    {
        let known = assembler(isTimeSimulated: true) { _ in .milliseconds(lag) }
        #expect(known.telemetry.stampClock == StampClock(.simulated, offset: .milliseconds(lag)))
        #expect(newestStamp(known) == nil)
    }

    @Test func `that time is simulated is known from the next pose on, whenever the master says so`() {
        var known = assembler(isTimeSimulated: false) { _ in .milliseconds(740) }
        #expect(known.telemetry.stampClock?.kind == .wall)
        known.isTimeSimulated = true
        #expect(known.telemetry.stampClock?.kind == .simulated && newestStamp(known) == nil)
    }

    @Test(arguments: [1100, 3000, 3_600_000, -1100, -3_600_000])
    func `stamps that are constantly far off are of another clock`(_ milliseconds: Int) {
        for isTimeSimulated in [false, nil] as [Bool?] {
            let known = assembler(isTimeSimulated: isTimeSimulated) {
                Duration.milliseconds(milliseconds + Int($0 % 3))
            }
            #expect(known.telemetry.stampClock?.kind == .differing)
            let offset = known.telemetry.stampClock?.offset ?? .zero
            #expect(abs((offset - .milliseconds(milliseconds)).inMilliseconds) < 3)
        }
    }

    @Test func `a queue that is emptied late is no other clock`() {
        // One message of ten waits for two seconds.
        let known = assembler(isTimeSimulated: false, seconds: 10) {
            $0 % 10 == 0 ? Duration.seconds(2) : Duration.milliseconds(5)
        }
        #expect(known.telemetry.stampClock == StampClock(.wall))
    }

    @Test func `nothing is known before two seconds, and a clock that is corrected is seen`() {
        #expect(assembler(isTimeSimulated: false, seconds: 1) { _ in .seconds(5) }.telemetry.stampClock == nil)
        let corrected = assembler(isTimeSimulated: false, seconds: 10) {
            $0 < 50 ? Duration.seconds(5) : Duration.milliseconds(1)
        }
        #expect(corrected.telemetry.stampClock == StampClock(.wall))
    }

    @Test func `offsets of any size and times that go back do no harm`() {
        var offsets = StampOffsets()
        let times = [0, Int64.max, .min, 1, 5_000_000_000, .max, 0]
        for _ in 0..<5 {
            for nanoseconds in times {
                offsets.note(.nanoseconds(nanoseconds), at: MonotonicTime(nanoseconds: nanoseconds))
            }
        }
        for number in 0..<100 as Range<Int64> {
            offsets.note(.milliseconds(3), at: MonotonicTime(nanoseconds: number * 100_000_000))
        }
        #expect(offsets.offset == .milliseconds(3))
    }

    @Test func `messages without stamps say nothing`() {
        var assembler = TelemetryAssembler(vehicle: "uav1")
        assembler.wallMinusClock = Self.wallMinusClock
        assembler.isTimeSimulated = false
        var unstamped = message(stampedAt: at(0))
        unstamped.header.stamp = ROSTime()
        for step in 0..<50 as Range<Int64> { assembler.take(unstamped, at: at(step * 100)) }
        #expect(assembler.telemetry.stampClock == nil && newestStamp(assembler) == nil)
    }
}

@Suite struct ROSTimeFindingTests {
    @Test func `simulated time is in order with a clock, and stands still without one`() {
        let good = ROSGraphDiagnosis.time(isSimulated: true, publishers: ["/gazebo"])
        #expect(good.verdict == .good && good.message.contains("/gazebo") && good.message.contains("not from stamps"))
        let still = ROSGraphDiagnosis.time(isSimulated: true, publishers: [])
        #expect(
            still.verdict == .warning && still.message.contains("no node publishes /clock") && !still.advice.isEmpty)
        let mixed = ROSGraphDiagnosis.time(isSimulated: false, publishers: ["/player"])
        #expect(mixed.verdict == .warning && mixed.advice.contains("/use_sim_time true"))
        #expect(ROSGraphDiagnosis.time(isSimulated: false, publishers: []).verdict == .good)
    }
}
