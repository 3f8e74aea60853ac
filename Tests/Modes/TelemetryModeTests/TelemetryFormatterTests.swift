@testable import FlightControl
@testable import TelemetryMode
import ReportKit
import Testing
import UAVLink
import VehicleAccess

@Suite("Telemetry in words")
struct TelemetryFormatterTests {
    private let now = MonotonicTime(nanoseconds: 100_000_000_000)

    private func words(_ change: (inout Telemetry) -> Void) -> TelemetryFormatter {
        var telemetry = Telemetry(vehicle: "uav1")
        change(&telemetry)
        return TelemetryFormatter(telemetry, now: now)
    }

    @Test(
        "the compass",
        arguments: [
            (0.0, "east"), (45, "north-east"), (90, "north"), (135, "north-west"), (180, "west"), (-180, "west"),
            (-135, "south-west"), (-90, "south"), (-45, "south-east"), (22, "east"), (23, "north-east"), (361, "east"),
        ])
    func compass(_ degrees: Double, _ word: String) {
        #expect(Figures.compass(Heading.radians(degrees: degrees)) == word)
    }

    @Test("south and west have letters, not signs")
    func place() {
        let fix = GNSSFix(quality: .fix, latitudeDegrees: -33.5, longitudeDegrees: -70.25, altitudeMetres: 0)
        #expect(Figures.place(fix) == "33.5000000 S  70.2500000 W")
    }

    @Test("values that were rejected are counted where one looks, for a minute on the screen")
    func rejected() {
        var telemetry = Telemetry(vehicle: "uav1")
        func lines(_ later: Duration) -> [TelemetryLine] {
            TelemetryFormatter(telemetry, now: now + later).vehicle(batteryLeft: nil)
        }
        func report() -> StatusReport {
            StatusReport(telemetry, link: .udp, quality: LinkQuality(), now: now + .milliseconds(500))
        }
        #expect(
            lines(.zero).first?.label == "State"
                && report().json(at: "2026-01-02T03:04:05.678Z").text.contains(#""rejected_values": null"#))
        _ = telemetry.rejected.checked(Sample(1e308, at: now), .height, TelemetryBounds.height)
        #expect(
            lines(.milliseconds(500)).first
                == TelemetryLine(
                    "Rejected", "1 value out of bounds, last: height", note: "0.5 s old", mark: .warning))
        #expect(lines(.seconds(61)).first?.label == "State")
        #expect(
            report().json(at: "2026-01-02T03:04:05.678Z").text.contains(
                #""rejected_values": {"count": 1, "newest": "height", "newest_age_ms": 500}"#))
        #expect(report().lines.contains("  rejected   1 value out of bounds, last: height"))
    }

    @Test("an attitude has a line where a machine says it, and none elsewhere")
    func attitude() {
        let attitude = Attitude(rollRadians: 0.05, pitchRadians: -0.1, yawRadians: .pi / 2)
        let telemetry = words { $0.attitude = Sample(attitude, at: now) }
        let text = "roll 3°, pitch -6°, yaw 90°"
        #expect(telemetry.motion.contains { $0.label == "Attitude" && $0.value == text })
        #expect(!words { _ in }.motion.contains { $0.label == "Attitude" })
        var reported = Telemetry(vehicle: "uav1")
        reported.attitude = Sample(attitude, at: now)
        let lines = StatusReport(reported, link: .direct, quality: LinkQuality(), now: now).lines
        #expect(lines.contains { $0.contains("attitude") && $0.contains(text) })
    }

    @Test("a machine's further readings have a line each, and are in the JSON")
    func readings() {
        let readings = [
            Reading("pressure", 1013.25, unit: "hPa", decimals: 1), Reading("motors", 50, 51, 49, 50, unit: "%"),
        ]
        let telemetry = words { $0.readings = Sample(readings, at: now) }
        #expect(telemetry.motion.contains { $0.label == "Pressure" && $0.value == "1013.2 hPa" })
        #expect(telemetry.motion.contains { $0.label == "Motors" && $0.value == "50 51 49 50 %" })
        var reported = Telemetry(vehicle: "uav1")
        reported.readings = Sample(readings, at: now)
        let report = StatusReport(reported, link: .direct, quality: LinkQuality(), now: now)
        #expect(report.lines.contains("  pressure   1013.2 hPa") && report.lines.contains("  motors     50 51 49 50 %"))
        #expect(
            report.json(at: "2026-01-02T03:04:05.678Z").text.contains(
                #"{"name": "motors", "values": [50, 51, 49, 50], "unit": "%"}"#))
    }

    @Test func `of a sensor that has measured nothing for some time it is said that there is no data`() {
        func range(_ age: Duration) -> TelemetryLine? {
            words { $0.rangeFinderMetres = Sample(0.42, at: now - age) }.motion.first { $0.label == "Range" }
        }
        #expect(range(.seconds(1)) == TelemetryLine("Range", "0.42 m by range finder"))
        #expect(range(.seconds(5))?.value == "0.42 m by range finder" && range(.seconds(5))?.note == "5.0 s old")
        #expect(range(.seconds(90)) == TelemetryLine("Range", "no data for 90 s", mark: .unknown))
        let old = Sample([Reading("pressure", 1013.25, unit: "hPa", decimals: 1)], at: now - .seconds(60))
        let pressure = words { $0.readings = old }.motion.first { $0.label == "Pressure" }
        #expect(pressure?.value == "no data for 60 s")
        var reported = Telemetry(vehicle: "uav1")
        (reported.rangeFinderMetres, reported.readings) = (Sample(0.42, at: now - .seconds(90)), old)
        let lines = StatusReport(reported, link: .direct, quality: LinkQuality(), now: now).lines
        #expect(lines.contains("  range      no data for 90 s") && lines.contains("  pressure   no data for 60 s"))
    }

    @Test func `a velocity along axes of its own is not called east and north`() {
        var telemetry = Telemetry(vehicle: "tello")
        telemetry.velocityMetresPerSecond = Sample(Vector3(x: 1, y: -0.5, z: 0), at: now)
        var machine = VehicleCapabilities.mrs
        func value() -> String? {
            TelemetryFormatter(telemetry, of: machine, now: now).motion.first { $0.label == "Velocity" }?.value
        }
        #expect(value() == "E 1.00 N -0.50 U 0.00 m/s")
        machine.hasOwnVelocityAxes = true
        #expect(value() == "X 1.00 Y -0.50 U 0.00 m/s from its start")
    }

    @Test func `where only commands measure round trips the panel shows what stands above the screen`() {
        var (history, quality) = (VehicleHistory(), LinkQuality(isConnected: true))
        var telemetry = Telemetry(vehicle: "uav1")
        telemetry.battery = Sample(Battery(voltageVolts: 23), at: now)
        (quality.roundTrip, quality.roundTripMedian) = (.nanoseconds(300), .nanoseconds(300))
        quality.roundTripAt = now - .seconds(40)
        history.take(telemetry, quality, at: now)
        func shown(_ quality: LinkQuality) -> SparklineHistory? {
            let snapshot = VehicleSnapshot(
                vehicle: "uav1", link: .sim, telemetry: telemetry, quality: quality, now: now)
            return SparklineFormatter(history: history, roundTrip: snapshot.presentRoundTrip).sparklines
                .first { $0.label == "RTT" }
        }
        #expect(shown(quality)?.newest == "<0.1 ms" && shown(quality)?.lack == "only commands measure it")
        quality.isConnected = false
        #expect(shown(quality)?.newest == "-" && shown(quality)?.lack == "no values yet")
    }

    @Test func `a battery without volts is shown in percent, and what answers nothing has no round trips`() {
        var history = VehicleHistory()
        var telemetry = Telemetry(vehicle: "tello")
        telemetry.battery = Sample(Battery(remaining: 0.95), at: now)
        history.take(telemetry, LinkQuality(isConnected: true), at: now)
        func shown(_ label: String, measured: Bool = true) -> [SparklineHistory] {
            SparklineFormatter(history: history, measuresRoundTrips: measured).sparklines.filter { $0.label == label }
        }
        #expect(shown("Battery").map(\.newest) == ["95 %"] && shown("Battery").map(\.unit) == ["%"])
        #expect(shown("RTT").map(\.lack) == ["no values yet"])
        #expect(shown("RTT", measured: false).map(\.lack) == ["it answers nothing: no round trips"])
        var measured = telemetry
        measured.battery = Sample(Battery(voltageVolts: 11.4, remaining: 0.9), at: now + .seconds(1))
        history.take(measured, LinkQuality(isConnected: true), at: now + .seconds(1))
        #expect(shown("Battery").map(\.newest) == ["11.4 V"])
    }

    @Test("a battery that does not measure its share says no share, and no time")
    func battery() {
        let line = words { $0.battery = Sample(Battery(voltageVolts: 15.9), at: now) }.vehicle(batteryLeft: nil)[1]
        #expect(line == TelemetryLine("Battery", "15.9 V"))
        let low = words {
            $0.battery = Sample(Battery(voltageVolts: 14, currentAmperes: 12, remaining: 0.2), at: now)
        }.vehicle(batteryLeft: .seconds(300))[1]
        #expect(
            low == TelemetryLine("Battery", "14.0 V, 12.0 A, 20 %, ~5 min", note: "low", mark: .warning))
    }

    @Test("a slow topic is marked, a silent one more so, and rates that are old are said to be")
    func rates() {
        let rates = [
            TopicRate(name: "hw_api/gnss", measuredHertz: 20, expectedHertz: 41, condition: .slow),
            TopicRate(name: "hw_api/status", measuredHertz: 0, expectedHertz: 350, condition: .silent),
            TopicRate(name: "odom", measuredHertz: 99, expectedHertz: 100, condition: .good),
            TopicRate(name: "x", measuredHertz: 3.25), TopicRate(name: "y", measuredHertz: 0),
            TopicRate(name: "z", measuredHertz: 8, condition: .irregular),
        ]
        let lines = TopicRateFormatter(TopicRateReport(rates), age: .seconds(1))
        #expect(lines.lines[0] == TelemetryLine("hw_api/gnss", "20/41 Hz", note: "SLOW", mark: .warning))
        #expect(lines.lines[1] == TelemetryLine("hw_api/status", "0/350 Hz", note: "SILENT", mark: .danger))
        #expect(lines.lines[2] == TelemetryLine("odom", "99/100 Hz"))
        #expect(lines.lines[3] == TelemetryLine("x", "3.2 Hz"))
        #expect(lines.lines[4] == TelemetryLine("y", "-", mark: .unknown))
        #expect(lines.lines[5] == TelemetryLine("z", "8 Hz", note: "IRREGULAR", mark: .warning))
        #expect(lines.summary == TelemetryLine("Topics", "gnss and 2 more", note: "SLOW", mark: .warning))
        let old = TopicRateFormatter(TopicRateReport(rates), age: .seconds(9))
        #expect(old.lines.allSatisfy { $0.note == "9.0 s old" && $0.mark == .danger })
        let none = TopicRateFormatter(TopicRateReport([]), age: nil)
        #expect(none.summary == TelemetryLine("Topics", "-", mark: .unknown) && none.lines.isEmpty)
    }

    @Test("a healthy vehicle of any rates has no mark, and what is not judged is counted")
    func healthyRates() {
        let good = TopicRate(name: "hw_api/status", measuredHertz: 199, expectedHertz: 200, condition: .good)
        let absent = TopicRate(name: "uav_status", measuredHertz: 0)
        let learning = TopicRate(name: "hw_api/gnss", measuredHertz: 41)
        func summary(_ rates: [TopicRate]) -> TelemetryLine {
            TopicRateFormatter(TopicRateReport(rates), age: .zero).summary
        }
        #expect(summary([good, good]) == TelemetryLine("Topics", "2 at expected rates"))
        #expect(summary([good, absent]) == TelemetryLine("Topics", "1 at expected rates, 1 absent"))
        #expect(summary([learning, absent]) == TelemetryLine("Topics", "1 not judged, 1 absent"))
        #expect(summary([]) == TelemetryLine("Topics", "none"))
    }

    @Test("simulated time and clocks that differ are said beside the vehicle's state, the usual clock is not")
    func stampClock() {
        func lines(_ clock: StampClock?) -> [TelemetryLine] {
            words { $0.stampClock = clock }.vehicle(batteryLeft: nil).filter { $0.label == "Time" }
        }
        #expect(lines(nil).isEmpty && lines(StampClock(.wall)).isEmpty)
        #expect(lines(StampClock(.simulated)) == [TelemetryLine("Time", "simulated; ages from receipt")])
        #expect(
            lines(StampClock(.differing, offset: .milliseconds(3210))) == [
                TelemetryLine("Time", "stamps 3.2 s behind", note: "CLOCKS DIFFER", mark: .warning)
            ])
    }

    @Test("an emergency is danger, and text of the vehicle is sanitized")
    func flight() {
        let lines = words {
            $0.flight = Sample(
                FlightStatus(
                    state: .emergency, isArmed: true, isOffboard: false, isOutputEnabled: true,
                    isFlyingNormally: false), at: now)
            $0.tracker = Sample(
                TrackerStatus(tracker: "A\u{1B}[2J", controller: "B", takesReferences: false, hasGoal: false), at: now)
        }.vehicle(batteryLeft: nil)
        #expect(lines[0] == TelemetryLine("State", "emergency: armed, output", mark: .danger))
        #expect(lines[3].value == "A\u{241B}[2J / B")
        #expect(lines[4].value == "none, accepts no references")
    }

    /// The flight state is as old as arming and mode, which over SSH and from some autopilots come once a second.
    @Test(arguments: [(0, ""), (1200, ""), (2500, "2.5 s old")])
    func `the age of the state is shown where it is no longer normal`(milliseconds: Int, note: String) {
        let line = words {
            $0.flight = Sample(
                FlightStatus(
                    state: .flying, isArmed: true, isOffboard: true, isOutputEnabled: true, isFlyingNormally: true),
                at: now - .milliseconds(milliseconds))
        }.vehicle(batteryLeft: nil)[0]
        #expect(line.label == "State" && line.note == note)
        #expect((line.mark == .plain) == note.isEmpty)
    }

    @Test func `a vehicle that is flown by radio is not only armed`() {
        func telemetry(height: Double) -> Telemetry {
            var telemetry = Telemetry(vehicle: "uav1")
            telemetry.flight = Sample(
                FlightStatus(
                    state: .armed, isArmed: true, isOffboard: false, isOutputEnabled: false, isFlyingNormally: false),
                at: now)
            telemetry.heightAboveGroundMetres = Sample(height, at: now)
            return telemetry
        }
        for (height, text) in [(4.0, "armed: flown by radio"), (0.1, "armed: no output/offboard/take-off")] {
            let seen = telemetry(height: height)
            #expect(TelemetryFormatter(seen, now: now).vehicle(batteryLeft: nil)[0].value == text)
            let report = StatusReport(seen, link: .udp, quality: LinkQuality(), now: now)
            #expect(report.lines.contains { $0.contains("flown by radio") } == (height > 1))
            #expect(report.json(at: "").text.contains("\"flown_by_radio\": \(height > 1)"))
        }
    }

    @Test func `the state fits the panel on a terminal of 80 columns`() {
        func state(_ state: FlightState, isNormal: Bool) -> String {
            words {
                $0.flight = Sample(
                    FlightStatus(
                        state: state, isArmed: true, isOffboard: true, isOutputEnabled: true, isFlyingNormally: isNormal
                    ),
                    at: now)
            }.vehicle(batteryLeft: nil)[0].value
        }
        #expect(state(.flying, isNormal: true) == "flying: armed, offboard, output")
        #expect(state(.flying, isNormal: false).hasSuffix("not normal"))
        for each in [FlightState.takingOff, .landing] {
            let text = state(each, isNormal: false)
            #expect(text.count <= 33 && text.hasSuffix(": offboard, output"))
        }
    }

    @Test("ages grow from tenths of a second to hours")
    func ages() {
        #expect(Figures.age(.milliseconds(700)) == "0.7 s old")
        #expect(Figures.age(.seconds(140)) == "2 min old")
        #expect(Figures.age(.seconds(8000)) == "2 h old")
        #expect(Figures.left(.seconds(94)) == "~90 s")
        #expect(Figures.left(.seconds(640)) == "~11 min")
    }
}
