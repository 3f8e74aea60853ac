import Foundation

/// A Zenoh router in another process, and a client of it that speaks the conventions of `rmw_zenoh` by itself.
public struct ROS2Peer: Sendable {
    /// The router's address.
    public let locator: String
    private let process: ChildProcess
    /// Its process; `nil` once it has ended.
    public var pid: Int32? { process.pid }

    /// The Python with packages from PyPI, which scripts/setup --tests makes.
    public static let python = BuiltPrograms.repository + "/.build/peers/bin/python3"

    /// Why it cannot be run here; `nil` if it can.
    public static let missing: String? = {
        let folder = BuiltPrograms.repository + "/.build/peers/lib"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let files = versions.map { "\(folder)/\($0)/site-packages/zenoh/__init__.py" }
        return files.contains { FileManager.default.fileExists(atPath: $0) }
            ? nil : "eclipse-zenoh is missing: scripts/setup --tests gets it"
    }()

    /// Runs `body` with a router, and ends it whatever `body` does. Without the package it is skipped, with a line that says so.
    ///
    /// - Parameter tls: what ``TestCertificates/arguments(port:certificate:wantsClients:)`` says, to listen over TLS too.
    public static func with(tls: [String] = [], _ body: (ROS2Peer) async throws -> Void) async throws {
        if let missing { return print("skipped: \(missing)") }
        let peer = try await start(tls: tls)
        do { try await body(peer) } catch {
            await peer.stop()
            throw error
        }
        await peer.stop()
    }

    /// Starts one, for ``stop()``; see ``missing``.
    public static func start(tls: [String] = []) async throws -> ROS2Peer {
        let port = try freePort()
        let program = BuiltPrograms.repository + "/Tests/Peers/ros2_peer.py"
        let process = try ChildProcess([python, program, "\(port)"] + tls)
        do { try await process.line(containing: "ready") } catch {
            await process.stop()
            throw error
        }
        return ROS2Peer(locator: "tcp/127.0.0.1:\(port)", process: process)
    }

    /// Ends it.
    public func stop() async { await process.stop() }

    /// Sends a command, waits until it is done, and returns the lines of its answer, each as words.
    @discardableResult
    public func run(_ command: String) async throws -> [[String]] {
        let word = command.split(separator: " ").first.map(String.init) ?? ""
        let end = word == "start" ? "ready" : "done \(word)"
        func lines() -> [Substring] { process.output.split(separator: "\n") }
        let before = lines()
        process.send(line: command)
        try await process.line(containing: end, skipping: before.filter { $0.contains(end) }.count)
        return lines().dropFirst(before.count).prefix { $0 != end }.map { $0.split(separator: " ").map(String.init) }
    }
}
