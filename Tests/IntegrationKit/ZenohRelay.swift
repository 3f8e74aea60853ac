/// A program between our nodes and their router that makes trouble, and decodes all that they send (`Tests/Peers/zenoh_relay.py`).
public struct ZenohRelay: Sendable {
    /// What was sent, as the program decodes it.
    public struct Report: Sendable {
        /// How many sessions were begun.
        public var connections: Int
        /// How many messages were published.
        public var publications: Int
        /// How many services were called.
        public var requests: Int
        /// How much of all that has a wrong attachment, or cannot be decoded.
        public var faults: Int
        /// How often a subscriber, queryable or token was declared.
        public var declarations: Int
        /// What the program has printed: among it the first of those messages.
        public var lines: String
    }

    /// The address that stands for the router's.
    public let locator: String
    private let process: ChildProcess
    /// Its process; `nil` once it has ended.
    public var pid: Int32? { process.pid }

    /// Starts one before the router of a peer, for ``stop()``.
    public init(before peer: ROS2Peer) async throws {
        let port = try freePort()
        let router = peer.locator.split(separator: ":").last.map(String.init) ?? ""
        process = try ChildProcess([
            ROS2Peer.python, BuiltPrograms.repository + "/Tests/Peers/zenoh_relay.py", "\(port)", router,
        ])
        locator = "tcp/127.0.0.1:\(port)"
        do { try await process.line(containing: "ready") } catch {
            await process.stop()
            throw error
        }
    }

    /// Makes that trouble from now on.
    public func become(_ mode: String) async throws {
        let before = process.output.split(separator: "\n").count { $0 == "now \(mode)" }
        process.send(line: mode)
        try await process.line(containing: "now \(mode)", skipping: before)
    }

    /// What was sent until now.
    public func report() async throws -> Report {
        let before = process.output.split(separator: "\n").count { $0.hasPrefix("report ") }
        process.send(line: "report")
        let line = try await process.line(containing: "report ", skipping: before)
        let numbers = line.split(separator: " ").dropFirst().compactMap { Int($0) }
        guard numbers.count == 5 else { throw ProcessFailure("no report: \(line)") }
        return Report(
            connections: numbers[0], publications: numbers[1], requests: numbers[2], faults: numbers[3],
            declarations: numbers[4], lines: process.output)
    }

    /// Ends it.
    public func stop() async { await process.stop() }
}
