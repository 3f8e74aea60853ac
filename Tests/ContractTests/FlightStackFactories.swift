import IntegrationKit
import Testing
import UAVLink
import VehicleAccess

/// One stack of real servers for the whole suite, and one of the real flight stack; each is started when the first link needs
/// it.
struct OneFlightStack: SuiteTrait, TestScoping {
    @TaskLocal static var shared = SharedFlightStack()
    @TaskLocal static var real = SharedFlightStack(.real)

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        let (stack, real) = (SharedFlightStack(), SharedFlightStack(.real))
        let result: Result<Void, any Error>
        do {
            result = .success(
                try await Self.$shared.withValue(stack) {
                    try await Self.$real.withValue(real) { try await function() }
                }
            )
        } catch {
            result = .failure(error)
        }
        await stack.stop()
        await real.stop()
        try result.get()
    }
}

extension Trait where Self == OneFlightStack {
    /// The tests of this suite share one stack of real servers.
    static var oneFlightStack: Self { Self() }
}

extension LinkFactory {
    /// A `rosservice call` a command, through a real sshd.
    static let ssh = onFlightStack(.ssh, limits: slow)
    /// The same in shells that stay open.
    static let sshShell = onFlightStack(.sshShell, limits: slow)
    /// The channel over TCP to a companion that the bootstrap starts through a real sshd.
    static let tcp = onFlightStack(.tcp, limits: Limits())
    /// The same over UDP.
    static let udp = onFlightStack(.udp, limits: Limits())
    /// Straight to ROS.
    static let ros = onFlightStack(.ros, limits: Limits())
    /// The channel over UDP to the flight stack of the MRS group itself, with its own simulator.
    static let real = onFlightStack(.udp, limits: estimating, on: .real)

    /// A command takes 1.3 to 3 s on two quiet cores, most of it Python's start, so a setpoint too.
    static var slow: Limits {
        var limits = Limits()
        limits.connect = .patient(seconds: 60)
        limits.command = .patient(seconds: 60)
        limits.farewell = .seconds(3)
        limits.goal = .seconds(120)
        limits.steeringRestart = .seconds(60)
        limits.farMetres = 60
        // rosservice reads YAML in Python: 16 s on a quiet processor for 100 000, and 80 while other tests run.
        limits.samples = 10_000
        limits.upload = .patient(seconds: 60)
        return limits
    }

    /// The real stack transforms to the altitude by its estimate of the height, which drifts by centimetres.
    private static var estimating: Limits {
        var limits = Limits()
        limits.originAltitudeMetres = 0.5
        return limits
    }

    /// A link as a user gets it from a profile, to a vehicle under a real roscore, with rospy as witness.
    private static func onFlightStack(
        _ kind: LinkKind, limits: Limits, on vehicle: FlightStack.Vehicle = .simulator
    ) -> LinkFactory {
        let isReal = vehicle == .real
        let missing = FlightStack.missing ?? (isReal ? MRSVehicle.missing : nil)
        return LinkFactory(
            name: isReal ? "real flight stack over \(kind.rawValue)" : kind.rawValue, missing: missing, limits: limits
        ) {
            let stack = try await (isReal ? OneFlightStack.real : OneFlightStack.shared).grounded()
            let profile = try ConfigurationFile(path: stack.configuration, environment: [:]).read().profile(named: nil)
            let connector = VehicleConnector(
                profile: profile, credentials: Credentials(), environment: stack.rosEnvironment)
            let witness = try await stack.witness()
            var rig = LinkRig(link: try connector.make(kind))
            rig.hasCamera = !isReal
            // Its dozen nodes cannot be stopped and let go on as one process can.
            if !isReal { rig.silenceVehicle = { await stack.freezeSimulator(true) } }
            rig.confirmsPlace = { goal in
                try await witness.sees("the vehicle at \(goal)") { seen in
                    guard let place = seen.position, place.count == 3 else { return false }
                    return (Vector3(x: place[0], y: place[1], z: place[2]) - goal).length < 0.5
                }
            }
            rig.confirmsLanding = {
                try await witness.sees("the vehicle landed") { seen in
                    seen.isLanded && seen.flying == false && (seen.position?.last ?? 9) < 0.3
                }
            }
            if !isReal {
                // The answer may come before the simulator's log does.
                let loaded = await stack.loadedTrajectories.count
                rig.loadedTrajectory = {
                    _ = await eventually { await stack.loadedTrajectories.count > loaded }
                    return await stack.loadedTrajectories.last
                }
            }
            rig.logs = { "\(await stack.vehicleLog)\n--- companion\n\(stack.companionLog.suffix(4000))" }
            rig.tearDown = {
                await stack.freezeSimulator(false)
                await connector.close()
            }
            return rig
        }
    }
}

extension FlightStack {
    /// The fingerprints of the trajectories that the simulator says it has loaded.
    fileprivate var loadedTrajectories: [UInt64] {
        get async {
            // Half of a line has half of a fingerprint.
            let log = await simulatorLog
            return log[..<(log.lastIndex(of: "\n") ?? log.startIndex)].split(separator: "\n").compactMap { line in
                guard line.contains("samples are loaded, fingerprint ") else { return nil }
                return line.split(separator: " ").last.flatMap { UInt64($0, radix: 16) }
            }
        }
    }
}
