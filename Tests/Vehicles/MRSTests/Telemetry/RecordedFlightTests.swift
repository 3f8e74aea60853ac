import Foundation
import IntegrationKit
import MRS
import MRSMessages
import ROSBag
import ROSMessages
import Testing
import UAVLink

/// A flight recorded from the real stack, played through the generated types into telemetry.
@Suite struct RecordedFlightTests {
    /// It lies beside the project, not in it.
    private static let name = "data/flight.bag"

    @Test(.enabled(if: SharedFiles.arePresent(name), "no recorded flight beside the project"))
    func `the recorded flight is reported as it was flown`() throws {
        var reader = ROSBagReader()
        reader.feed(try Data(contentsOf: URL(filePath: SharedFiles.path(Self.name))))
        let types = Dictionary(uniqueKeysWithValues: GeneratedTypes.messages.map { ($0.typeName, $0) })
        let names = try VehicleNames(vehicle: "uav1")
        let topics = Dictionary(uniqueKeysWithValues: VehicleTopic.allCases.map { (names.name(of: $0), $0) })
        var assembler = TelemetryAssembler(vehicle: "uav1")
        var states: [FlightState] = []
        var highest = 0.0
        var typed = 0
        while let message = try reader.next() {
            let bytes = message.bytes
            // Every message of a type we know is read whole and written back the same.
            if let type = types[message.connection.header.type] {
                #expect(type.md5 == message.connection.header.md5)
                #expect(try type.init(serialised: bytes).serialised == bytes)
                typed += 1
            }
            guard let topic = topics[message.connection.topic] else { continue }
            let now = MonotonicTime(
                nanoseconds: Int64(message.time.seconds) * 1_000_000_000 + Int64(message.time.nanoseconds))
            try assembler.take(topic, serialised: bytes, at: now)
            if let state = assembler.telemetry.flight?.value.state, state != states.last { states.append(state) }
            highest = max(highest, assembler.telemetry.heightAboveGroundMetres?.value ?? 0)
        }
        #expect(typed > 45_000)
        #expect(states == [.disarmed, .armed, .takingOff, .flying, .landing, .armed, .disarmed])
        #expect(assembler.isStackReady)
        #expect((1.5...10).contains(highest))
        let telemetry = assembler.telemetry
        #expect(telemetry.estimator?.value == EstimatorStatus(name: "gps_garmin", ceilingMetres: 10))
        #expect(telemetry.pose?.value.frame == FrameName("uav1/gps_garmin_origin"))
        #expect(telemetry.battery?.value.remaining == nil)
        #expect(telemetry.gnss.map { abs($0.value.latitudeDegrees - 47.397) < 0.01 } == true)
    }
}
