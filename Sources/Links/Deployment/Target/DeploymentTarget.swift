package import UAVLink

/// What a program on the vehicle printed.
package struct ProgramResult: Hashable, Sendable {
    /// Its exit status; `nil` when a signal ended it.
    package var status: Int?
    /// Its standard output.
    package var output: String
    /// Its standard error.
    package var errors: String

    /// What a program printed.
    package init(status: Int?, output: String, errors: String = "") {
        self.status = status
        self.output = output
        self.errors = errors
    }

    /// Why it failed, as far as it says: its last line, or how it ended.
    var reason: String {
        let last = errors.split(whereSeparator: \.isNewline).last ?? output.split(whereSeparator: \.isNewline).last
        if let last { return String(last.prefix(300)) }
        return status.map { "it ended with exit status \($0)" } ?? "a signal ended it"
    }
}

/// One round trip over the channel to the companion that was started.
package struct ChannelProof: Hashable, Sendable {
    /// The link that was opened.
    package var link: LinkKind
    /// The time of a round trip.
    package var roundTrip: Duration
    /// The version of the running companion; empty if it is too old to report one.
    package var version: String

    /// A round trip.
    package init(link: LinkKind, roundTrip: Duration, version: String) {
        self.link = link
        self.roundTrip = roundTrip
        self.version = version
    }
}

/// What a deployment does on the vehicle's computer; tests have one of their own.
package protocol DeploymentTarget: Sendable {
    /// Runs a script in the vehicle's `sh`, without the profile's set-up.
    func run(_ script: String, within timeout: Duration) async throws(DeploymentFailure) -> ProgramResult

    /// Runs a program after the profile's set-up; a leading `~/` in its path is the user's home.
    func runAfterSetup(
        _ program: String, _ arguments: [String], within timeout: Duration
    ) async throws(DeploymentFailure) -> ProgramResult

    /// Writes a file, under another name until its checksum on the vehicle is right.
    ///
    /// - Parameter progress: called with the number of bytes that the vehicle has confirmed.
    func upload(
        _ bytes: [UInt8], to path: String, progress: @escaping @Sendable (Int) -> Void
    ) async throws(DeploymentFailure)

    /// Whether the vehicle flies, from its telemetry.
    ///
    /// - Parameter hasCompanion: whether a companion for it runs; if not, none is started for that.
    func flightCondition(hasCompanion: Bool, within timeout: Duration) async -> FlightCondition

    /// Closes what was opened to watch the vehicle.
    func endWatching() async

    /// Starts the deployed companion if none runs, opens the channel to it and measures a round trip.
    func proveChannel(within timeout: Duration) async throws(DeploymentFailure) -> ChannelProof
}

extension DeploymentTarget {
    /// Looks at the vehicle's computer in one round trip; changes nothing.
    func examine(within timeout: Duration) async throws(DeploymentFailure) -> HostFacts {
        let result = try await run(FactsScript.text, within: timeout)
        guard let facts = HostFacts(ScriptAnswer(result.output)) else {
            throw .link(
                LinkError(
                    .remoteFailed, "the vehicle's computer could not be examined: \(result.reason)",
                    hint: "log in and check that 'sh' works there: ssh, or uavlink terminal"))
        }
        return facts
    }
}
