package import UAVLink
package import FlightControl
package import FlightRecorder
package import ModeKit
package import VehicleAccess

/// The vehicle to log in to, as given on the command line.
package struct LoginPreset: Sendable {
    /// The vehicle; its ``VehicleAccess/VehicleProfile/passwordFile`` is used for this log-in only.
    package var profile: VehicleProfile
    /// Whether to log in immediately, without a key press.
    package var logsInImmediately: Bool

    package init(profile: VehicleProfile, logsInImmediately: Bool) {
        self.profile = profile
        self.logsInImmediately = logsInImmediately
    }
}

/// Builds the log-in mode.
@MainActor
package struct LoginBuilder {
    /// The dependencies of the log-in.
    package struct Dependency {
        /// The logged-in vehicles.
        package var fleet: Fleet
        /// The saved vehicles.
        package var store: any ProfileStore
        /// Opens links.
        package var opener: any VehicleOpener
        /// Lists the vehicles whose companions run on this machine.
        package var companions: @Sendable () async -> [String]
        /// Installs the companion on vehicles; `nil` if that is not offered.
        package var installer: (any CompanionInstaller)?
        /// The vehicle given on the command line.
        package var preset: LoginPreset?
        package var timeSource: any TimeSource
        /// The timeout of the SSH log-in, and of each link that is tried.
        package var timeout: Duration

        /// The dependencies of the log-in.
        package init(
            fleet: Fleet, store: any ProfileStore, opener: any VehicleOpener,
            companions: @escaping @Sendable () async -> [String], installer: (any CompanionInstaller)? = nil,
            preset: LoginPreset? = nil, timeSource: any TimeSource = SystemTimeSource(),
            timeout: Duration = .seconds(15)
        ) {
            self.fleet = fleet
            self.store = store
            self.opener = opener
            self.companions = companions
            self.installer = installer
            self.preset = preset
            self.timeSource = timeSource
            self.timeout = timeout
        }

        /// The dependencies in the real program.
        ///
        /// - Parameters:
        ///   - acceptsNewHostKey: whether the key of an unknown host is accepted without asking.
        ///   - recordings: where links are recorded; `nil` records nothing.
        package init(
            fleet: Fleet, configuration: ConfigurationFile, environment: [String: String],
            acceptsNewHostKey: Bool = false, preset: LoginPreset? = nil, timeout: Duration = .seconds(15),
            recordings: Recordings? = nil
        ) {
            let local = LocalCompanions(environment: environment)
            self.init(
                fleet: fleet, store: FileProfileStore(configuration),
                opener: ConnectorOpener(
                    environment: environment, acceptsNewHostKey: acceptsNewHostKey, recordings: recordings),
                companions: { await local.vehicles() },
                installer: DeploymentInstaller(environment: environment, acceptsNewHostKey: acceptsNewHostKey),
                preset: preset, timeout: timeout)
        }
    }

    /// How often local companions are looked up: a user who has just started one returns within a second or two.
    private static let lookAround: Duration = .seconds(1)

    private let dependency: Dependency

    package init(_ dependency: Dependency) { self.dependency = dependency }

    /// Builds the mode on a stage, with the view that `makeView` makes for its presenter.
    package func build(on stage: any Stage, view makeView: (LoginPresenter) -> any LoginView) -> ModeInstance {
        let tasks = TaskBag()
        let interactor = LoginInteractor(
            LoginInteractor.Parts(
                fleet: dependency.fleet, opener: dependency.opener, store: dependency.store,
                installer: dependency.installer, timeSource: dependency.timeSource, timeout: dependency.timeout),
            companions: dependency.companions)
        let presenter = LoginPresenter(
            interactor: interactor, router: LoginRouter(stage: stage), tasks: tasks, preset: dependency.preset)
        let view = makeView(presenter)
        presenter.view = view
        presenter.begin()
        let timeSource = dependency.timeSource
        tasks.start { [weak presenter] in
            await presenter?.readConfiguration()
            repeat { await presenter?.lookAround() } while await timeSource.pause(Self.lookAround)
        }
        return ModeInstance(.login, view: view) { tasks.cancelAll() }
    }
}
