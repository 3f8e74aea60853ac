internal import CompanionControl
internal import MRS
internal import Secrets
internal import SSHTransport
internal import ChannelProtocol
internal import TextSearch
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
        // A link that renews its session asks repeatedly: a command that timed out must not keep running there. Without its
        // environment the companion would start and not find ROS; it needs none of ROS's programs.
        if !profile.isBridged, !profile.ros.isTwo {
            try await checkMasters(over: ssh, within: max(.milliseconds(1), deadline - clock.now), of: timeout)
        }
        let (program, arguments) = profile.companionCommand(Self.arguments(for: profile))
        let result: RemoteResult
        let output: SecretBytes
        var hasBegun = false
        do throws(LinkError) {
            (result, output) = try await session.finder.run(
                in: ssh, within: max(.milliseconds(1), deadline - clock.now), needsROS: false
            ) { (lines, left) async throws(LinkError) -> (result: RemoteResult, output: SecretBytes) in
                hasBegun = true
                return try await ssh.runForSecret(lines.abortableRun(program, arguments), within: left)
            } result: {
                $0.result
            }
        } catch {
            if error == SSHSession.tooMuchOutput {
                // Neither is kept, since a ticket may be in it: the shell alone shows whose it was.
                let left = max(.milliseconds(1), deadline - clock.now)
                let greeting = try? await ssh.run(":", within: left).standardOutput.count
                throw tooMuchOutput(ofShell: greeting ?? 0)
            }
            guard error == SSHSession.noAnswer, hasBegun else { throw error }
            throw CompanionProgram.unanswered(profile.companion, within: timeout)
        }
        if result.exitStatus == 0 {
            do throws(LinkError) { return try ChannelTicket.find(in: output) } catch { throw advised(error) }
        }
        let failure = failure(result.exitStatus, text(result.standardError), output: output)
        // The running companion may be another program than the profile names, for example a service.
        let names: SSHCommandResult
        do throws(LinkError) {
            names = try await ssh.run(Self.companionsCommand, within: max(.milliseconds(1), deadline - clock.now))
        } catch {
            // That there is none allows a link that bypasses it: then it must be known.
            throw failure.code == .companionMissing ? error : failure
        }
        throw Self.hasCompanion(for: profile.vehicle, among: names.outputText) ? besideRunning(failure) : failure
    }

    /// - Parameter whole: the time for the ticket, in which also a shell is started and ROS searched for: the one that the user gave.
    private func checkMasters(
        over ssh: SSHSession, within timeout: Duration, of whole: Duration
    ) async throws(LinkError) {
        let (program, arguments) = profile.companionCommand(Self.statusArguments(for: profile))
        try await Self.checkMasters(within: timeout, clock: SystemMonotonicClock()) {
            (left) async throws(LinkError) -> ROSEnvironment in
            try await session.finder.environment(in: ssh, within: left)
        } status: { (left) async throws(LinkError) -> Int? in
            do throws(LinkError) {
                return try await session.finder.run(in: ssh, within: left, needsROS: false) {
                    $0.abortableRun(program, arguments)
                }.exitStatus
            } catch {
                guard error == SSHSession.noAnswer else { throw error }
                throw CompanionProgram.unanswered(profile.companion, within: whole)
            }
        }
    }

    /// Refuses to start a companion on one of several ROS masters that have the vehicle. One that runs has its master already; where none
    /// has the vehicle yet, the companion waits for it, and commands nothing.
    ///
    /// - Parameters:
    ///   - timeout: the time for both questions.
    ///   - environment: searches for the masters, within the time that is left.
    ///   - status: asks the companion that would give the ticket, and starts none, within the time that is left; the exit status. The list
    ///     of host locks says less: that of a simulated vehicle has none, and another user's may be on another master than the one that would
    ///     be started.
    static func checkMasters(
        within timeout: Duration, clock: any MonotonicClock,
        environment: (Duration) async throws(LinkError) -> ROSEnvironment,
        status: (Duration) async throws(LinkError) -> Int?
    ) async throws(LinkError) {
        let deadline = clock.now + timeout
        let found = try await environment(timeout)
        guard let ambiguity = found.ambiguity, ambiguity.code != .serviceMissing else { return }
        let left = deadline - clock.now
        guard left > .zero, try await status(left) == 0 else { throw ambiguity }
    }

    /// A failure while a companion for this vehicle runs there.
    func besideRunning(_ failure: LinkError) -> LinkError {
        guard failure.code == .companionMissing else {
            return LinkError(failure.code, failure.what, hint: "use the running companion, or end it")
        }
        return LinkError(
            .companionUnavailable, "a companion for \(profile.vehicle) runs on the vehicle, but \(failure.what)",
            hint: "name its program as 'companion' in the profile")
    }

    /// An error about the companion's version, with the command that installs the one of this program.
    private func advised(_ error: LinkError) -> LinkError {
        guard error.code == .versionMismatch else { return error }
        return LinkError(error.code, error.what, hint: "\(error.hint): \(profile.deployAdvice)")
    }

    /// Lists the host locks of companions of all users: see ``CompanionControl/HostLock``.
    private static let companionsCommand = "grep -F @uavlink-companion/ /proc/net/unix"

    /// Whether a companion of any ROS graph is in the list.
    static func hasCompanion(for vehicle: String, among names: String) -> Bool {
        let name = HostLock.Name(vehicle: vehicle, graph: "").description
        return names.includes(name.prefix(through: name.lastIndex(of: "/") ?? name.startIndex))
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    /// Arguments of the companion's program there.
    static func arguments(for profile: VehicleProfile) -> [String] {
        ["bootstrap", "--uav", profile.vehicle] + (profile.bindAddress.map { ["--bind", $0] } ?? [])
            + profile.ros.companionArguments
    }

    /// Arguments that ask the same companion whether it runs.
    static func statusArguments(for profile: VehicleProfile) -> [String] {
        ["status", "--uav", profile.vehicle] + profile.ros.companionArguments
    }

    /// The error of a bootstrap that gave no ticket: only one that never ran means that there is no companion.
    ///
    /// - Parameters:
    ///   - status: the exit status; `nil` when a signal ended it.
    ///   - errors: what it wrote to standard error.
    ///   - output: what it wrote to standard output; with a ticket in it, none of it is shown.
    func failure(_ status: Int?, _ errors: String, output: SecretBytes = SecretBytes("")) -> LinkError {
        CompanionProgram.failure(
            profile.companion, status, errors: errors,
            output: ChannelTicket.stands(in: output) ? "" : output.unwipedText,
            command: ([profile.companion] + Self.arguments(for: profile)).joined(separator: " "),
            install: profile.deployCommand)
    }

    /// The error of a bootstrap that printed too much for a ticket.
    ///
    /// - Parameter greeting: how many bytes the log-in shell prints by itself.
    func tooMuchOutput(ofShell greeting: Int) -> LinkError {
        let then = "so that neither udp nor tcp can be opened"
        guard greeting < 32_768 else {
            return LinkError(
                .remoteFailed, "the log-in shell on the vehicle prints \(greeting) bytes before each command, \(then)",
                hint: "let its start-up files (~/.bashrc) print only where the shell is interactive")
        }
        let setUp = profile.setup.isEmpty ? "" : ", or the profile's set-up before it,"
        let command = ([profile.companion] + Self.arguments(for: profile)).joined(separator: " ")
        return LinkError(
            .companionUnavailable,
            "the companion '\(profile.companion)'\(setUp) printed more than 64 kB instead of a ticket, \(then)",
            hint: "try it on the vehicle: \(command)")
    }

    /// The status of the companion that 'uavlink sim' starts. Without one, a companion is no way out: it would be that of a vehicle.
    private static func statusOfSimulator(_ launcher: CompanionLauncher) throws(LinkError) -> SecretBytes {
        do throws(LinkError) { return try launcher.ask(.status, within: .seconds(5)) } catch {
            guard error.code == .companionMissing else { throw error }
            throw LinkError(
                error.code, "no simulated vehicle runs on this machine",
                hint: "start it in another terminal: uavlink sim; or use --link sim, which simulates it in this program"
            )
        }
    }

    /// The control socket may block for a few seconds, so this uses a dedicated thread.
    private func localTicket() async throws(LinkError) -> ChannelTicket {
        let (vehicle, environment) = (profile.vehicle, environment)
        let isSimulatedOnly = profile.isSimulatedOnly
        let line = await DedicatedThread.run { () -> Result<SecretBytes, LinkError> in
            do throws(LinkError) {
                let runtime = try RuntimeDirectory(environment: environment)
                let launcher = CompanionLauncher(runtime: runtime, vehicle: vehicle)
                if isSimulatedOnly {
                    let status = try Self.statusOfSimulator(launcher).unwipedText
                    guard status.includes("\"is_simulated\": true") else {
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
