import Companion
import CompanionControl
import FlightRecorder
import MachineBridge
import ReportKit
import SystemKit
import UAVLink
import VehicleAccess

/// A machine with its own protocol and a companion in front of it in this process, for the length of one command.
///
/// Its control socket lies in a directory of its own. A bridge that runs for the machine on this computer already is an error: the
/// machine obeys one at a time.
struct BridgedMachine {
    /// The machine past its companion.
    let machine: ImpairedMachine
    private let runtime: RuntimeDirectory
    private let profile: VehicleProfile
    private let environment: [String: String]
    private let bridge: Task<Void, Never>

    /// From one look whether the machine is connected to the next.
    private static let look: Duration = .milliseconds(20)

    /// Starts both; returns when the machine is connected.
    ///
    /// - Parameters:
    ///   - profile: the machine's own, whose name it has.
    ///   - isImpaired: whether the machine's own link will be impaired.
    /// - Throws: ``UAVLink/LinkError``.
    init(
        _ address: MachineAddress, of profile: VehicleProfile, isImpaired: Bool, seed: UInt64, within timeout: Duration,
        log: @escaping @Sendable (String) -> Void
    ) async throws {
        if let refusal = MachineBridge.refusal(of: address) { throw refusal }
        var local = VehicleProfile(name: "local")
        (local.vehicle, local.rates) = (profile.vehicle, profile.rates)
        var settings = MachineBridge.Settings(to: address, vehicle: profile.vehicle)
        settings.bindAddress = "127.0.0.1"
        let machine = try await ImpairedMachine(
            to: address, vehicle: profile.vehicle, hasRelays: isImpaired, seed: seed)
        var environment = HostProcess.environment
        environment["UAVLINK_RUNTIME_DIR"] = try SimulatedVehicle.makeDirectory()
        let runtime = try RuntimeDirectory(environment: environment)
        let service: MachineBridge
        do {
            service = try await MachineBridge(
                settings, link: machine.link, runtime: runtime, log: CompanionLog(write: log))
        } catch {
            await machine.close()
            SimulatedVehicle.remove(runtime, profile.vehicle)
            throw error
        }
        (self.machine, self.runtime, self.profile, self.environment) = (machine, runtime, local, environment)
        bridge = Task { _ = await service.run() }
        let clock = SystemMonotonicClock()
        let deadline = clock.now + timeout
        while !machine.link.quality.isConnected {
            guard clock.now < deadline, !Task.isCancelled else {
                await end()
                throw LinkError(
                    .timedOut, "no answer within \(Int(saturating: timeout.inSeconds)) s",
                    hint: "is it switched on, and this computer in its Wi-Fi? (uavlink --link \(address.text) doctor)")
            }
            try? await clock.sleep(until: clock.now + Self.look)
        }
    }

    /// The same command's session with the machine behind its companion.
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
        bridge.cancel()
        await bridge.value
        await machine.close()
        SimulatedVehicle.remove(runtime, profile.vehicle)
    }
}
