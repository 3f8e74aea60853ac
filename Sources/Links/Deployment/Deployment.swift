package import UAVLink
package import VehicleAccess

/// Puts the companion onto a vehicle, into the user's home, without root; returns to the one before; takes it away.
///
/// Where it is cut or refused, the companion that was used before is still used.
package struct Deployment: Sendable {
    /// What a deployment needs of the vehicle's profile.
    package struct Settings: Sendable {
        /// The vehicle's name in ROS.
        let vehicle: String
        /// The vehicle and where it is, for messages.
        let place: String
        /// The address on which the companion listens; `nil` for all.
        let bind: String?
        /// The companion's program that the profile names in place of the usual one.
        let namedCompanion: String?
        /// The command line that deploys to this vehicle.
        let command: String
        /// Timeout of the log-in and of each answer.
        let timeout: Duration

        /// Scripts that read or write the whole program take longer than an answer.
        var scriptTimeout: Duration { max(timeout, .seconds(60)) }

        /// The settings for a vehicle.
        package init(_ profile: VehicleProfile, timeout: Duration) {
            vehicle = profile.vehicle
            place = profile.target
            bind = profile.bindAddress
            namedCompanion = profile.namedCompanion
            command = profile.deployCommand
            self.timeout = timeout
        }
    }

    private let target: any DeploymentTarget
    private let settings: Settings
    private let files: CompanionFiles
    private let clock: any MonotonicClock

    /// A deployment to a target.
    ///
    /// - Parameter files: where this machine has programs of the companion.
    package init(
        to target: any DeploymentTarget, _ settings: Settings, files: CompanionFiles,
        clock: any MonotonicClock = SystemMonotonicClock()
    ) {
        self.target = target
        self.settings = settings
        self.files = files
        self.clock = clock
    }

    /// A deployment to the vehicle of a connector, which is not closed here.
    ///
    /// - Throws: ``DeploymentFailure`` for a vehicle that is reached without SSH.
    package init(
        over connector: VehicleConnector, files: CompanionFiles, timeout: Duration
    ) throws(DeploymentFailure) {
        guard !connector.profile.isLocal else {
            throw .link(
                LinkError(
                    .invalidInput, "there is no host to deploy to",
                    hint: "name it, or a vehicle of the configuration: uavlink deploy HOST"))
        }
        self.init(
            to: SSHDeploymentTarget(connector, logIn: timeout), Settings(connector.profile, timeout: timeout),
            files: files)
    }

    /// Does it.
    ///
    /// - Parameter tell: called with each event in order, on any thread.
    /// - Throws: ``DeploymentFailure``.
    package func run(
        _ options: DeploymentOptions, tell: @escaping @Sendable (DeploymentEvent) -> Void = { _ in }
    ) async throws(DeploymentFailure) -> DeploymentReport {
        let began = clock.now
        let facts = try await target.examine(within: settings.scriptTimeout)
        tell(.examined(facts))
        var run = DeploymentRun(
            target: target, settings: settings, options: options, clock: clock, tell: tell,
            report: DeploymentReport(
                action: options.action, isDryRun: options.isDryRun, target: settings.place, facts: facts),
            facts: facts)
        do throws(DeploymentFailure) {
            switch options.action {
            case .install: try await run.install(files)
            case .rollBack: try await run.rollBack()
            case .remove: try await run.remove()
            }
        } catch {
            await target.endWatching()
            throw error
        }
        await target.endWatching()
        run.report.duration = clock.now - began
        return run.report
    }
}
