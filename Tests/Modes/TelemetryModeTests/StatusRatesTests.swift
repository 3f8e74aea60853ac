@testable import FlightControl
@testable import TelemetryMode
import ReportKit
import Testing
import UAVLink
import VehicleAccess

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
        let overSSH = StatusReport(
            telemetry, link: .ssh, quality: LinkQuality(isConnected: true), now: now, rosMaster: "http://a:11312")
        #expect(overSSH.lines[0] == "uav1 over ssh to the ROS master http://a:11312")
        #expect(
            overSSH.json(at: "2026-01-02T03:04:05.678Z").text.contains(#""ros_master": "http://a:11312""#))
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
                TopicRate(name: "hw_api/gnss", measuredHertz: 20, expectedHertz: 41, condition: .slow),
                TopicRate(name: "x", measuredHertz: 3),
            ], at: now)
        #expect(
            report().json(at: "2026-01-02T03:04:05.678Z").text.contains(
                #""topic_rates": [{"topic": "hw_api/gnss", "measured_hz": 20, "expected_hz": 41, "slow": true, "#
                    + #""condition": "slow", "expected_from": "vehicle"}, "#
                    + #"{"topic": "x", "measured_hz": 3, "expected_hz": null, "slow": false, "#
                    + #""condition": "unjudged", "expected_from": null}]"#))
        #expect(report().lines.filter { $0.contains("slow") } == ["  slow       hw_api/gnss at 20 Hz, usually 41 Hz"])
        #expect(report().lines.contains("  topics     not judged yet: x"))
        let judged = StatusReport(
            telemetry, link: .udp, quality: LinkQuality(), now: now, profileRates: ["hw_api/gnss": 22, "x": 9])
        #expect(judged.lines.filter { $0.contains("slow") } == ["  slow       x at 3 Hz, 9 Hz in the profile"])
        #expect(judged.lines.contains("  topics     1 at its usual rate"))
        #expect(judged.json(at: "").text.contains(#""condition": "good", "expected_from": "profile"}"#))
    }

    @Test func `a vehicle that has fallen silent is a warning, and its topics are not good`() {
        let now = MonotonicTime(nanoseconds: 60_000_000_000)
        func report(_ age: Duration, over link: LinkKind = .udp) -> StatusReport {
            var telemetry = Telemetry(vehicle: "uav1")
            telemetry.heightAboveGroundMetres = Sample(1, at: now - age)
            telemetry.topicRates = Sample(
                [
                    TopicRate(name: "a", measuredHertz: 40, expectedHertz: 41, condition: .good),
                    TopicRate(name: "rare", measuredHertz: 0.1, expectedHertz: 0.1, condition: .good),
                ], at: now - age)
            return StatusReport(telemetry, link: link, quality: LinkQuality(isConnected: true), now: now)
        }
        let silent = report(.seconds(7))
        let warning =
            "no telemetry received from the vehicle for 7 s: the values are its last ones; "
            + "run 'uavlink doctor' to see which part is missing"
        #expect(silent.lines.contains("  telemetry  \(warning)"))
        #expect(!silent.lines.contains { $0.contains("at their usual rates") || $0.contains("at its usual rate") })
        let json = silent.json(at: "").text
        #expect(json.contains("\"warnings\": [\"\(warning)\"]"))
        #expect(json.contains(#""measured_hz": 0, "expected_hz": 41, "slow": true, "condition": "silent""#))
        #expect(json.contains(#""measured_hz": 0.1, "expected_hz": 0.1, "slow": false, "condition": "good""#))
        #expect(report(.seconds(1)).json(at: "").text.contains(#""warnings": []"#))
        #expect(report(.seconds(1)).lines.contains { $0.contains("2 at their usual rates") })
        // Over SSH parts of it come once a second.
        #expect(report(.seconds(4), over: .ssh).json(at: "").text.contains(#""warnings": []"#))
    }

    @Test func `why a part of the telemetry does not come is told to users and scripts`() {
        var quality = LinkQuality(isConnected: true)
        quality.telemetryFault = LinkError(.typeMismatch, "rostopic does not know a/B", hint: "source it")
        let report = StatusReport(
            Telemetry(vehicle: "uav1"), link: .ssh, quality: quality, now: MonotonicTime(nanoseconds: 0))
        #expect(report.lines.contains("  telemetry  rostopic does not know a/B; source it"))
        #expect(report.json(at: "").text.contains(#""warnings": ["rostopic does not know a/B; source it"]"#))
    }

    @Test("from where ages count is stated, and clocks that differ are a warning")
    func ages() {
        let now = MonotonicTime(nanoseconds: 5_000_000_000)
        var telemetry = Telemetry(vehicle: "uav1")
        func report(_ link: LinkKind) -> StatusReport {
            StatusReport(telemetry, link: link, quality: LinkQuality(), now: now)
        }
        #expect(report(.udp).lines.last == "  ages       counted from receipt on board")
        #expect(report(.ros).lines.last == "  ages       counted from receipt on the ground")
        #expect(report(.udp).json(at: "").text.contains(#""age_from": "received_on_board", "stamps": null"#))
        #expect(report(.ssh).json(at: "").text.contains(#""age_from": "received_on_ground""#))
        telemetry.stampClock = StampClock(.simulated, offset: .milliseconds(740))
        #expect(
            report(.tcp).lines.last
                == "  ages       counted from receipt on board; the vehicle runs on simulated time")
        #expect(
            report(.tcp).json(at: "").text.contains(#""stamps": {"clock": "simulated", "behind_ms": 740}"#))
        #expect(report(.tcp).json(at: "").text.contains(#""warnings": []"#))
        telemetry.stampClock = StampClock(.differing, offset: .milliseconds(-3200))
        let words = "the vehicle's stamps are 3.2 s ahead of the clock of the companion's computer"
        #expect(report(.udp).lines.contains { $0.hasPrefix("  clocks     \(words)") })
        #expect(report(.udp).json(at: "").text.contains(words))
        #expect(report(.ros).json(at: "").text.contains("3.2 s ahead of the clock of this computer"))
    }
}
