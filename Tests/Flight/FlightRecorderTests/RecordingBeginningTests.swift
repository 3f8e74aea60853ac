@testable import FlightRecorder
import IntegrationKit
import MRSMessages
import ROSBag
import ROSMessages
import Testing
import UAVLink
import UAVTestKit

/// A recording that begins in flight: telemetry then has values and messages from before.
@Suite struct RecordingBeginningTests {
    private static let began = BagOfNotes.at(400_000)

    private var telemetry: Telemetry {
        var telemetry = Telemetry(vehicle: "uav1")
        telemetry.battery = Sample(Battery(voltageVolts: 15.5, currentAmperes: 10), at: BagOfNotes.at(41_000))
        telemetry.messages = [
            Sample(VehicleMessage(severity: .warning, text: "no constraints"), at: BagOfNotes.at(40_000)),
            Sample(VehicleMessage(severity: .warning, text: "low battery"), at: BagOfNotes.at(401_000)),
        ]
        return telemetry
    }

    private var notes: [RecordingEntry] {
        [
            .event(RecordedEvent(.information, "link", "recording began", at: Self.began)),
            .telemetry(telemetry, at: BagOfNotes.at(401_500)), BagOfNotes.pose(.zero, at: 410_000),
        ]
    }

    @Test func `messages from before are no events of it, and its time counts from its beginning`() throws {
        let log = try BagOfNotes.log(notes, began: Self.began)
        #expect(log.events.map(\.text) == ["recording began", "low battery"])
        #expect(log.volts == [15.5])
        let text = FlightReview(log, path: "f.bag").text
        #expect(text.hasPrefix("f.bag: 10.0 s, "), "\(text)")
        #expect(text.contains("  1.00 s  vehicle: low battery\n"), "\(text)")
    }

    @Test func `the stamp of a value from before tells its age`() throws {
        var reader = ROSBagReader()
        reader.feed(BagOfNotes.bytes(notes, began: Self.began))
        var found = 0
        while let message = try reader.next() {
            guard message.connection.topic == "/uav1/hw_api/battery_state" else { continue }
            var fields = message.reader
            let battery = try SensorMsgs.BatteryState(from: &fields)
            #expect(battery.header.stamp == BagOfNotes.wall.time(BagOfNotes.at(41_000)))
            #expect(message.time == BagOfNotes.wall.time(Self.began))
            found += 1
        }
        #expect(found == 1)
    }

    @Test func `a recorder begins when it is made`() async throws {
        let folder = try TemporaryFolder()
        let clock = FakeClock(start: Self.began)
        let recorder = try FlightRecorder(
            path: folder.file("f.bag"), vehicle: "uav1", clock: clock, wall: BagOfNotes.wall)
        for note in notes { recorder.note(note) }
        _ = try await clock.run(through: { await recorder.finish() })
        let log = try await FlightLogFile.read(folder.file("f.bag"))
        #expect(log.events.map(\.text) == ["recording began", "low battery"])
        #expect(log.span?.lowerBound == FlightLog.nanoseconds(BagOfNotes.wall.time(Self.began)))
    }
}
