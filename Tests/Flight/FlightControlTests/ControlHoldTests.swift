import FlightControl
import ReportKit
import Synchronization
import Testing
import UAVLink
import UAVTestKit

@Suite struct ControlHoldTests {
    private let clock = FakeClock()

    private func status(yours: Bool, why: String = "") -> ControlStatus {
        let pilot = ControlStatus.Pilot(name: "anna", since: clock.now, isYou: true)
        return ControlStatus(pilot: yours ? pilot : nil, lastEndReason: why)
    }

    private func telemetry(_ status: ControlStatus) -> Telemetry {
        var telemetry = Telemetry(vehicle: "uav1")
        telemetry.control = Sample(status, at: clock.now)
        return telemetry
    }

    @Test func `a status that is older than a second is a link loss, reported once, and so is its end`() {
        let start = clock.now
        var hold = ControlHold(now: start)
        let held = status(yours: true)
        #expect(hold.event(Sample(held, at: start + .milliseconds(200)), now: start + .milliseconds(250)) == nil)
        let last = Sample(held, at: start + .milliseconds(200))
        #expect(hold.event(last, now: last.at + .seconds(1)) == nil)
        #expect(hold.event(last, now: last.at + .milliseconds(1001)) == .linkLost(since: last.at))
        #expect(hold.event(last, now: last.at + .seconds(5)) == nil)
        #expect(hold.event(nil, now: last.at + .seconds(6)) == nil)
        let again = Sample(held, at: last.at + .seconds(7))
        #expect(hold.event(again, now: again.at) == .linkRestored)
        #expect(hold.event(again, now: again.at + .milliseconds(100)) == nil)
        #expect(hold.event(again, now: again.at + .seconds(2)) == .linkLost(since: again.at))
    }

    @Test func `without any status the loss counts from the beginning`() {
        let start = clock.now
        var hold = ControlHold(now: start)
        // From before control authority was granted.
        let old = Sample(status(yours: false), at: start + .milliseconds(-1))
        #expect(hold.event(old, now: start + .milliseconds(900)) == nil)
        #expect(hold.event(old, now: start + .milliseconds(1100)) == .linkLost(since: start))
    }

    @Test func `a status of another pilot or of none ends it, also the first one after a link loss`() {
        let start = clock.now
        var hold = ControlHold(now: start)
        #expect(hold.event(nil, now: start + .seconds(3)) == .linkLost(since: start))
        let ended = status(yours: false, why: "link loss")
        let sample = Sample(ended, at: start + .seconds(4))
        #expect(hold.event(sample, now: sample.at) == .ended(ended))
    }

    @Test func `a link loss is reported as a problem with its time, its end as good news`() throws {
        let text: (MonotonicTime) -> String = { _ in "12:00:00" }
        let loss = try #require(
            ControlHoldReport(.linkLost(since: clock.now), of: "uav1 on hexa1", waitingFor: .seconds(15), text))
        #expect(loss.isProblem && loss.line.hasPrefix("uav1 on hexa1: link loss: nothing received"))
        #expect(loss.line.contains("since 12:00:00;") && loss.line.hasSuffix("still trying, for 15 s"))
        #expect(loss.json.text.hasPrefix("{\"ok\": false, \"link_lost\": true, \"since\": \"12:00:00\", \"error\": "))
        let restored = try #require(
            ControlHoldReport(.linkRestored, of: "uav1 on hexa1", waitingFor: .seconds(15), text))
        #expect(!restored.isProblem && restored.line.contains("you still have control authority"))
        #expect(restored.json == ["ok": true, "link_lost": false])
        let ended = ControlHold.Event.ended(status(yours: false))
        #expect(ControlHoldReport(ended, of: "uav1 on hexa1", waitingFor: .seconds(15), text) == nil)
    }

    @Test func `it is watched until it ends`() async throws {
        let (link, events) = (try await silentLink(), Events())
        let clock = clock
        let watching = Task {
            try await ControlHold.watch(link, within: .seconds(15), on: clock) { events.add($0) }
        }
        for _ in 0..<10 {
            link.publish(telemetry(status(yours: true)))
            await clock.run(for: .milliseconds(200))
        }
        #expect(events.all.isEmpty)
        await clock.run(for: .seconds(5))
        #expect(events.all.count == 1)
        link.publish(telemetry(status(yours: false, why: "link loss")))
        #expect(try await clock.run(through: { try await watching.value }).lastEndReason == "link loss")
        #expect(events.all.count == 1)
        await link.close()
    }

    @Test func `a companion that does not come back ends it after the timeout, without a link`() async throws {
        let (link, events) = (try await silentLink(), Events())
        let clock = clock
        link.publish(telemetry(status(yours: true)))
        let begun = clock.now
        let error = await #expect(throws: LinkError.self) {
            try await clock.run(through: {
                try await ControlHold.watch(link, within: .seconds(15), on: clock) { events.add($0) }
            })
        }
        #expect(error?.code == .notConnected)
        #expect((.seconds(15) ... .seconds(16)).contains(clock.now - begun))
        #expect(events.all == [.linkLost(since: begun)])
        await link.close()
    }

    @Test func `a user who ends it is not kept waiting`() async throws {
        let link = try await silentLink()
        let clock = clock
        let watching = Task { try await ControlHold.watch(link, within: .seconds(15), on: clock) { _ in } }
        await settle()
        watching.cancel()
        await #expect(throws: CancellationError.self) { try await watching.value }
        await link.close()
    }

    private func silentLink() async throws -> FakeLink {
        let link = FakeLink(clock: clock)
        link.setVehicleSilent(true)
        try await link.connect(within: .seconds(1))
        return link
    }

    private final class Events: Sendable {
        private let list = Mutex<[ControlHold.Event]>([])
        var all: [ControlHold.Event] { list.withLock { $0 } }
        func add(_ event: ControlHold.Event) { list.withLock { $0.append(event) } }
    }
}
