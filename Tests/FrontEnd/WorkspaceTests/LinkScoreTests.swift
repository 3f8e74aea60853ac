import FlightControl
import ModeKit
import Workspace
import Synchronization
import Testing
import UAVLink
import UAVTestKit
import VehicleAccess

@Suite("Link score")
struct LinkScoreTests {
    @Test("fresh and lossless is 100, stale is 0, and losses count")
    func score() {
        var quality = LinkQuality(isConnected: true)
        #expect(LinkScore.percent(quality, link: .udp, telemetryAge: nil) == nil)
        #expect(LinkScore.percent(quality, link: .udp, telemetryAge: .milliseconds(20)) == 100)
        #expect(LinkScore.percent(quality, link: .udp, telemetryAge: .seconds(3)) == 0)
        #expect(LinkScore.percent(quality, link: .ssh, telemetryAge: .milliseconds(400)) == 100)
        quality.lossUp = 0.1
        quality.lossDown = 0.2
        #expect(LinkScore.percent(quality, link: .udp, telemetryAge: .zero) == 72)
        #expect(LinkScore.grade(72, isConnected: true) == .fair)
        #expect(LinkScore.grade(0, isConnected: true) == .silent)
        #expect(LinkScore.grade(nil, isConnected: true) == .silent)
        #expect(LinkScore.grade(72, isConnected: false) == .lost)
        quality.isConnected = false
        #expect(LinkScore.percent(quality, link: .udp, telemetryAge: .zero) == 0)
    }
}
