import FlightRecorder
import FuzzKit
import MRSMessages
import ROSBag
import ROSMessages
import ROSRecordings
import ReportKit

/// Any bytes as the messages of a recording, each after a byte that chooses its type and one that is a fifth of its length:
/// what `uavlink review` makes of them. A command that is read is the same after it was written down again.
@main enum FuzzFlightLog: FuzzTarget {
    static func test(_ bytes: [UInt8]) {
        var reader = RecordingReader()
        reader.feed(bag(bytes))
        var log = FlightLog()
        do {
            while let message = try reader.next() {
                do { try log.add(message) } catch { continue }
            }
        } catch { preconditionFailure("our own bag is refused: \(error)") }
        for entry in log.commands {
            guard let command = entry.command else { continue }
            precondition(
                CommandFields(command).command == command, "'\(entry.message.name)' changes when it is written")
        }
        let review = FlightReview(log, path: "flight.bag")
        _ = review.json.text
        precondition(
            !review.text.unicodeScalars.contains { $0.value < 32 && $0 != "\n" }, "a control character is shown")
    }

    private static func bag(_ bytes: [UInt8]) -> [UInt8] {
        var encoder = ROSBagEncoder()
        let topics = [
            encoder.topic("/uav1/uavlink/command", Raw<UavlinkMsgs.Command>.self, caller: "/uavlink"),
            encoder.topic("/uav1/uavlink/setpoint", Raw<UavlinkMsgs.Setpoint>.self, caller: "/uavlink"),
            encoder.topic("/uav1/uavlink/event", Raw<UavlinkMsgs.Event>.self, caller: "/uavlink"),
            encoder.topic("/uav1/estimation_manager/odom_main", Raw<NavMsgs.Odometry>.self, caller: "/uavlink"),
            encoder.topic("/uav1/hw_api/battery_state", Raw<SensorMsgs.BatteryState>.self, caller: "/uavlink"),
            encoder.topic(
                "/uav1/control_manager/diagnostics", Raw<MRSMsgs.ControlManagerDiagnostics>.self, caller: "/uavlink"),
        ]
        var file = ROSBagEncoder.beginning
        var rest = bytes[...]
        var seconds: UInt32 = 1
        while rest.count >= 2, let choice = rest.popFirst(), let length = rest.popFirst() {
            let body = rest.prefix(Int(length) * 5)
            rest = rest.dropFirst(body.count)
            // Only the bytes matter: all of these types are written alike.
            file += encoder.message(
                on: topics[Int(choice) % topics.count], at: ROSTime(seconds: seconds, nanoseconds: 0),
                Raw<UavlinkMsgs.Event>(bytes: Array(body)))
            seconds += 1
        }
        return file + encoder.finish().tail
    }

    /// Bytes in the name of a type.
    private struct Raw<Named: ROSMessage>: ROSMessage {
        static var typeName: String { Named.typeName }
        static var md5: String { Named.md5 }
        static var definition: String { Named.definition }
        var bytes: [UInt8] = []

        init() {}
        init(bytes: [UInt8]) { self.bytes = bytes }
        init(from reader: inout ROSReader) throws(ROSDecodingError) {}
        func write(to writer: inout ROSWriter) { for byte in bytes { writer.write(byte) } }
    }
}
