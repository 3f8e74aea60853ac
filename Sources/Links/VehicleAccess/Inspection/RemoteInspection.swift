package import MRS
internal import SSHTransport
internal import SystemKit
package import UAVLink
internal import YAML

/// Inspects the vehicle's computer over SSH: what is installed, its clock, and ROS as it sees it.
package struct RemoteInspection: Sendable {
    let session: SSHSession
    private let profile: VehicleProfile
    private let finder: EnvironmentFinder
    let clock: any MonotonicClock

    /// Creates an inspection over a session.
    init(
        session: SSHSession, profile: VehicleProfile, finder: EnvironmentFinder,
        clock: any MonotonicClock = SystemMonotonicClock()
    ) {
        self.session = session
        self.profile = profile
        self.finder = finder
        self.clock = clock
    }

    /// The environment of ROS there, and how it was found.
    ///
    /// - Throws: ``LinkError``.
    package func environment(within timeout: Duration) async throws(LinkError) -> ROSEnvironment {
        try await finder.environment(in: session, within: timeout)
    }

    /// The companion's version.
    ///
    /// - Throws: ``LinkError``: `companionMissing` if it is not installed or cannot run, `companionUnavailable` if it runs and
    ///   tells no version.
    package func companionVersion(within timeout: Duration) async throws(LinkError) -> String {
        let result = try await runCompanion(["--version"], within: timeout)
        return try Self.version(
            of: profile.companion, result.exitStatus, output: result.outputText, errors: result.errorText,
            install: profile.deployCommand)
    }

    static func version(
        of program: String, _ status: Int?, output: String, errors: String, install: String = "uavlink deploy"
    ) throws(LinkError) -> String {
        guard status == 0, !output.allSatisfy(\.isWhitespace) else {
            throw CompanionProgram.failure(
                program, status, errors: errors, output: output, command: "\(program) --version", install: install)
        }
        // The shell may have greeted before, and another program prints anything.
        let lines = output.split(whereSeparator: \.isNewline).map { $0.split(separator: " ") }
        let line = lines.last { words in
            words.count == 2 && words[0].hasPrefix("uavlink") && words[1].first?.isNumber == true
                && words[1].utf8.count < 64
        }
        guard let line else {
            throw LinkError(
                .companionUnavailable, "'\(program) --version' printed no version on the vehicle: it is no companion",
                hint: "install one: \(install)")
        }
        return String(line[1])
    }

    /// ROS as the vehicle's computer sees it.
    package func rosFindings(within timeout: Duration) async throws(LinkError) -> [Finding] {
        let result = try await runCompanion(
            ["--uav", profile.vehicle] + profile.ros.companionArguments + ["doctor"], within: timeout)
        guard result.exitStatus == 0 else {
            let reason = CompanionProgram.reason(
                result.exitStatus, errors: result.errorText, output: result.outputText)
            throw LinkError(.remoteFailed, "the companion could not inspect ROS: \(reason)")
        }
        return result.outputText.split(whereSeparator: \.isNewline).compactMap { Self.finding(String($0)) }
    }

    /// Overhead of every command over the link `ssh` on the vehicle: the profile's `setup`, and the start of `rosservice`;
    /// `nil` if that is not found.
    ///
    /// - Throws: ``LinkError``.
    package func rosserviceStart(within timeout: Duration) async throws(LinkError) -> (
        setup: Duration, program: Duration
    )? {
        let found = try await run("rosservice", ["--help"], within: timeout)
        guard found.exitStatus != 127, found.exitStatus != 126 else { return nil }
        let result = try await run(within: timeout) { $0.timedStart() }
        guard let times = RemoteTimes(standardError: result.errorText) else {
            throw LinkError(.remoteFailed, "the vehicle's shell printed no times: \(result.errorText)")
        }
        return (.nanoseconds(times.setupNanoseconds), .nanoseconds(times.programNanoseconds))
    }

    /// The vehicle's wall clock minus this machine's, and its uncertainty: half the round trip of the query.
    package func clockOffset(within timeout: Duration) async throws(LinkError) -> (offset: Duration, bound: Duration) {
        let before = WallTime.now
        let result = try await run("date", ["+%s %N"], within: timeout)
        let after = WallTime.now
        guard result.exitStatus == 0, let (theirs, doubt) = Self.wallClock(result.outputText) else {
            throw LinkError(
                .remoteFailed,
                "the vehicle's 'date' printed \(result.outputText.isEmpty ? "nothing" : result.outputText)")
        }
        let middle = before + (after - before) / 2
        return (.nanoseconds(theirs &- middle), .nanoseconds((after - before) / 2) + doubt)
    }

    /// Parses the output of `date '+%s %N'`: nanoseconds since 1970, and their uncertainty.
    static func wallClock(_ printed: String) -> (nanoseconds: Int64, doubt: Duration)? {
        let words = printed.split(whereSeparator: \.isWhitespace).compactMap { Int64($0) }
        guard let seconds = words.first, words.count <= 2 else { return nil }
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        // The date of BusyBox has no nanoseconds: then the uncertainty is half a second.
        let fraction = words.count == 2 ? words[1] : 500_000_000
        guard !overflow, (0..<1_000_000_000).contains(fraction) else { return nil }
        let (sum, isTooMuch) = whole.addingReportingOverflow(fraction)
        return isTooMuch ? nil : (sum, words.count == 2 ? .zero : .milliseconds(500))
    }

    /// Runs the companion's program.
    private func runCompanion(
        _ arguments: [String], within timeout: Duration
    ) async throws(LinkError) -> RemoteResult {
        let (program, words) = profile.companionCommand(arguments)
        do throws(LinkError) { return try await run(program, words, within: timeout) } catch {
            // The same without an environment may be of the search for one.
            guard error == SSHSession.noAnswer, finder.known != nil else { throw error }
            throw CompanionProgram.unanswered(profile.companion, within: timeout)
        }
    }

    /// Runs a program on the vehicle after the profile's set-up; a leading `~/` in its path is the user's home.
    ///
    /// - Throws: ``LinkError``, `remoteFailed` if the set-up fails; what the program's exit status means is for the caller.
    package func run(
        _ program: String, _ arguments: [String], within timeout: Duration
    ) async throws(LinkError) -> RemoteResult {
        try await run(within: timeout) { $0.run(program, arguments) }
    }

    private func run(
        within timeout: Duration, _ command: (ROSCommandLines) -> RemoteCommand
    ) async throws(LinkError) -> RemoteResult {
        try await finder.run(in: session, within: timeout, needsROS: false, command)
    }

    /// Parses one line of the companion's `doctor`: a JSON object, which is also YAML; other lines are greetings of the shell.
    static func finding(_ line: String) -> Finding? {
        guard line.hasPrefix("{"), let node = try? YAMLReader.document(line),
            let verdict = (try? node.find("verdict")?.string).flatMap(Finding.Verdict.init(rawValue:)),
            let check = try? node.find("check")?.string, let message = try? node.find("message")?.string
        else { return nil }
        return Finding(check, verdict, message, advice: (try? node.find("advice")?.string) ?? "")
    }
}

extension VehicleConnector {
    /// Creates an inspection of the vehicle's computer over its SSH session.
    ///
    /// - Throws: ``LinkError`` if the login fails.
    package func inspection(within timeout: Duration) async throws(LinkError) -> RemoteInspection {
        RemoteInspection(session: try await session(within: timeout), profile: profile, finder: shared.finder)
    }

    /// The environment of ROS on the vehicle, and how it was found.
    ///
    /// - Throws: ``LinkError`` if the log-in fails.
    package func rosEnvironment(within timeout: Duration) async throws(LinkError) -> ROSEnvironment {
        return try await inspection(within: timeout).environment(within: timeout)
    }

    /// The ROS master on the vehicle that commands over a link without a companion reach; `nil` for other links, or if it is not known.
    package func rosMaster(of kind: LinkKind) -> String? {
        kind.runsPrograms ? shared.finder.known?.master?.sanitizedLine : nil
    }

    /// The environment of ROS on the vehicle, as far as it is known already.
    package var knownROSEnvironment: ROSEnvironment? { shared.finder.known }
}
