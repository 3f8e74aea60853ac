import FlightControl
import ModeKit
import ModeTestKit
import Testing
import UAVLink
import UAVTestKit
import VehicleAccess
@testable import TelemetryMode

@MainActor
@Suite("How busy the computers are")
struct HostLoadsTests {
    private func load(_ load: String, signal: String = "") throws -> HostLoad {
        let wireless = signal.isEmpty ? "" : "\n wlan0: 0000 54. \(signal). -256 0"
        return try #require(HostLoad("\(load) 0 0 1/2 3\n1\(wireless)"))
    }

    @Test("what is known is shown, and what is too much or too weak is marked")
    func lines() throws {
        #expect(HostLoads().lines.isEmpty)
        #expect(HostLoads(ground: try load("0.12")).lines == [TelemetryLine("CPU load", "here 12 %")])
        let both = HostLoads(ground: try load("0.12"), vehicle: try load("1.50", signal: "-80"))
        #expect(
            both.lines == [
                TelemetryLine("CPU load", "here 12 %, vehicle 150 %", mark: .warning),
                TelemetryLine("Wi-Fi", "vehicle -80 dBm", mark: .warning),
            ])
    }

    @Test("they are asked for every five seconds while the screen is open, and shown below the vehicle's lines")
    func queries() async throws {
        final class View: TelemetryView {
            var shown = TelemetryScreenState()
            var presenter: TelemetryPresenter?
            func show(_ state: TelemetryScreenState) { shown = state }
        }
        let timeSource = FakeTimeSource()
        let (view, load) = (View(), try load("0.25"))
        var count = 0
        let builder = TelemetryBuilder(
            .init(
                fleet: .withFake(FakeLink(), timeSource: timeSource), timeSource: timeSource,
                desk: TelemetryStore(), topicWatch: { _ in FakeTopicWatch() },
                hostLoads: { _ in
                    count += 1
                    return HostLoads(ground: load)
                }))
        let instance = builder.build(on: FakeStage()) {
            view.presenter = $0
            return view
        }
        #expect(await becomesTrue { view.shown.hostLines.map(\.value) == ["here 25 %"] })
        #expect(count == 1)
        await timeSource.fake.run(for: .seconds(11))
        #expect(count == 3)
        instance.detach()
        await timeSource.fake.run(for: .seconds(11))
        #expect(count == 3)
    }
}
