@testable import FlightControl
import Testing
import UAVLink

@Suite("A vehicle's last minute")
struct VehicleHistoryTests {
    private func time(_ seconds: Double) -> MonotonicTime { MonotonicTime(nanoseconds: Int64(seconds * 1e9)) }

    private func telemetry(east: Double, frame: String = "world", at: MonotonicTime) -> Telemetry {
        var telemetry = Telemetry(vehicle: "uav1")
        telemetry.pose = Sample(
            Pose(frame: FrameName(frame), positionMetres: Vector3(x: east, y: 0, z: 2), headingRadians: 0), at: at)
        telemetry.heightAboveGroundMetres = Sample(2, at: at)
        return telemetry
    }

    @Test("a ring keeps the newest, in their order")
    func ring() {
        var ring = RingBuffer<Int>(capacity: 3)
        #expect(ring.last == nil)
        for number in 1...7 { ring.append(number) }
        #expect(ring.values == [5, 6, 7])
        #expect(ring.last == 7)
        #expect(ring.count == 3)
        ring.removeAll()
        ring.append(8)
        #expect(ring.values == [8])
    }

    @Test("the trail is of the last minute, ten places a second, and begins anew in another frame")
    func trail() {
        var history = VehicleHistory()
        for step in 0..<2000 {
            let now = time(Double(step) * 0.05)
            history.take(telemetry(east: Double(step), at: now), LinkQuality(), at: now)
        }
        let trail = history.trail(at: time(99.95))
        #expect((595...601).contains(trail.count))
        #expect(trail.last?.value.positionMetres.x ?? 0 >= 1996)
        #expect(trail.allSatisfy { time(99.95) - $0.at <= .seconds(60) })
        history.take(telemetry(east: 0, frame: "other", at: time(100.5)), LinkQuality(), at: time(100.5))
        #expect(history.trail(at: time(100.5)).count == 1)
    }

    @Test("a figure that is no longer heard leaves a gap, not a straight line")
    func gaps() {
        var history = VehicleHistory()
        let old = telemetry(east: 0, at: time(1))
        for step in 2..<20 { history.take(old, LinkQuality(), at: time(Double(step) / 2)) }
        let series = history.series(of: .height)
        #expect(series.first == 2)
        #expect(series.last == .some(nil))
        #expect(history.series(of: .age).compactMap(\.self).last == 8500)
        #expect(history.series(of: .roundTrip).allSatisfy { $0 == nil })
    }

    @Test func `a round trip that a command measured some time ago is not repeated as one of now`() {
        var history = VehicleHistory()
        var quality = LinkQuality(isConnected: true)
        (quality.roundTrip, quality.roundTripAt) = (.milliseconds(40), time(1))
        for step in 2..<12 { history.take(nil, quality, at: time(Double(step) / 2)) }
        let series = history.series(of: .roundTrip)
        #expect(series.first == 40 && series.compactMap(\.self).count == 5 && series.last == .some(nil), "\(series)")
    }

    @Test("the figures are bounded")
    func bounded() {
        var history = VehicleHistory()
        for step in 0..<5000 { history.take(nil, LinkQuality(), at: time(Double(step))) }
        #expect(history.series(of: .speed).count == 120)
    }

    // MARK: Battery

    private func forecast(_ seconds: Int, share: (Int) -> Double) -> BatteryForecast {
        var forecast = BatteryForecast()
        for second in 0...seconds { forecast.take(share(second), at: time(Double(second))) }
        return forecast
    }

    @Test("remaining time comes from the slope of the last minute")
    func remaining() throws {
        // 6 % a minute: at 50 % there are 500 s left.
        let left = try #require(forecast(60) { 0.56 - Double($0) * 0.001 }.left(at: time(60)))
        #expect(abs(left.inSeconds - 500) < 1)
        // The same in steps of a whole percent.
        let stepped = try #require(
            forecast(60) { (0.56 - Double($0) * 0.001).rounded(.up, to: 0.01) }.left(at: time(60)))
        #expect(abs(stepped.inSeconds - 500) < 60)
    }

    @Test("nothing is said too early, of a share that does not fall, or of one that hardly does")
    func silence() {
        #expect(forecast(20) { 0.56 - Double($0) * 0.001 }.left(at: time(20)) == nil)
        #expect(forecast(60) { _ in 0.5 }.left(at: time(60)) == nil)
        #expect(forecast(60) { 0.5 + Double($0) * 0.001 }.left(at: time(60)) == nil)
        #expect(forecast(60) { 0.5 - ($0 > 30 ? 0.01 : 0) }.left(at: time(60)) == nil)
        #expect(BatteryForecast().left(at: time(0)) == nil)
    }

    @Test("what is long past counts no more, and a fuller battery is another one")
    func anotherBattery() {
        let falling = forecast(60) { 0.56 - Double($0) * 0.001 }
        #expect(falling.left(at: time(200)) == nil)
        var changed = falling
        changed.take(0.95, at: time(61))
        #expect(changed.left(at: time(61)) == nil)
    }

    @Test func `the discharge is learned in flight only: standing on the ground does not count`() {
        func left(_ state: FlightState, after seconds: Int, height: Double = 2) -> Duration? {
            var history = VehicleHistory()
            for second in 0...seconds {
                let now = time(Double(second))
                var telemetry = self.telemetry(east: 0, at: now)
                telemetry.heightAboveGroundMetres = Sample(height, at: now)
                let isFlying = second > 60
                telemetry.flight = Sample(
                    FlightStatus(
                        state: isFlying ? state : .disarmed, isArmed: isFlying, isOffboard: isFlying,
                        isOutputEnabled: isFlying, isFlyingNormally: isFlying), at: now)
                telemetry.battery = Sample(
                    Battery(voltageVolts: 16, remaining: 0.9 - Double(second) * 0.001), at: now)
                history.take(telemetry, LinkQuality(), at: now)
            }
            return history.batteryLeft(at: time(Double(seconds)))
        }
        #expect(left(.disarmed, after: 60) == nil)
        #expect(left(.flying, after: 70) == nil)
        #expect(left(.flying, after: 110) != nil)
        #expect(left(.armed, after: 110, height: 0.1) == nil)
        // Flown by radio it is armed, too.
        #expect(left(.armed, after: 110) != nil)
    }

    @Test func `home is where it stood, not where a pilot flies it by radio`() {
        var history = VehicleHistory()
        for (second, height) in [0.1, 0.2, 3, 0.9].enumerated() {
            let now = time(Double(second))
            var telemetry = self.telemetry(east: Double(second), at: now)
            telemetry.heightAboveGroundMetres = Sample(height, at: now)
            telemetry.flight = Sample(
                FlightStatus(
                    state: .armed, isArmed: true, isOffboard: false, isOutputEnabled: false, isFlyingNormally: false),
                at: now)
            history.take(telemetry, LinkQuality(), at: now)
            #expect(history.home?.positionMetres.x == ([0, 1, 1, 3] as [Double])[second])
        }
    }
}

extension Double {
    fileprivate func rounded(_ rule: FloatingPointRoundingRule, to step: Double) -> Double {
        (self / step).rounded(rule) * step
    }
}
