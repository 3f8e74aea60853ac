import IntegrationKit
import Testing
import UAVLink
import VehicleAccess

/// One stack of real servers for the whole suite; it is started when the first link needs it.
struct OneFlightStack: SuiteTrait, TestScoping {
    @TaskLocal static var shared = SharedFlightStack()

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        let stack = SharedFlightStack()
        do {
            try await Self.$shared.withValue(stack) { try await function() }
        } catch {
            await stack.stop()
            throw error
        }
        await stack.stop()
    }
}

extension Trait where Self == OneFlightStack {
    /// The tests of this suite share one stack of real servers.
    static var oneFlightStack: Self { Self() }
}

extension LinkFactory {
    /// A `rosservice call` a command, through a real sshd.
    static let ssh = onFlightStack(.ssh, limits: slow)
    /// The channel over TCP to a companion that the bootstrap starts through a real sshd.
    static let tcp = onFlightStack(.tcp, limits: Limits())
    /// The same over UDP.
    static let udp = onFlightStack(.udp, limits: Limits())
    /// Straight to ROS.
    static let ros = onFlightStack(.ros, limits: Limits())

    /// A command takes 1.3 to 3 s on two quiet cores, most of it Python's start, so a setpoint too.
    private static var slow: Limits {
        var limits = Limits()
        limits.connect = .patient(seconds: 60)
        limits.command = .patient(seconds: 60)
        limits.goal = .seconds(120)
        limits.steeringRestart = .seconds(60)
        limits.farMetres = 60
        // rosservice reads YAML in Python: 16 s on a quiet processor.
        limits.upload = .patient(seconds: 240)
        return limits
    }

    /// A link as a person gets it from a profile, to the simulated vehicle under a real roscore, with rospy as witness.
    private static func onFlightStack(_ kind: LinkKind, limits: Limits) -> LinkFactory {
        LinkFactory(name: kind.rawValue, missing: FlightStack.missing, limits: limits) {
            let stack = try await OneFlightStack.shared.grounded()
            let profile = try ConfigurationFile(path: stack.configuration, environment: [:]).read().profile(named: nil)
            let connector = VehicleConnector(
                profile: profile, credentials: Credentials(), environment: stack.rosEnvironment)
            let witness = try await stack.witness()
            var rig = LinkRig(link: try connector.make(kind))
            rig.silenceVehicle = { await stack.freezeSimulator(true) }
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
            rig.loadedTrajectory = {
                let lines = await stack.simulatorLog.split(separator: "\n")
                let word = lines.last { $0.contains("samples are loaded, fingerprint ") }?.split(separator: " ").last
                return word.flatMap { UInt64($0, radix: 16) }
            }
            rig.tearDown = {
                await stack.freezeSimulator(false)
                await connector.close()
            }
            return rig
        }
    }
}
