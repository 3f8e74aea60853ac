@testable import FlightRecorder
import ROSRecordings
import UAVLink

/// Recordings made of notes, without a file.
enum BagOfNotes {
    static let wall = WallClock(offsetNanoseconds: 1_700_000_000_000_000_000)

    static func at(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: milliseconds * 1_000_000) }

    static func bytes(
        _ notes: [RecordingEntry], ended: Bool = true, format: RecordingFormat = .bag, began: MonotonicTime? = nil
    ) -> [UInt8] {
        var bag = FlightBag(vehicle: "uav1", wall: wall, format: format, began: began)
        var bytes = bag.beginning
        for note in notes { bytes += bag.add(note) }
        guard ended else { return bytes + bag.endChunk() }
        let ending = bag.finish()
        bytes += ending.tail
        bytes.replaceSubrange(0..<ending.head.count, with: ending.head)
        return bytes
    }

    static func log(
        _ notes: [RecordingEntry], ended: Bool = true, format: RecordingFormat = .bag, began: MonotonicTime? = nil
    ) throws -> FlightLog {
        var pieces = [bytes(notes, ended: ended, format: format, began: began)][...]
        return try FlightLogFile.decode { pieces.popFirst() }
    }

    static func setpoint(
        _ number: UInt32, at milliseconds: Int64, _ velocity: Vector3 = .zero, fate: RecordedSetpoint.Fate? = nil,
        error: String? = nil, over link: String = "udp", condition: String = ""
    ) -> RecordingEntry {
        var note = RecordedSetpoint(
            number: number, link: link,
            setpoint: VelocitySetpoint(
                velocityMetresPerSecond: velocity, headingRateRadiansPerSecond: 0.25, frame: .body,
                intendedAt: at(milliseconds), validFor: .milliseconds(300)),
            sentAt: at(milliseconds) + .milliseconds(1), fate: fate, error: error)
        note.condition = condition
        if fate == .applied {
            note.receivedAt = at(milliseconds) + .milliseconds(2)
            note.appliedAt = at(milliseconds) + .milliseconds(3)
            note.clockBound = .microseconds(50)
        }
        return .setpoint(note)
    }

    static func command(
        _ command: Command, at milliseconds: Int64,
        _ answer: Result<CommandReply, LinkError> = .success(CommandReply(accepted: true, message: "yes")),
        after answerMilliseconds: Int64 = 5, over link: String = "udp"
    ) -> RecordingEntry {
        .command(
            RecordedCommand(
                number: 1, link: link, command: command, intendedAt: at(milliseconds), sentAt: at(milliseconds),
                answeredAt: at(milliseconds + answerMilliseconds), answer: answer))
    }

    static func machine(_ name: String) -> RecordingEntry {
        .event(RecordedEvent(.information, FlightBag.machineEvent, name, at: at(0)))
    }

    static func pose(_ position: Vector3, heading: Double = 0, at milliseconds: Int64) -> RecordingEntry {
        var telemetry = Telemetry(vehicle: "uav1")
        telemetry.pose = Sample(
            Pose(frame: FrameName("uav1/gps_origin"), positionMetres: position, headingRadians: heading),
            at: at(milliseconds))
        return .telemetry(telemetry, at: at(milliseconds))
    }
}
