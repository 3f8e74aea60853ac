import ChannelTestKit
import IntegrationKit
import Synchronization
import Testing
import UAVLink

@testable import ChannelProtocol
@testable import SocketTransport

/// A ground in another language, written from the document, flies through our companion's end.
@Suite("The Python peer", .timeLimit(.minutes(MachinePace.minutes(2)))) struct PythonPeerTests {
    private func peer(_ arguments: [String]) throws -> ChildProcess {
        try ChildProcess(["/usr/bin/python3", "\(BuiltPrograms.repository)/Tests/Peers/channel_peer.py"] + arguments)
    }

    @Test func `it opens the document's vectors and makes the same bytes`() async throws {
        let peer = try peer(["--vectors", "\(BuiltPrograms.repository)/docs/channel.md"])
        #expect(try await peer.exit() == 0, "\(peer.errors)")
        #expect(peer.output.contains(#""done": true"#))
    }

    @Test(arguments: ["udp", "tcp"]) func `it flies a mission`(carrier: String) async throws {
        let handler = RecordingHandler()
        let server = try ChannelServer(
            configuration: .init(vehicle: "uav1", bindAddress: "127.0.0.1"), handler: handler)
        let clock = SystemMonotonicClock()
        server.publish(Samples.telemetry(at: clock.now))
        let (watch, begin) = (SchedulingWatch(), SchedulingWatch.now)
        let peer = try peer(["--carrier", carrier])
        peer.send(line: try server.issueTicket().unwipedLine)
        try await peer.line(containing: #""event": "open""#)
        if let pid = peer.pid { watch.add(pid) }
        #expect(try await peer.exit(within: .seconds(60)) == 0, "\(peer.errors)")
        let output = peer.output
        #expect(output.contains(#""done": true"#))
        #expect(output.contains(#""frame": "uav1/gps_garmin_origin""#))
        #expect(output.contains(#""limits": [[4.0, 2.0, 40.0]"#), "\(output)")
        let world = #""world": 0, "why": 0, "path": "/w.yaml", "details": "", "file": "safety_area: {}\n""#
        #expect(output.contains(world), "\(output)")
        #expect(output.contains(#""maps": [{"topic": "/uav1/map/points", "frame": "world_origin", "points": 7}]"#))
        let map = RecordingHandler.map
        let sum = map.enumerated().reduce(UInt32(0)) { $0 &+ UInt32($1.offset + 1) &* UInt32($1.element) }
        #expect(output.contains(#""bytes": \#(map.count), "head": "VERSION 0.7", "sum": \#(sum)"#), "\(output)")
        #expect(output.contains(#""messages": ["battery gets low""#))
        // Each setpoint arrives in its order and is counted once. Those that lay for more than their 200 ms in a machine that
        // stood still are stale.
        let arrived = handler.setpoints.map(\.velocityMetresPerSecond.x)
        let stale = 50 - arrived.count
        let counted = #""sent": 50, "applied": \#(arrived.count), "stale": \#(stale), "superseded": 0, "refused": 0"#
        #expect(output.contains(counted), "\(output)")
        #expect(arrived == arrived.sorted() && Set(arrived).isSubset(of: Set((1...50).map(Double.init))))
        #expect(Set(arrived).count == arrived.count)
        if stale > 0 {
            watch.settle()
            let now = SchedulingWatch.now
            #expect(
                watch.longestWait(from: begin, to: now) > 100_000_000,
                "\(watch.account(from: begin, to: now)); \(output)")
        }
        let place = Command.Destination(
            .frame(.worldOrigin), position: Vector3(x: 10, y: -5, z: 3), headingRadians: 0.5)
        let commands = handler.commands
        #expect(commands.count == 5)
        #expect(commands.prefix(3) == [.takeoff, .hover, .goTo(place)])
        #expect(commands.last == .land)
        guard case .uploadTrajectory(let trajectory) = commands.dropLast().last else {
            throw LinkError(.internalFault, "no trajectory")
        }
        #expect(trajectory.points.count == 300 && trajectory.frame == .worldOrigin)
        #expect(await eventually { handler.record.withLock { $0.closed.count } == 1 })
        await server.stop()
    }
}
