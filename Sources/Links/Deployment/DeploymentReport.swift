package import ReportKit
internal import UAVLink

/// What a deployment has done.
package struct DeploymentReport: Hashable, Sendable {
    /// An upload.
    package struct Upload: Hashable, Sendable {
        /// Its size.
        package var bytes: Int
        /// How long it took.
        package var duration: Duration
    }

    /// What was done.
    package var action: DeploymentOptions.Action
    /// Whether nothing was changed.
    package var isDryRun: Bool
    /// The vehicle and where it is.
    package var target: String
    /// The vehicle's computer before.
    package var facts: HostFacts
    /// The steps, in order; with a dry run those that would be done.
    package var steps: [String] = []
    /// What the user should know.
    package var warnings: [String] = []
    /// The program on this machine; `nil` if none was needed.
    package var program: String?
    /// Its SHA-256 checksum in hexadecimal.
    package var checksum: String?
    /// The version of the companion that is deployed now.
    package var version: String?
    /// Its name in the folder of the programs.
    package var name: String?
    /// The one that a rollback returns to.
    package var previous: String?
    /// The upload; `nil` if none was needed.
    package var upload: Upload?
    /// Whether a running companion was ended and started again.
    package var hasRestarted = false
    /// The round trip over the channel.
    package var proof: ChannelProof?
    /// What became of the service: `enabled`, `printed`; `nil` if none was asked for.
    package var service: String?
    /// What the user is to do for a service of the system: text lines.
    package var instructions: [String] = []
    /// What was removed, relative to the home.
    package var removed: [String] = []
    /// What was there before the first deployment, and is there again.
    package var restored: [String] = []
    /// The time from beginning to end.
    package var duration: Duration = .zero

    /// The report as JSON.
    package var json: JSONValue {
        func texts(_ list: [String]) -> JSONValue { .array(list.map { .string($0) }) }
        let own: [JSONValue.Member] = [
            .init("ok", true), .init("action", .string(action.rawValue)), .init("dry_run", .bool(isDryRun)),
            .init("target", .string(target)), .init("version", JSONValue(version)), .init("name", JSONValue(name)),
            .init("previous", JSONValue(previous)), .init("program", JSONValue(program)),
            .init("sha256", JSONValue(checksum)), .init("uploaded_bytes", JSONValue(upload?.bytes ?? 0)),
            .init("upload_s", JSONValue(upload?.duration.inSeconds)), .init("restarted", .bool(hasRestarted)),
            .init("link", JSONValue(proof?.link.rawValue)),
            .init("round_trip_ms", JSONValue(proof?.roundTrip.inMilliseconds)),
            .init("service", JSONValue(service)),
            .init("instructions", texts(instructions)), .init("removed", texts(removed)),
            .init("restored", texts(restored)), .init("steps", texts(steps)), .init("warnings", texts(warnings)),
            .init("duration_s", .number(duration.inSeconds)),
        ]
        return .object(own + facts.json)
    }

    /// The result in a few lines; may contain text from the vehicle.
    package var lines: [String] {
        guard !isDryRun else {
            let header = "\(target): nothing was changed; this would be done:"
            return facts.lines + [steps.isEmpty ? "\(target): nothing would be done" : header] + steps.map { "  \($0)" }
        }
        let seconds = duration.inSeconds.formatted(decimals: 1)
        switch action {
        case .remove:
            guard !removed.isEmpty else { return ["\(target): no deployed companion, nothing to remove"] }
            return ["\(target): removed \(removed.joined(separator: ", "))"]
                + restored.map { "\(target): \($0) is again what it was" }
        case .install, .rollBack:
            var line = "\(target): companion \(version ?? "") (\(name ?? ""))"
            line += action == .install ? " is deployed" : " is back"
            if let proof {
                let milliseconds = proof.roundTrip.inMilliseconds.formatted(decimals: 2)
                line += ", round trip \(milliseconds) ms over \(proof.link.rawValue)"
            }
            line += ", after \(seconds) s"
            return [line] + instructions
        }
    }
}
