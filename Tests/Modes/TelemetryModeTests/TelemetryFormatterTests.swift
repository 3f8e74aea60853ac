@testable import FlightControl
@testable import TelemetryMode
import ReportKit
import Testing
import UAVLink

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
            TopicRate(name: "hw_api/gnss", measuredHertz: 20, expectedHertz: 41),
            TopicRate(name: "hw_api/status", measuredHertz: 0, expectedHertz: 350),
            TopicRate(name: "odom", measuredHertz: 99, expectedHertz: 100), TopicRate(name: "x", measuredHertz: 3.25),
        ]
        let lines = words { $0.topicRates = Sample(rates, at: now - .seconds(1)) }
        #expect(lines.rates[0] == TelemetryLine("hw_api/gnss", "20/41 Hz", note: "SLOW", mark: .warning))
        #expect(lines.rates[1] == TelemetryLine("hw_api/status", "0/350 Hz", note: "SILENT", mark: .danger))
        #expect(lines.rates[2] == TelemetryLine("odom", "99/100 Hz"))
        #expect(lines.rates[3] == TelemetryLine("x", "3.2 Hz"))
        #expect(lines.ratesSummary == TelemetryLine("Topics", "gnss and 1 more", note: "SLOW", mark: .warning))
        let old = words { $0.topicRates = Sample(rates, at: now - .seconds(9)) }
        #expect(old.rates.allSatisfy { $0.note == "9.0 s old" && $0.mark == .danger })
        #expect(words { _ in }.ratesSummary == TelemetryLine("Topics", "-", mark: .unknown))
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

    @Test("ages grow from tenths of a second to hours")
    func ages() {
        #expect(Figures.age(.milliseconds(700)) == "0.7 s old")
        #expect(Figures.age(.seconds(140)) == "2 min old")
        #expect(Figures.age(.seconds(8000)) == "2 h old")
        #expect(Figures.left(.seconds(94)) == "~90 s")
        #expect(Figures.left(.seconds(640)) == "~11 min")
    }
}

@Suite("Rates in the status")
struct StatusRatesTests {
    @Test("scripts get measured and expected rates; a user only those that are slow")
    func rates() {
        let now = MonotonicTime(nanoseconds: 5_000_000_000)
        var telemetry = Telemetry(vehicle: "uav1")
        func report() -> StatusReport {
            StatusReport(telemetry, link: .udp, quality: LinkQuality(), now: now)
        }
        #expect(report().json(at: "2026-01-02T03:04:05.678Z").text.contains(#""topic_rates": null"#))
        #expect(
            report().json(at: "2026-01-02T03:04:05.678Z").text.contains(#""companion_version": null, "warnings": []"#))
        var quality = LinkQuality()
        quality.companionVersion = "99.1.0"
        let text = StatusReport(telemetry, link: .udp, quality: quality, now: now).json(at: "2026-01-02T03:04:05.678Z")
            .text
        #expect(
            text.contains(
                #""companion_version": "99.1.0", "warnings": ["the running companion is version 99.1.0, this program is"#
            ))
        telemetry.topicRates = Sample(
            [
                TopicRate(name: "hw_api/gnss", measuredHertz: 20.5, expectedHertz: 41),
                TopicRate(name: "x", measuredHertz: 3),
            ], at: now)
        #expect(
            report().json(at: "2026-01-02T03:04:05.678Z").text.contains(
                #""topic_rates": [{"topic": "hw_api/gnss", "measured_hz": 20.5, "expected_hz": 41, "slow": true}, "#
                    + #"{"topic": "x", "measured_hz": 3, "expected_hz": null, "slow": false}]"#))
        #expect(
            report().lines.filter { $0.contains("slow") } == ["  slow       hw_api/gnss at 20.5 Hz, 41 Hz expected"])
    }
}
