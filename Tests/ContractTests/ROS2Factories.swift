import ChannelProtocol
import CompanionControl
import IntegrationKit
import MRSROS2
import ROS2Node
import SocketTransport
import Synchronization
import Testing
import UAVLink
import VehicleAccess

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The simulated vehicle in ROS 2, behind a router of eclipse-zenoh.
extension LinkFactory {
    /// The link that a companion has on the vehicle.
    static let ros2 = LinkFactory(name: "ros 2", missing: RunningROS2.missing, vehicle: .mrsInROS2) {
        let vehicle = try await RunningROS2()
        let configuration = try ROS2Configuration(router: vehicle.router, domain: 0, environment: [:])
        return vehicle.rig(try ROS2Link(companionOf: "uav1", configuration: configuration))
    }

    /// Directly from the ground, as a user gets it from a profile. Which computer the world file is on is not known there.
    static let ros2FromGround = LinkFactory(
        name: "ros 2 from the ground", missing: RunningROS2.missing, vehicle: .mrsInROS2, readsWorldFile: false
    ) {
        let vehicle = try await RunningROS2()
        var profile = VehicleProfile(name: "hexa1")
        profile.ros.router = vehicle.router
        let connector = VehicleConnector(profile: profile, credentials: Credentials(), environment: [:])
        return vehicle.rig(try connector.make(.ros))
    }

    /// The channel over UDP to a companion in ROS 2.
    static let ros2OverUDP = overChannel(.udp)
    /// The same over TCP.
    static let ros2OverTCP = overChannel(.tcp)

    /// A `ros2 service call` a command, through a real sshd.
    static let ros2OverSSH = overSSH(.ssh)
    /// The same in shells that stay open.
    static let ros2OverSSHShell = overSSH(.sshShell)

    private static func overSSH(_ kind: LinkKind) -> LinkFactory {
        var limits = slow
        // Larger ones fit no argument of 'ros2 service call'.
        limits.samples = 1000
        return LinkFactory(
            name: "ros 2 over \(kind.rawValue)",
            missing: SSHServer.isAvailable ? RunningROS2.missing : "sshd is not installed",
            vehicle: .mrsInROS2, limits: limits
        ) {
            let vehicle = try await RunningROS2()
            return try await vehicle.rig(over: kind)
        }
    }

    private static func overChannel(_ carrier: SocketLink.Carrier) -> LinkFactory {
        LinkFactory(
            name: "ros 2 over \(carrier == .udp ? "udp" : "tcp")", missing: RunningROS2.missing, vehicle: .mrsInROS2
        ) {
            let vehicle = try await RunningROS2()
            return vehicle.rig(try await vehicle.ground(over: carrier))
        }
    }
}

/// A router, the simulated vehicle and, when it is asked for, a companion.
private final class RunningROS2: Sendable {
    static let missing = ROS2Peer.missing ?? (BuiltPrograms.folder == nil ? "the programs are not built" : nil)

    private let peer: ROS2Peer
    /// What our own nodes for the vehicle send goes through it, and is looked at.
    private let relay: ZenohRelay
    private let folder: TemporaryFolder
    private let simulator: ChildProcess
    private let companion = Mutex<ChildProcess?>(nil)

    var router: String { relay.locator }

    init() async throws {
        let peer = try await ROS2Peer.start()
        self.peer = peer
        do { relay = try await ZenohRelay(before: peer) } catch {
            await peer.stop()
            throw error
        }
        folder = try TemporaryFolder()
        try folder.write(FlightStack.standardWorld, to: "world.yaml")
        simulator = try ChildProcess([
            BuiltPrograms.path("uavlink-sim"), "--ros", "2", "--router", peer.locator, "--world",
            folder.file("world.yaml"),
        ])
        do { try await simulator.line(ofErrorsContaining: "ready") } catch {
            await simulator.stop()
            await relay.stop()
            await peer.stop()
            throw error
        }
    }

    func ground(over carrier: SocketLink.Carrier) async throws -> SocketLink {
        let companion = try ChildProcess([
            BuiltPrograms.path("uavlink-companion"), "run", "--router", router, "--bind", "127.0.0.1",
            "--runtime-dir", folder.path,
        ])
        let runtime = try RuntimeDirectory(folder.path, environment: [:])
        let control = ControlClient(path: runtime.controlSocketPath(vehicle: "uav1"))
        let answers = await eventually(within: .seconds(30)) {
            do { return try control.ask(.status) != nil } catch { return false }
        }
        guard answers else {
            await companion.stop()
            throw ProcessFailure("no companion: \(companion.errors)")
        }
        self.companion.withLock { $0 = companion }
        return try SocketLink(host: "127.0.0.1", carrier: carrier) { _ throws(LinkError) in
            guard let line = try control.ask(.ticket) else {
                throw LinkError(.companionUnavailable, "the companion has ended")
            }
            return try ChannelTicket(line: line)
        }
    }

    /// Over SSH, with a program that stands for `ros2`.
    func rig(over kind: LinkKind) async throws -> LinkRig {
        let ssh = try await SSHServer()
        do { try await ssh.start() } catch {
            await stop()
            throw error
        }
        let program = BuiltPrograms.repository + "/Tests/Peers/ros2_stand_in.py"
        try folder.write("#!/bin/sh\nexec \(ROS2Peer.python) \(program) \"$@\"\n", to: "ros2", mode: 0o700)
        var profile = VehicleProfile(name: "hexa1")
        (profile.host, profile.port, profile.user) = ("127.0.0.1", Int(ssh.port), ssh.user)
        (profile.identities, profile.knownHosts) = ([ssh.userKey], ssh.knownHosts)
        profile.ros.version = 2
        profile.setup = "export PATH=\(folder.path):\"$PATH\" UAVLINK_STAND_IN_ROUTER=\(peer.locator)"
        let connector = VehicleConnector(
            profile: profile, credentials: Credentials(), environment: ["HOME": folder.path, "USER": ssh.user])
        var rig = rig(try connector.make(kind))
        rig.tearDown = { [self] in
            await connector.close()
            await ssh.stop()
            await stop()
        }
        return rig
    }

    private func stop() async {
        simulator.signal(SIGCONT)
        let companion = companion.withLock { $0 }
        if companion != nil { await checkRelayIsUsed() }
        await companion?.stop()
        await checkWire()
        await simulator.stop()
        await relay.stop()
        await peer.stop()
    }

    /// The companion answers before it has reached its router, and a test may be over by then.
    private func checkRelayIsUsed() async {
        let isUsed = await eventually(within: .seconds(20)) {
            do { return try await relay.report().connections > 0 } catch { return false }
        }
        #expect(isUsed, "the companion does not go through the relay")
    }

    /// Not one message with a wrong attachment, which would end a node of the flight stack, has left us. Over SSH the vehicle's own
    /// programs send, and nothing comes here; nor in a test whose link sends nothing. That the relay sees what is wrong,
    /// `ZenohRelayPeerTests` shows.
    private func checkWire() async {
        do {
            let report = try await relay.report()
            #expect(report.faults == 0, "\(report.lines)")
        } catch { Issue.record(error) }
    }

    func rig(_ link: any UAVLink) -> LinkRig {
        var rig = LinkRig(link: link)
        rig.silenceVehicle = { [self] in
            guard let pid = simulator.pid else { return }
            simulator.signal(SIGSTOP)
            // A signal takes a moment until the last thread has seen it, and one that runs may answer until then.
            _ = await eventually { ProcessHoldings.isStopped(pid) }
        }
        rig.loadedTrajectory = { [self] in
            // The answer may come before the simulator's log does, and half of a line before the rest.
            let line = try await simulator.line(ofErrorsContaining: "samples are loaded, fingerprint ")
            return line.split(separator: " ").last.flatMap { UInt64($0, radix: 16) }
        }
        rig.logs = { [self] in "\(simulator.errors)\n--- companion\n\(companion.withLock { $0 }?.errors ?? "")" }
        rig.tearDown = { [self] in await stop() }
        return rig
    }
}
