internal import Synchronization
internal import UAVLink

/// Records what a machine that is driven by text is sent, and what becomes of its connection: it is driven without commands and
/// setpoints. What it says is recorded with its telemetry, as messages.
final class RobotRecord: Sendable {
    private let observation: Observation

    /// The kind of the events.
    static let kind = "robot"

    /// Records until it is released; what was sent before is not in it.
    init(of robot: any RobotLink, recorder: FlightRecorder) {
        let newest = Mutex(robot.log(after: 0).last?.number ?? 0)
        observation = robot.observeRobot {
            // Held while they are noted: a second call at the same time must not note the same lines.
            newest.withLock { newest in
                for line in robot.log(after: newest) {
                    newest = line.number
                    guard let text = Self.words(line) else { continue }
                    recorder.note(.event(RecordedEvent(.information, Self.kind, text, at: line.at)))
                }
            }
        }
    }

    private static func words(_ line: RobotLogLine) -> String? {
        switch line.kind {
        case .sent: "sent \(line.text)"
        case .status: line.text
        case .received: nil
        }
    }
}
