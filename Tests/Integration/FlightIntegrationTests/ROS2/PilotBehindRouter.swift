import ChannelProtocol
import CompanionControl
import FlightTestKit
import IntegrationKit
import SocketTransport
import UAVLink

/// A ground over UDP, a companion in ROS 2, a program that makes trouble between it and its router, and the simulated vehicle with
/// a witness directly behind that router.
struct PilotBehindRouter: Sendable {
    /// Why it cannot be run here; `nil` if it can.
    static let missing = ROS2Peer.missing ?? (BuiltPrograms.folder == nil ? "the programs are not built" : nil)

    let peer: ROS2Peer
    let relay: ZenohRelay
    let simulator: ChildProcess
    let companion: ChildProcess
    let witness: RouterWitness
    let link: SocketLink

    var flight: Flight { Flight(link) }

    /// Runs `body` with a vehicle in the air, and ends everything whatever `body` does.
    static func flying(_ body: (PilotBehindRouter) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let peer = try await ROS2Peer.start()
        var stops: [@Sendable () async -> Void] = [{ await peer.stop() }]
        let outcome: Result<Void, any Error>
        do {
            let relay = try await ZenohRelay(before: peer)
            stops.append { await relay.stop() }
            let simulator = try ChildProcess([
                BuiltPrograms.path("uavlink-sim"), "--ros", "2", "--router", peer.locator,
            ])
            stops.append { await simulator.stop() }
            try await simulator.line(ofErrorsContaining: "ready")
            let companion = try ChildProcess([
                BuiltPrograms.path("uavlink-companion"), "run", "--router", relay.locator, "--bind", "127.0.0.1",
                "--runtime-dir", folder.path,
            ])
            stops.append { await companion.stop() }
            let witness = try RouterWitness(at: peer.locator)
            stops.append { await witness.stop() }
            let link = try await ground(of: companion, folder)
            stops.append { await link.close() }
            let scene = PilotBehindRouter(
                peer: peer, relay: relay, simulator: simulator, companion: companion, witness: witness, link: link)
            try await scene.fly(body)
            outcome = .success(())
        } catch { outcome = .failure(error) }
        for stop in stops.reversed() { await stop() }
        try outcome.get()
    }

    private func fly(_ body: (PilotBehindRouter) async throws -> Void) async throws {
        try await link.connect(within: .patient(seconds: 30))
        try await flight.wait("a vehicle") { $0.pose != nil }
        try await flight.takeOff()
        try await body(self)
        try await flight.land()
        guard companion.exitStatus == nil else { throw ProcessFailure("the companion has ended: \(companion.errors)") }
        let report = try await relay.report()
        guard report.faults == 0 else { throw ProcessFailure("wrong attachments: \(report.lines)") }
    }

    private static func ground(of companion: ChildProcess, _ folder: TemporaryFolder) async throws -> SocketLink {
        let runtime = try RuntimeDirectory(folder.path, environment: [:])
        let control = ControlClient(path: runtime.controlSocketPath(vehicle: "uav1"))
        let answers = await eventually {
            do { return try control.ask(.status) != nil } catch { return false }
        }
        guard answers else { throw ProcessFailure("no companion: \(companion.errors)") }
        return try SocketLink(host: "127.0.0.1", carrier: .udp) { _ throws(LinkError) in
            guard let line = try control.ask(.ticket) else {
                throw LinkError(.companionUnavailable, "the companion has ended")
            }
            return try ChannelTicket(line: line)
        }
    }

    /// Pushes the stick until the vehicle is under way, and goes on pushing until the task is cancelled; then the ground is silent.
    func push() async throws -> Task<Void, Never> {
        for _ in 0..<10 {
            let flight = flight
            let stick = Task { await flight.steerOn(Vector3(x: 1, y: 0, z: 0)) }
            if await eventually(within: .seconds(6), { witness.account.isUnderWay }) { return stick }
            stick.cancel()
            await stick.value
        }
        throw ProcessFailure("the vehicle is not under way: \(witness.account); \(companion.errors)")
    }

    /// A watch on all processes between the hand on the stick and the witness.
    var watch: SchedulingWatch {
        SchedulingWatch([simulator.pid, companion.pid, relay.pid, peer.pid].compactMap(\.self))
    }

    /// Waits until the vehicle is at rest after the last setpoint that asked for motion, while nothing moves it for a second of
    /// its odometry.
    func rested() async throws -> RouterWitness.Account {
        for _ in 0..<200 {
            let isAtRest = await eventually { witness.account.restedAt > witness.account.motionAt }
            guard isAtRest else { break }
            let before = witness.account
            let isLater = await eventually { witness.account.odometry >= before.odometry + 100 }
            let after = witness.account
            if isLater, after.motions == before.motions, after.speed < 0.3 { return before }
        }
        throw ProcessFailure("the vehicle does not come to rest: \(witness.account); \(companion.errors)")
    }
}
