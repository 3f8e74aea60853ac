@testable import FlightRecorder
import Testing
import UAVLink
import UAVTestKit

@Suite("Which recordings may be replayed to a vehicle") struct ReplayFitTests {
    private func refusal(_ notes: [RecordingEntry], _ vehicle: VehicleCapabilities = .simulatedMRS) throws -> LinkError?
    {
        FlightReplay.refusal(of: try BagOfNotes.log(notes), path: "f.bag", for: vehicle)
    }

    @Test func `one of another machine is refused, with both names`() throws {
        let error = try #require(
            try refusal([BagOfNotes.machine("Tello"), BagOfNotes.command(.takeoff, at: 0, over: "direct")]))
        #expect(
            error.what
                == "'f.bag' is a recording of another machine (Tello) and cannot be replayed to a simulated MRS vehicle"
        )
        #expect(error.code == .unsupported)
        // Over a bridge its link is one of the channel's.
        #expect(try refusal([BagOfNotes.machine("Tello"), BagOfNotes.command(.takeoff, at: 0)]) != nil)
        // One of the commands is enough to be sent to the wrong machine.
        #expect(try refusal([BagOfNotes.machine("MRS vehicle"), BagOfNotes.machine("AR.Drone")]) != nil)
    }

    @Test(arguments: ["MRS vehicle", "simulated MRS vehicle"])
    func `one of the same kind is replayed, simulated or not`(machine: String) throws {
        #expect(try refusal([BagOfNotes.machine(machine), BagOfNotes.command(.takeoff, at: 0)]) == nil)
        #expect(try refusal([BagOfNotes.machine(machine)], .mrs) == nil)
    }

    @Test func `an older one, which names no machine, is judged by its links`() throws {
        #expect(try refusal([BagOfNotes.command(.takeoff, at: 0), BagOfNotes.setpoint(1, at: 5)]) == nil)
        #expect(try refusal([BagOfNotes.command(.takeoff, at: 0, over: "direct")]) != nil)
        #expect(try refusal([BagOfNotes.setpoint(1, at: 5, over: "direct")]) != nil)
        #expect(try refusal([]) == nil)
    }

    @Test func `a text of a recording cannot reach the terminal`() throws {
        let error = try #require(try refusal([BagOfNotes.machine("\u{1B}[2J")]))
        #expect(!error.description.contains("\u{1B}"))
    }
}
