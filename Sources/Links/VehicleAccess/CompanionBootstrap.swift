internal import CompanionControl
internal import SSHTransport
internal import SocketTransport
internal import Threads
internal import UAVCore
internal import UAVLink

/// Gets a ticket for a channel session: over SSH from the vehicle, or from the control socket of this machine.
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
        // A link that renews its session asks again and again: what was not ready in time must not go on there.
        let command = lines.abortableRun(profile.companion, Self.arguments(for: profile))
        let result = try await ssh.run(command, within: max(.milliseconds(1), deadline - clock.now))
        // A companion without the surroundings that it was to have would start, and find no ROS.
        if let failure = lines.setupFailure(in: result) { throw failure }
        if result.exitStatus == 0 { return try ChannelTicket.find(in: text(result.standardOutput)) }
        let failure = failure(result.exitStatus, text(result.standardError))
        guard failure.code == .companionMissing else { throw failure }
        // The profile may name another program than the one that runs, as a service for instance.
        let names = try await ssh.run(Self.companionsLine, within: max(.milliseconds(1), deadline - clock.now))
        guard Self.hasCompanion(for: profile.vehicle, among: names.outputText) else { throw failure }
        throw LinkError(
            .companionUnavailable, "a companion for \(profile.vehicle) runs on the vehicle, and \(failure.what)",
            hint: "name its program as 'companion' in the profile")
    }

    /// Lists what companions lock on their host, whatever user they have: see ``CompanionControl/HostLock``.
    private static let companionsLine = "grep -F @uavlink-companion/ /proc/net/unix"

    /// Whether a companion of any ROS graph is there.
    static func hasCompanion(for vehicle: String, among names: String) -> Bool {
        let name = HostLock.Name(vehicle: vehicle, graph: "").description
        return names.contains(name.prefix(through: name.lastIndex(of: "/") ?? name.startIndex))
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    /// How the companion's program is called there.
    static func arguments(for profile: VehicleProfile) -> [String] {
        ["bootstrap", "--uav", profile.vehicle] + (profile.bindAddress.map { ["--bind", $0] } ?? [])
    }

    /// What a bootstrap that gave no ticket tells: only one that never ran says that there is no companion.
    func failure(_ status: Int?, _ errors: String) -> LinkError {
        let lines = errors.split(whereSeparator: \.isNewline)
        let said = lines.last.map(String.init) ?? "it gave no reason"
        if !lines.contains(where: { $0.hasPrefix(Self.ownWord) }) {
            if status == 127 || status == 126 {
                return LinkError(
                    .companionMissing, "'\(profile.companion)' is not on the vehicle: \(said)",
                    hint: "install it there, or name its path as 'companion' in the profile")
            }
            // The loader's, which ends with 1 for a library that is too old.
            if status == 1, said.contains("not found (required by") {
                return LinkError(
                    .companionMissing, "'\(profile.companion)' cannot run on the vehicle: \(said)",
                    hint: "install one that was built for its system")
            }
        }
        return LinkError(
            .companionUnavailable, "the companion could not be started on the vehicle: \(said)",
            hint: "'uavlink doctor' looks at it from both ends")
    }

    /// What each line begins with that the companion's program says of itself.
    private static let ownWord = "uavlink-companion: "

    /// The control socket blocks for a few seconds at worst: never on one of Swift's own threads.
    private func localTicket() async throws(LinkError) -> ChannelTicket {
        let (vehicle, environment) = (profile.vehicle, environment)
        let line = await OwnThread.run { () -> Result<String, LinkError> in
            do throws(LinkError) {
                let runtime = try RuntimeDirectory(environment: environment)
                let launcher = CompanionLauncher(runtime: runtime, vehicle: vehicle)
                return .success(try launcher.ask(.ticket, within: .seconds(5)))
            } catch {
                return .failure(error)
            }
        }
        guard let line else {
            throw LinkError(.internalFault, "a thread could not be started", hint: "raise 'ulimit -u'")
        }
        return try ChannelTicket(line: try line.get())
    }
}
