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
    package func examine(_ tell: (Finding) -> Void) async -> [Finding] {
        var findings: [Finding] = []
        func add(_ finding: Finding) {
            findings.append(finding)
            tell(finding)
        }
        if connector.profile.link == .only(.sim) {
            add(Finding("vehicle", .good, "simulated inside this program: no network, no ROS"))
            examine(await examineLink(.sim, add), add)
            return findings
        }
        if connector.profile.link.machine != nil {
            add(Finding("vehicle", .good, "\(connector.profile.target): its own protocol, without SSH and ROS"))
            examine(await examineLink(.direct, add), add)
            return findings
        }
        if connector.profile.isLocal {
            add(Finding("vehicle", .good, "the companion on this machine, no SSH needed"))
        } else {
            guard let inspection = await logIn(add) else {
                add(Finding("companion", .skipped, "needs the log-in"))
                add(Finding("ROS on the vehicle", .skipped, "needs the log-in"))
                add(Finding("link", .skipped, "needs the log-in"))
                return findings
            }
            await examineVehicle(inspection, add)
        }
        let udp = await examineLink(.udp, add)
        let tcp = await examineLink(.tcp, add)
        if let udp = udp.roundTrip, let tcp = tcp.roundTrip,
            let finding = LatencyAdvice.smallPackets(udp: udp, tcp: tcp)
        {
            add(finding)
        }
        // Both are of the same companion; the second one has had more time to learn what is usual.
        examine(tcp.telemetry == nil ? udp : tcp, add)
        if case .only(.ros) = connector.profile.link {
            for finding in await ROSGraphDiagnosis(vehicle: connector.profile.vehicle, environment: environment)
                .findings()
            {
                add(
                    Finding(
                        "from the ground: \(finding.check)", finding.verdict, finding.message, advice: finding.advice))
            }
        }
        return findings
    }

    private func logIn(_ add: (Finding) -> Void) async -> RemoteInspection? {
        let host = connector.profile.host ?? ""
        do {
            let start = clock.now
            let inspection = try await connector.inspection(within: timeout)
            let milliseconds = Int(saturating: (clock.now - start).inMilliseconds)
            add(
                Finding("SSH", .good, "\(host) is reachable, its host key is known, the log-in took \(milliseconds) ms")
            )
            return inspection
        } catch {
            let check =
                switch error.code {
                case .unreachable, .timedOut: "reachability"
                case .hostKeyUnknown, .hostKeyChanged: "host key"
                case .authentication: "log-in"
                default: "SSH"
                }
            add(Finding(check, .bad, error.what, advice: error.hint))
            return nil
        }
    }

    private func examineVehicle(_ inspection: RemoteInspection, _ add: (Finding) -> Void) async {
        var isCompanionInstalled = false
        await look("companion", add) { () throws(LinkError) in
            let version: String
            do throws(LinkError) {
                version = try await inspection.companionVersion(within: timeout)
            } catch {
                guard error.code == .companionMissing || error.code == .companionUnavailable else { throw error }
                return Finding(
                    "companion", .bad, error.what, advice: "\(error.hint); --link ssh works without the companion")
            }
            isCompanionInstalled = true
            guard version == Version.text else {
                return Finding(
                    "companion", .warning, "the vehicle has version \(version), this machine has \(Version.text)",
                    advice: connector.profile.deployAdvice)
            }
            return Finding("companion", .good, "version \(version)")
        }
        await look(all: EnvironmentAdvice.check, add) { () throws(LinkError) in
            EnvironmentAdvice.findings(try await inspection.environment(within: timeout))
        }
        await look(all: "rosservice", add) { () throws(LinkError) in
            let shell = try await inspection.loginShellStart(within: timeout)
            let start = try await inspection.rosserviceStart(within: timeout)
            return LatencyAdvice.startUp(
                shell: shell, setup: start?.setup ?? .zero, rosservice: start?.program)
        }
        let host = connector.profile.host ?? ""
        let here = await HostReport.here(towards: host)
        for finding in LatencyAdvice.findings(here, "here") { add(finding) }
        // The programs used by these checks are optional on the vehicle.
        if let there = try? await inspection.hostReport(within: timeout) {
            for finding in LatencyAdvice.findings(there, "on the vehicle") { add(finding) }
        }
        if let finding = LatencyAdvice.keystrokes(here, host: host) { add(finding) }
        await look("clock", add) { () throws(LinkError) in
            let (offset, bound) = try await inspection.clockOffset(within: timeout)
            let seconds = offset.inSeconds.formatted(decimals: 3)
            let accuracy = bound.inSeconds.formatted(decimals: 3)
            let message = "the vehicle's clock differs from this machine's by \(seconds) s (± \(accuracy) s)"
            // Bags and logs of both machines are compared by their stamps, and ROS compares stamps with its timeouts.
            guard abs(offset.inSeconds) <= max(1, bound.inSeconds) else {
                return Finding(
                    "clock", .warning, message,
                    advice: "synchronise both with a time server: chronyd or systemd-timesyncd")
            }
            return Finding("clock", .good, message)
        }
        guard isCompanionInstalled else {
            return add(Finding("ROS on the vehicle", .skipped, "needs the companion"))
        }
        do {
            for finding in try await inspection.rosFindings(within: timeout) {
                add(
                    Finding(
                        "on the vehicle: \(finding.check)", finding.verdict, finding.message, advice: finding.advice))
            }
        } catch {
            add(Finding("ROS on the vehicle", .bad, error.what, advice: error.hint))
        }
    }

    /// How long a link is measured: twenty heartbeats, enough for a median and a clock offset.
    private static let watchTime: Duration = .seconds(2)

    /// What a link has shown.
    private struct LinkExamination {
        /// The median of the round trips.
        var roundTrip: Duration?
        /// The newest telemetry, if any part was received from the vehicle.
        var telemetry: Telemetry?
        /// That the flight stack was silent then; `nil` if it was not.
        var silence: String?
    }

    private func examine(_ seen: LinkExamination, _ add: (Finding) -> Void) {
        guard let telemetry = seen.telemetry else { return }
        let profile = connector.profile
        let rates = TopicRateReport(telemetry.topicRates?.value ?? [], profile: profile.rates)
        add(TelemetryAdvice.rates(rates, vehicle: profile.vehicle, silence: seen.silence))
        if let finding = TelemetryAdvice.stamps(telemetry.stampClock) { add(finding) }
    }

    /// Connects a link and measures it.
    private func examineLink(_ kind: LinkKind, _ add: (Finding) -> Void) async -> LinkExamination {
        var seen = LinkExamination()
        await look("link \(kind.rawValue)", add) { () throws(LinkError) in
            let link = try await connector.connect(.only(kind), within: timeout)
            try? await Task.sleep(for: Self.watchTime)
            let quality = link.quality
            let telemetry = link.latestTelemetry
            await link.close()
            seen.roundTrip = quality.roundTripMedian
            seen.silence = TelemetryAdvice.silence(telemetry, now: clock.now)
            if telemetry?.newest != nil { seen.telemetry = telemetry }
            return Self.finding(
                kind, quality, telemetry, now: clock.now, deployAdvice: connector.profile.deployAdvice)
        }
        return seen
    }

    private static func finding(
        _ kind: LinkKind, _ quality: LinkQuality, _ telemetry: Telemetry?, now: MonotonicTime, deployAdvice: String
    ) -> Finding {
        let check = "link \(kind.rawValue)"
        var words = ["connected"]
        if let trip = quality.roundTripMedian { words.append("round trip \(text(trip)) ms") }
        if let bound = quality.clockOffsetBound {
            words.append("clock offset known within \(text(bound)) ms")
        }
        if let loss = quality.lossDown, loss > 0.01 {
            return Finding(
                check, .warning,
                (words + ["\(Int(saturating: loss * 100)) % of the frames from the vehicle are lost"]).joined(
                    separator: ", "),
                advice: "move closer, or use another Wi-Fi channel")
        }
        guard telemetry?.newest != nil else {
            return Finding(
                check, .bad, (words + ["but no telemetry was received"]).joined(separator: ", "),
                advice: "see the findings about ROS on the vehicle above")
        }
        if let silence = TelemetryAdvice.silence(telemetry, now: now) {
            return Finding(
                check, .bad, (words + ["but \(silence)"]).joined(separator: ", "),
                advice: "is the flight stack running on the vehicle? See its terminal or its log")
        }
        // The running companion may be older than the file on the vehicle.
        if let warning = quality.versionWarning {
            return Finding(check, .warning, warning, advice: deployAdvice)
        }
        return Finding(check, .good, words.joined(separator: ", "))
    }

    private static func text(_ duration: Duration) -> String { duration.inMilliseconds.formatted(decimals: 2) }

    private func look(
        _ check: String, _ add: (Finding) -> Void, _ work: () async throws(LinkError) -> Finding
    ) async {
        await look(all: check, add) { () throws(LinkError) in [try await work()] }
    }

    private func look(
        all check: String, _ add: (Finding) -> Void, _ work: () async throws(LinkError) -> [Finding]
    ) async {
        do {
            for finding in try await work() { add(finding) }
        } catch {
            add(Finding(check, .bad, error.what, advice: error.hint))
        }
    }
}
