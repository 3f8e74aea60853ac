import BenchmarkKit
import Foundation
import IntegrationKit
import MRS
import MRSMessages
import MRSMessagesROS2
import ROS2
import ROS2Node
import Threads
import UAVLink

/// A node in a process of its own that publishes setpoints from a thread with nothing else to do.
///
/// Its arguments are a router and a topic. It says `ready` when it has a session. Then it takes lines `run COUNT PERIOD_NS`:
/// COUNT setpoints on that schedule. It answers `took SENT`: how many were given to the connection.
enum PublicationWorker {
    private typealias Publisher = ROS2Publisher<MRSMsgs.VelocityReferenceStamped>

    static func run(_ arguments: [String]) async throws {
        guard arguments.count == 2 else { throw ProcessFailure("a router and a topic are needed") }
        let session = try ROS2Session(
            configuration: try ROS2Configuration(router: arguments[0], domain: 0, environment: [:]))
        try await session.waitForRouter(within: .seconds(10))
        let publisher: Publisher = try session.node(try ROS2NodeName(name: "bench")).publisher(of: arguments[1])
        say("ready")
        while let line = readLine() {
            let words = line.split(separator: " ")
            guard words.count == 3, words[0] == "run", let count = Int(words[1]), let period = Int64(words[2]) else {
                throw ProcessFailure("cannot read '\(line)'")
            }
            let sent = await DedicatedThread.run { publish(count, every: period, by: publisher) }
            say("took \(sent ?? 0)")
        }
        await session.shutdown()
    }

    /// As the link to a vehicle does for each setpoint; returns how many were sent.
    private static func publish(_ count: Int, every period: Int64, by publisher: Publisher) -> Int {
        let (clock, start) = (SystemMonotonicClock(), Pace.now + Pace.lead)
        var sent = 0
        for index in 0..<count {
            ThreadClock().block(until: start + Int64(index) * period)
            let setpoint = VelocitySetpoint(
                velocityMetresPerSecond: Vector3(x: Double(index + 1) * 1e-6, y: 0, z: 0), intendedAt: clock.now)
            if publisher.publish(MRSMsgs.VelocityReferenceStamped(setpoint)) == .sent { sent += 1 }
        }
        return sent
    }

    private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}
