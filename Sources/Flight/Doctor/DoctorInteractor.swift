package import MRS
internal import ReportKit
package import UAVLink
package import VehicleAccess

/// Diagnoses a set-up, from the ground to the vehicle's services, and advises what to do.
///
/// Each check depends on the one before it: if the log-in fails, the checks that need it are reported as skipped.
package struct DoctorInteractor: Sendable {
    private let connector: VehicleConnector
    private let environment: [String: String]
    private let timeout: Duration
    private let clock: any MonotonicClock

    /// An interactor for the vehicle of a connector.
    ///
    /// - Parameters:
    ///   - environment: this machine's environment variables, for the link `ros`.
    ///   - timeout: for each check.
    package init(
        connector: VehicleConnector, environment: [String: String], timeout: Duration,
        clock: any MonotonicClock = SystemMonotonicClock()
    ) {
        self.connector = connector
        self.environment = environment
        self.timeout = timeout
        self.clock = clock
    }

    /// Runs all checks and reports each finding to `tell` as soon as it is known.
    ///
    /// - Throws: `CancellationError`, or the ``LinkError`` of the log-in, if the task is cancelled: a check that was interrupted says nothing
    ///   of the vehicle.
    package func examine(_ tell: (Finding) -> Void) async throws -> [Finding] {
        var findings: [Finding] = []
        func add(_ finding: Finding) {
            findings.append(finding)
            tell(finding)
        }
        if connector.profile.link == .only(.sim) {
            add(Finding("vehicle", .good, "simulated inside this program: no network, no ROS"))
            examine(try await examineLink(.sim, add), add)
            return findings
        }
        if let machine = connector.profile.link.machine {
            try await examineMachine(machine, add)
            return findings
        }
        let isOverROS = connector.profile.link == .only(.ros)
        var reachesCompanion = true
        if connector.profile.isLocal {
            reachesCompanion = !isOverROS
            let way = isOverROS ? "over ROS" : "the companion on this machine"
            add(Finding("vehicle", .good, "\(way), no SSH needed"))
        } else if let inspection = try await logIn(add, isNeeded: !isOverROS) {
            try await examineVehicle(inspection, add)
        } else {
            reachesCompanion = false
            add(Finding("companion", .skipped, "needs the log-in"))
            if !connector.profile.isBridged { add(Finding("ROS on the vehicle", .skipped, "needs the log-in")) }
            if !isOverROS { add(Finding("link", .skipped, "needs the log-in")) }
        }
        let seen = try await reachesCompanion ? examineCompanionLinks(add) : LinkExamination(capabilities: .mrs)
        if isOverROS { try await examineROS(judgesRates: seen.telemetry == nil, add) }
        return findings
    }

    /// The links to the companion, and what comes over them.
    private func examineCompanionLinks(_ add: (Finding) -> Void) async throws -> LinkExamination {
        let udp = try await examineLink(.udp, add)
        let tcp = try await examineLink(.tcp, add)
        if let udp = udp.roundTrip, let tcp = tcp.roundTrip,
            let finding = LatencyAdvice.smallPackets(udp: udp, tcp: tcp)
        {
            add(finding)
        }
        // Both are of the same companion; the second one has had more time to learn what is usual.
        let seen = tcp.telemetry == nil ? udp : tcp
        examine(seen, add)
        return seen
    }

    /// ROS as this machine sees it, and the link over it, which needs no SSH.
    private func examineROS(judgesRates: Bool, _ add: (Finding) -> Void) async throws {
        let graph = await connector.profile.graphFindings(environment)
        try Task.checkCancellation()
        for finding in graph {
            add(
                Finding("from the ground: \(finding.check)", finding.verdict, finding.message, advice: finding.advice))
        }
        let seen = try await examineLink(.ros, add)
        if judgesRates { examine(seen, add, hasCompanion: false) }
    }

    /// A machine that is reached by its own protocol: there is no computer to look at but this one.
    private func examineMachine(_ machine: MachineAddress, _ add: (Finding) -> Void) async throws {
        add(Finding("vehicle", .good, "\(connector.profile.target): its own protocol, without SSH and ROS"))
        if machine.kind != .bluno {
            let here = await HostReport.here(towards: machine.host)
            for finding in LatencyAdvice.findings(here, "here", comparesClocks: false) { add(finding) }
        }
        examine(try await examineLink(.direct, add), add)
    }

    /// Logs in.
    ///
    /// - Parameter isNeeded: whether nothing works without it. Otherwise a computer without an SSH server is no fault: then it is said
    ///   that the checks over SSH were not made.
    private func logIn(_ add: (Finding) -> Void, isNeeded: Bool) async throws -> RemoteInspection? {
        let host = connector.profile.host ?? ""
        do throws(LinkError) {
            let (start, asked) = (clock.now, connector.credentials.timeAtPrompts)
            let inspection = try await connector.inspection(within: timeout)
            let answering = connector.credentials.timeAtPrompts - asked
            let milliseconds = Int(saturating: max(.zero, clock.now - start - answering).inMilliseconds)
            add(
                Finding("SSH", .good, "\(host) is reachable, its host key is known, the log-in took \(milliseconds) ms")
            )
            return inspection
        } catch {
            if error.code == .cancelled { throw error }
            try Task.checkCancellation()
            let check =
                switch error.code {
                case .unreachable, .timedOut: "reachability"
                case .hostKeyUnknown, .hostKeyChanged: "host key"
                case .authentication: "log-in"
                default: "SSH"
                }
            if isNeeded || error.code == .hostKeyChanged {
                add(Finding(check, .bad, error.what, advice: error.hint))
            } else {
                let verdict: Finding.Verdict = check == "reachability" ? .skipped : .warning
                let what = "\(error.what); the link 'ros' needs no SSH, and the checks over SSH were not made"
                add(Finding(check, verdict, what, advice: error.hint))
            }
            return nil
        }
    }

    private func examineVehicle(_ inspection: RemoteInspection, _ add: (Finding) -> Void) async throws {
        let isBridged = connector.profile.isBridged
        var isCompanionInstalled = false
        try await look("companion", add) { () throws(LinkError) in
            let version: String
            do throws(LinkError) {
                version = try await inspection.companionVersion(within: timeout)
            } catch {
                guard error.code == .companionMissing || error.code == .companionUnavailable else { throw error }
                let bypass = isBridged ? "" : "; --link ssh works without the companion"
                return Finding("companion", .bad, error.what, advice: error.hint + bypass)
            }
            isCompanionInstalled = true
            guard version == Version.text else {
                return Finding(
                    "companion", .warning,
                    "\(isBridged ? "the bridge's computer" : "the vehicle") has version \(version), this machine has \(Version.text)",
                    advice: connector.profile.deployAdvice)
            }
            return Finding("companion", .good, "version \(version)\(isBridged ? ", as 'uavlink bridge'" : "")")
        }
        if !isBridged { try await examineROSEnvironment(inspection, add) }
        let place = isBridged ? "on the bridge's computer" : "on the vehicle"
        let host = connector.profile.host ?? ""
        let here = await HostReport.here(towards: host)
        for finding in LatencyAdvice.findings(here, "here") { add(finding) }
        // The programs used by these checks are optional on the vehicle.
        if let there = try? await inspection.hostReport(within: timeout) {
            for finding in LatencyAdvice.findings(there, place) { add(finding) }
        }
        if let finding = LatencyAdvice.keystrokes(here, host: host) { add(finding) }
        try await look("clock", add) { () throws(LinkError) in
            let (offset, bound) = try await inspection.clockOffset(within: timeout)
            let seconds = offset.inSeconds.formatted(decimals: 3)
            let accuracy = bound.inSeconds.formatted(decimals: 3)
            let message = "the clock \(place) differs from this machine's by \(seconds) s (± \(accuracy) s)"
            // Bags and logs of both machines are compared by their stamps, and ROS compares stamps with its timeouts.
            guard abs(offset.inSeconds) <= max(1, bound.inSeconds) else {
                return Finding(
                    "clock", .warning, message,
                    advice: "synchronise both with a time server: chronyd or systemd-timesyncd")
            }
            return Finding("clock", .good, message)
        }
        // What a bridge says of itself and of its machine comes over the links.
        if isBridged { return }
        guard isCompanionInstalled else {
            return add(Finding("ROS on the vehicle", .skipped, "needs the companion"))
        }
        try await look(all: "ROS on the vehicle", add) { () throws(LinkError) in
            try await inspection.rosFindings(within: timeout).map { finding in
                Finding("on the vehicle: \(finding.check)", finding.verdict, finding.message, advice: finding.advice)
            }
        }
    }

    /// ROS on the vehicle, as commands over SSH find it.
    private func examineROSEnvironment(_ inspection: RemoteInspection, _ add: (Finding) -> Void) async throws {
        try await look(all: EnvironmentAdvice.check, add) { () throws(LinkError) in
            EnvironmentAdvice.findings(try await inspection.environment(within: timeout))
        }
        // What the programs of ROS 2 take to start is not measured.
        guard !connector.profile.ros.isTwo else { return }
        try await look(all: "rosservice", add) { () throws(LinkError) in
            let shell = try await inspection.loginShellStart(within: timeout)
            let start = try await inspection.rosserviceStart(within: timeout)
            return LatencyAdvice.startUp(
                shell: shell, setup: start?.setup ?? .zero, rosservice: start?.program)
        }
    }

    /// How long a link is measured: twenty heartbeats, enough for a median and a clock offset.
    private static let watchTime: Duration = .seconds(2)

    private func examine(_ seen: LinkExamination, _ add: (Finding) -> Void, hasCompanion: Bool = true) {
        guard let telemetry = seen.telemetry else { return }
        let profile = connector.profile
        let isMachine = MachineAdvice.isMachine(seen.capabilities)
        let rates = TopicRateReport(telemetry.topicRates?.value ?? [], profile: profile.rates)
        // A machine that has measured none says nothing of them.
        if !isMachine || !rates.rates.isEmpty {
            add(
                TelemetryAdvice.rates(
                    rates, vehicle: profile.vehicle, hasCompanion: hasCompanion && !isMachine,
                    isROS2: seen.capabilities.isROS2, silence: seen.silence))
        }
        if let finding = TelemetryAdvice.stamps(telemetry.stampClock) { add(finding) }
        if isMachine { for finding in MachineAdvice.findings(telemetry, of: seen.capabilities) { add(finding) } }
    }

    /// Connects a link and measures it.
    private func examineLink(_ kind: LinkKind, _ add: (Finding) -> Void) async throws -> LinkExamination {
        var seen = LinkExamination(capabilities: .mrs)
        try await look("link \(kind.rawValue)", add) { () throws(LinkError) in
            let link = try await connector.connect(.only(kind), within: timeout)
            try? await Task.sleep(for: Self.watchTime)
            seen = LinkExamination(link, now: clock.now)
            await link.close()
            return LinkAdvice.finding(kind, seen, of: connector.profile)
        }
        return seen
    }

    private func look(
        _ check: String, _ add: (Finding) -> Void, _ work: () async throws(LinkError) -> Finding
    ) async throws {
        try await look(all: check, add) { () throws(LinkError) in [try await work()] }
    }

    /// - Throws: `CancellationError` if the task is cancelled, whatever the check has found.
    private func look(
        all check: String, _ add: (Finding) -> Void, _ work: () async throws(LinkError) -> [Finding]
    ) async throws {
        try Task.checkCancellation()
        let found: [Finding]
        do throws(LinkError) {
            found = try await work()
        } catch {
            found = [Finding(check, .bad, error.what, advice: error.hint)]
        }
        try Task.checkCancellation()
        for finding in found { add(finding) }
    }
}
