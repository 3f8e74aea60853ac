internal import CompanionControl
internal import MRS
internal import SSHTransport
internal import ChannelProtocol
internal import Threads
internal import UAVLink

/// Obtains a ticket for a channel session: over SSH from the vehicle, or from the control socket of this machine.
struct CompanionBootstrap: Sendable {
    let profile: VehicleProfile
    let environment: [String: String]
    let session: SharedSession

    func ticket(within timeout: Duration) async throws(LinkError) -> ChannelTicket {
        profile.isLocal ? try await localTicket() : try await remoteTicket(within: timeout)
    }

    private func remoteTicket(within timeout: Duration) async throws(LinkError) -> ChannelTicket {
        let clock = SystemMonotonicClock()
        let deadline = clock.now + timeout
        let ssh = try await session.session(within: timeout)
        let lines = try profile.commandLines
        // A link that renews its session asks repeatedly: a command that timed out must not keep running there.
        let command = lines.abortableRun(profile.companion, Self.arguments(for: profile))
        let result = try await ssh.run(command, within: max(.milliseconds(1), deadline - clock.now))
        // Without its environment the companion would start and not find ROS.
        if let failure = lines.setupFailure(in: result) { throw failure }
        if result.exitStatus == 0 { return try ChannelTicket.find(in: text(result.standardOutput)) }
        let failure = failure(result.exitStatus, text(result.standardError))
        guard failure.code == .companionMissing else { throw failure }
        // The running companion may be another program than the profile names, for example a service.
        let names = try await ssh.run(Self.companionsCommand, within: max(.milliseconds(1), deadline - clock.now))
        guard Self.hasCompanion(for: profile.vehicle, among: names.outputText) else { throw failure }
        throw LinkError(
            .companionUnavailable, "a companion for \(profile.vehicle) runs on the vehicle, but \(failure.what)",
            hint: "name its program as 'companion' in the profile")
    }

    /// Lists the host locks of companions of all users: see ``CompanionControl/HostLock``.
    private static let companionsCommand = "grep -F @uavlink-companion/ /proc/net/unix"

    /// Whether a companion of any ROS graph is in the list.
    static func hasCompanion(for vehicle: String, among names: String) -> Bool {
        let name = HostLock.Name(vehicle: vehicle, graph: "").description
        return names.contains(name.prefix(through: name.lastIndex(of: "/") ?? name.startIndex))
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    /// Arguments of the companion's program there.
    static func arguments(for profile: VehicleProfile) -> [String] {
        ["bootstrap", "--uav", profile.vehicle] + (profile.bindAddress.map { ["--bind", $0] } ?? [])
    }

    /// The error of a bootstrap that gave no ticket: only one that never ran means that there is no companion.
    func failure(_ status: Int?, _ errors: String) -> LinkError {
        let lines = errors.split(whereSeparator: \.isNewline)
        let said = lines.last.map(String.init) ?? "no reason given"
        if !lines.contains(where: { $0.hasPrefix(Self.ownPrefix) }) {
            if status == 127 || status == 126 {
                return LinkError(
                    .companionMissing, "'\(profile.companion)' is not installed on the vehicle: \(said)",
                    hint: "install it there, or name its path as 'companion' in the profile")
            }
            // From the dynamic loader, which exits with 1 if a library is too old.
            if status == 1, said.contains("not found (required by") {
                return LinkError(
                    .companionMissing, "'\(profile.companion)' cannot run on the vehicle: \(said)",
                    hint: "install one that is built for its system")
            }
        }
        return LinkError(
            .companionUnavailable, "the companion could not be started on the vehicle: \(said)",
            hint: "run 'uavlink doctor'")
    }

    /// Prefix of each line that the companion's program writes about itself.
    private static let ownPrefix = "uavlink-companion: "

    /// The control socket may block for a few seconds, so this uses a dedicated thread.
    private func localTicket() async throws(LinkError) -> ChannelTicket {
        let (vehicle, environment) = (profile.vehicle, environment)
        let isSimulatedOnly = profile.isSimulatedOnly
        let line = await DedicatedThread.run { () -> Result<String, LinkError> in
            do throws(LinkError) {
                let runtime = try RuntimeDirectory(environment: environment)
                let launcher = CompanionLauncher(runtime: runtime, vehicle: vehicle)
                if isSimulatedOnly {
                    guard try launcher.ask(.status, within: .seconds(5)).contains("\"is_simulated\": true") else {
                        throw LinkError(
                            .companionUnavailable,
                            "the companion of \(vehicle) on this machine is not that of a simulated vehicle",
                            hint: "'--vehicle sim' is for 'uavlink sim'")
                    }
                }
                return .success(try launcher.ask(.ticket, within: .seconds(5)))
            } catch {
                return .failure(error)
            }
        }
        guard let line else {
            throw LinkError(.internalFault, "cannot create a thread", hint: "raise 'ulimit -u'")
        }
        return try ChannelTicket(line: try line.get())
    }
}
