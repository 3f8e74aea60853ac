@testable import FlightRecorder
import MRSMessages
import ROSBag
import ROSMessages
import Testing
import UAVLink

/// Arming and mode come once a second from some autopilots, and the flight status is as old as they are; its state changes with
/// the tracker.
@Suite struct RecordedStateTests {
    /// A state and when it was recorded, in milliseconds.
    private struct Recorded: Hashable {
        var state: String
        var milliseconds: Int64
    }

    private func note(_ state: FlightState, at status: Int64, tracker: Int64? = nil) -> RecordingEntry {
        var telemetry = Telemetry(vehicle: "uav1")
        telemetry.flight = Sample(
            FlightStatus(
                state: state, isArmed: state != .disarmed, isOffboard: true, isOutputEnabled: true,
                isFlyingNormally: state == .flying), at: BagOfNotes.at(status))
        telemetry.tracker = tracker.map {
            Sample(
                TrackerStatus(tracker: "MpcTracker", controller: "", takesReferences: true, hasGoal: false),
                at: BagOfNotes.at($0))
        }
        return .telemetry(telemetry, at: BagOfNotes.at(max(status, tracker ?? status) + 5))
    }

    private func recorded(_ notes: [RecordingEntry]) throws -> [Recorded] {
        var reader = ROSBagReader()
        reader.feed(BagOfNotes.bytes(notes))
        var states: [Recorded] = []
        while let message = try reader.next() {
            guard message.connection.topic == "/uav1/hw_api/status" else { continue }
            var fields = message.reader
            let status = try MRSMsgs.HwApiStatus(from: &fields)
            #expect(status.stamp == message.time)
            let at = FlightLog.nanoseconds(message.time) - BagOfNotes.wall.offsetNanoseconds
            states.append(Recorded(state: status.mode, milliseconds: at / 1_000_000))
        }
        return states
    }

    @Test func `a change of state has the time of the tracker that shows it`() throws {
        let states = try recorded([
            note(.takingOff, at: 100_000, tracker: 100_100), note(.takingOff, at: 100_000, tracker: 100_900),
            note(.flying, at: 100_000, tracker: 100_950), note(.flying, at: 100_950, tracker: 101_050),
        ])
        #expect(
            states == [
                Recorded(state: FlightState.takingOff.word, milliseconds: 100_100),
                Recorded(state: FlightState.flying.word, milliseconds: 100_950),
                Recorded(state: FlightState.flying.word, milliseconds: 101_050),
            ])
    }

    /// A disarmed vehicle's status is as old as arming alone, that of an armed one also as its tracker.
    @Test func `no status is earlier than the one before`() throws {
        let states = try recorded([
            note(.disarmed, at: 101_000, tracker: 100_950), note(.armed, at: 100_950, tracker: 100_950),
            note(.armed, at: 101_003, tracker: 101_050),
        ])
        #expect(states.map(\.milliseconds) == [101_000, 101_000, 101_050])
    }

    @Test(arguments: [
        (FlightState.landing, "lands"), (FlightState.emergency, "no longer flies normally"),
        (FlightState.disarmed, "no longer flies normally"),
    ])
    func `a landing that ends normal flight is called one`(state: FlightState, text: String) throws {
        let log = try BagOfNotes.log([note(.flying, at: 1000, tracker: 1000), note(state, at: 2000, tracker: 2000)])
        #expect(log.events.map(\.kind) == ["flight"])
        #expect(log.events.map(\.text) == [text])
    }

    @Test func `a vehicle without a tracker has the time of its status`() throws {
        #expect(try recorded([note(.flying, at: 100_000)]).map(\.milliseconds) == [100_000])
    }
}
