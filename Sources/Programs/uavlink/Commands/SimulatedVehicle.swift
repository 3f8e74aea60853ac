import Companion
import CompanionControl
import FlightRecorder
import SocketTransport
import SystemIO
import SystemKit
import UAVLink
import VehicleAccess

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A simulated vehicle with a companion of its own, for the length of one command.
///
/// Its control socket lies in a directory of its own, so that neither a running companion nor another command meets it.
struct SimulatedVehicle {
    private let runtime: RuntimeDirectory
    private let profile: VehicleProfile
    private let environment: [String: String]
    private let companion: Task<Void, Never>

    /// Starts both, in the place of a profile's vehicle; returns when the companion answers.
    ///
    /// - Throws: ``UAVLink/LinkError``.
    init(of profile: VehicleProfile, seed: UInt64 = 1, log: @escaping @Sendable (String) -> Void) async throws {
        let vehicle = profile.vehicle
        var environment = HostProcess.environment
        environment["UAVLINK_RUNTIME_DIR"] = try Self.makeDirectory()
        let runtime = try RuntimeDirectory(environment: environment)
        let service: CompanionService
        do {
            service = try await CompanionService(
                Companion.Configuration(vehicle: vehicle),
                channel: ChannelServer.Configuration(vehicle: vehicle, bindAddress: "127.0.0.1"),
                backend: try profile.simulatedLink(seed: seed), runtime: runtime,
                log: CompanionLog(write: log))
        } catch {
            Self.remove(runtime, vehicle)
            throw error
        }
        (self.environment, self.runtime) = (environment, runtime)
        self.profile = profile.simulation
        companion = Task { _ = await service.run() }
    }

    /// The same command's session with this vehicle.
    func session(like session: CommandSession) -> CommandSession {
        CommandSession(
            console: session.console,
            connector: VehicleConnector(
                profile: profile, credentials: Credentials(), environment: environment,
                decorate: Recordings.decoration(session.recordings, vehicle: profile.vehicle)),
            timeout: session.timeout, recordings: session.recordings)
    }

    /// Ends both, and removes what they leave.
    func end() async {
        companion.cancel()
        await companion.value
        Self.remove(runtime, profile.vehicle)
    }

    /// A directory of this command's own, for a control socket.
    static func makeDirectory() throws(LinkError) -> String {
        var template = Array("/tmp/uavlink-sim-XXXXXX".utf8CString)
        let path = template.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
        }
        guard let path else {
            throw LinkError(.internalFault, "cannot create a directory in /tmp: \(SystemError.text(errno))")
        }
        return path
    }

    /// Removes the directory with what a companion leaves in it.
    static func remove(_ runtime: RuntimeDirectory, _ vehicle: String) {
        unlink(runtime.controlSocketPath(vehicle: vehicle))
        unlink(runtime.lockPath(vehicle: vehicle))
        rmdir(runtime.path)
    }
}
