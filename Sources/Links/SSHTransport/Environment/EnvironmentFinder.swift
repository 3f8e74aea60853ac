package import MRS
internal import Synchronization
package import UAVLink

/// The environment of ROS on one vehicle: the profile's `setup`, or else what a search found there.
///
/// It is searched once for a connection, by the first command that needs it, and kept on the ground; a search costs one command of
/// some 0.1 s, a command in the environment found nothing. When that no longer works, since a setup file or the process that it came
/// from is gone, the command has not run: then it is searched and run again, once.
package final class EnvironmentFinder: Sendable {
    private struct Found {
        weak var session: SSHSession?
        var environment: ROSEnvironment
    }

    private let vehicle: String
    private let setup: String
    private let master: String?
    /// The ROS whose programs are run.
    package let ros: ROSVersion
    private let installations: String
    private let searches = TurnQueue()
    private let found = Mutex<Found?>(nil)

    /// The timeout of a search: each setup file that is tried takes some 0.3 s.
    private static let longestSearch: Duration = .seconds(10)
    /// The timeout for one ROS master to say whether it has the vehicle: rosservice and rosparam start Python, 0.5 s each.
    private static let masterTimeout: Duration = .seconds(4)
    /// The most ROS masters that are asked.
    private static let mostMasters = 6

    /// Creates a finder; nothing is searched yet.
    ///
    /// - Parameters:
    ///   - vehicle: the vehicle's name, for example `uav1`.
    ///   - setup: the profile's set-up; if it is not empty, nothing is searched.
    ///   - master: the ROS master that the profile names; `nil` for the one of the set-up, or of the search.
    ///   - installations: where the vehicle has installations of ROS.
    package init(
        vehicle: String, setup: String, master: String? = nil, ros: ROSVersion = .one,
        installations: String = EnvironmentSearch.usualInstallations
    ) {
        (self.vehicle, self.setup, self.master, self.ros) = (vehicle, setup, master, ros)
        self.installations = installations
    }

    /// The environment, as far as it is known already.
    package var known: ROSEnvironment? {
        found.withLock { $0?.environment } ?? profileEnvironment
    }

    private var profileEnvironment: ROSEnvironment? {
        setup.allSatisfy(\.isWhitespace) ? nil : ROSEnvironment(profileSetup: setup, master: master, ros: ros)
    }

    /// The environment; searches for it unless it is known.
    ///
    /// - Throws: ``LinkError`` if the vehicle could not be asked. That nothing was found is not an error.
    package func environment(
        in session: SSHSession, within timeout: Duration
    ) async throws(LinkError) -> ROSEnvironment {
        try await environment(in: session, by: Deadline(in: timeout))
    }

    private func environment(
        in session: SSHSession, by deadline: Deadline
    ) async throws(LinkError) -> ROSEnvironment {
        if let known = known(in: session) { return known }
        try await searches.enter(by: deadline.instant)
        defer { searches.pass() }
        // Another caller may have found it while this one waited.
        if let known = known(in: session) { return known }
        var environment: ROSEnvironment
        if let profileEnvironment {
            environment = await withMasters(profileEnvironment, session, by: deadline)
        } else {
            environment = try await search(session, by: deadline)
            environment.ros = ros
        }
        if environment.needsMasterChoice { environment = try await choice(of: environment, session, by: deadline) }
        found.withLock { $0 = Found(session: session, environment: environment) }
        return environment
    }

    /// What was found over this session, or over another one that is still connected.
    private func known(in session: SSHSession) -> ROSEnvironment? {
        found.withLock { found in
            guard let earlier = found?.session, earlier === session || earlier.isConnected else { return nil }
            return found?.environment
        }
    }

    private func search(_ session: SSHSession, by deadline: Deadline) async throws(LinkError) -> ROSEnvironment {
        let names = try VehicleNames(vehicle: vehicle)
        // Half of the time is left to the command itself.
        let end = Deadline(in: min(Self.longestSearch, deadline.remaining / 2))
        let result: RemoteResult
        do throws(LinkError) {
            result = try await session.run(
                EnvironmentSearch.command(for: names, installations: installations, master: master, ros: ros), by: end,
                outputLimit: ROSEnvironment.longestAnswer, register: ChannelRegister())
        } catch {
            guard error.code == .timedOut || error.code == .remoteFailed, session.isConnected, !deadline.hasPassed
            else { throw error }
            return ROSEnvironment(unansweredSearch: "the search for ROS failed: \(error.what)")
        }
        return ROSEnvironment(answer: result.standardOutput)
            ?? ROSEnvironment(unansweredSearch: "the search for ROS printed no answer on the vehicle")
    }

    /// The environment of the profile's set-up with the ROS masters that run there. A set-up that names the master has chosen; one that
    /// fails is reported by the command that needs it.
    private func withMasters(
        _ profile: ROSEnvironment, _ session: SSHSession, by deadline: Deadline
    ) async -> ROSEnvironment {
        guard !profile.isMasterNamed, let names = try? VehicleNames(vehicle: vehicle) else { return profile }
        let end = Deadline(in: min(Self.longestSearch, deadline.remaining / 2))
        let lines = ROSCommandLines(names: names, environment: profile)
        guard
            let result = try? await session.run(
                lines.masters(), by: end, outputLimit: ROSEnvironment.longestAnswer, register: ChannelRegister())
        else { return profile }
        var environment = profile
        environment.takeMasters(fromAnswer: result.standardOutput)
        return environment
    }

    /// Asks each ROS master for the vehicle: with one that has it, it is chosen; with several, nothing may use the environment.
    private func choice(
        of environment: ROSEnvironment, _ session: SSHSession, by deadline: Deadline
    ) async throws(LinkError) -> ROSEnvironment {
        let lines = ROSCommandLines(names: try VehicleNames(vehicle: vehicle), environment: environment)
        let hover = try ServiceCall(.hover)
        var having: [ROSEnvironment.MasterWithVehicle] = []
        for (number, address) in environment.masters.enumerated() {
            do throws(LinkError) {
                let end = Deadline(in: min(Self.masterTimeout, deadline.remaining / 2))
                // One that is not asked may have it.
                guard number < Self.mostMasters else { throw LinkError(.timedOut, "too many ROS masters") }
                let result = try await session.run(
                    lines.identity(ofMaster: address, having: hover), by: end,
                    outputLimit: ROSEnvironment.longestAnswer, register: ChannelRegister())
                guard result.exitStatus == 0 else { continue }
                having.append(.init(address, identity: String(decoding: result.standardOutput, as: UTF8.self)))
            } catch {
                guard error.code == .timedOut, session.isConnected else { throw error }
                having.append(.init(address, identity: ""))
            }
        }
        return environment.choosing(among: having, vehicle: vehicle)
    }

    /// Command lines in the environment.
    ///
    /// - Parameter needsROS: whether it is an error that ROS was not found.
    /// - Throws: ``LinkError``: `remoteFailed` if ROS is needed and was not found; `invalidInput` for an invalid vehicle name.
    package func lines(
        in session: SSHSession, within timeout: Duration, needsROS: Bool
    ) async throws(LinkError) -> ROSCommandLines {
        try await lines(in: session, by: Deadline(in: timeout), needsROS: needsROS)
    }

    func lines(
        in session: SSHSession, by deadline: Deadline, needsROS: Bool = true
    ) async throws(LinkError) -> ROSCommandLines {
        let environment = try await environment(in: session, by: deadline)
        if needsROS, let failure = environment.failure {
            // It may be installed, or its master started, before the next command.
            forget(environment)
            throw failure
        }
        return ROSCommandLines(names: try VehicleNames(vehicle: vehicle), environment: environment)
    }

    /// Forgets the environment of a program that was not run because its set-up failed; does nothing for another exit status, and
    /// for the set-up of the profile.
    package func forget(_ lines: ROSCommandLines, after status: Int?) {
        if ROSCommandLines.isSetupFailure(status) { forget(lines.environment) }
    }

    private func forget(_ environment: ROSEnvironment) {
        found.withLock { if $0?.environment == environment { $0 = nil } }
    }
}

extension EnvironmentFinder {
    /// Runs a command in the environment, and once more if that no longer works.
    ///
    /// - Parameters:
    ///   - body: runs it, within the time that is left.
    ///   - result: the command's result in what `body` returns.
    /// - Throws: ``LinkError`` of `body`, and those of ``lines(in:within:needsROS:)``; `remoteFailed` if the set-up failed.
    package func run<Outcome>(
        in session: SSHSession, within timeout: Duration, needsROS: Bool,
        _ body: (ROSCommandLines, Duration) async throws(LinkError) -> Outcome, result: (Outcome) -> RemoteResult
    ) async throws(LinkError) -> Outcome {
        let deadline = Deadline(in: timeout)
        let lines = try await lines(in: session, by: deadline, needsROS: needsROS)
        let outcome = try await body(lines, max(.milliseconds(1), deadline.remaining))
        guard let failure = lines.setupFailure(in: result(outcome)) else { return outcome }
        guard lines.environment.isFound else { throw failure }
        forget(lines.environment)
        let newLines = try await self.lines(in: session, by: deadline, needsROS: needsROS)
        let newOutcome = try await body(newLines, max(.milliseconds(1), deadline.remaining))
        if let failure = newLines.setupFailure(in: result(newOutcome)) { throw failure }
        return newOutcome
    }

    /// Runs a command of `MRS` in the environment, and once more if that no longer works.
    ///
    /// - Throws: ``LinkError`` as ``run(in:within:needsROS:_:result:)``.
    package func run(
        in session: SSHSession, within timeout: Duration, needsROS: Bool,
        _ command: (ROSCommandLines) -> RemoteCommand
    ) async throws(LinkError) -> RemoteResult {
        try await run(in: session, within: timeout, needsROS: needsROS) {
            (lines, remaining) async throws(LinkError) -> RemoteResult in
            try await session.run(command(lines), within: remaining)
        } result: {
            $0
        }
    }
}
