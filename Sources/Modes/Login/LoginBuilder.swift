public import UAVLink
public import FlightControl
public import FlightRecorder
public import ModeKit
public import VehicleAccess

/// What the command line says of the vehicle to log in to.
public struct LoginPreset: Sendable {
    /// The vehicle; its ``VehicleAccess/VehicleProfile/passwordFile`` is used for this log-in only.
    public var profile: VehicleProfile
    /// Whether to log in without a key press.
    public var startsAtOnce: Bool

    /// What the command line says.
    public init(profile: VehicleProfile, startsAtOnce: Bool) {
        self.profile = profile
        self.startsAtOnce = startsAtOnce
    }
}

/// Wires the log-in.
@MainActor
public struct LoginBuilder {
    /// What the log-in needs.
    public struct Dependency {
        /// Where vehicles go that somebody is logged in to.
        public var fleet: Fleet
        /// The saved vehicles.
        public var store: any ProfileStore
        /// Opens links.
        public var opener: any VehicleOpener
        /// The vehicles whose companions run on this machine.
        public var companions: @Sendable () async -> [String]
        /// The vehicle that the command line named.
        public var preset: LoginPreset?
        /// Where the time comes from.
        public var pacemaker: any Pacemaker
        /// How long the SSH log-in, and each link that is tried, may take.
        public var timeout: Duration

        /// What the log-in needs.
        public init(
            fleet: Fleet, store: any ProfileStore, opener: any VehicleOpener,
            companions: @escaping @Sendable () async -> [String], preset: LoginPreset? = nil,
            pacemaker: any Pacemaker = SystemPacemaker(), timeout: Duration = .seconds(15)
        ) {
            self.fleet = fleet
            self.store = store
            self.opener = opener
            self.companions = companions
            self.preset = preset
            self.pacemaker = pacemaker
            self.timeout = timeout
        }

        /// What the log-in of the real program needs.
        ///
        /// - Parameters:
        ///   - acceptsNewHostKey: whether the key of an unknown host is taken without asking.
        ///   - recordings: where links are recorded; `nil` records nothing.
        public init(
            fleet: Fleet, configuration: ConfigurationFile, environment: [String: String],
            acceptsNewHostKey: Bool = false, preset: LoginPreset? = nil, timeout: Duration = .seconds(15),
            recordings: Recordings? = nil
        ) {
            let local = LocalCompanions(environment: environment)
            self.init(
                fleet: fleet, store: FileProfileStore(configuration),
                opener: ConnectorOpener(
                    environment: environment, acceptsNewHostKey: acceptsNewHostKey, recordings: recordings),
                companions: { await local.vehicles() }, preset: preset, timeout: timeout)
        }
    }

    /// How often it looks for a companion on this machine: a person who has started one comes back within a second or two.
    private static let lookAround: Duration = .seconds(1)

    private let dependency: Dependency

    /// A builder.
    public init(_ dependency: Dependency) { self.dependency = dependency }

    /// Wires the log-in on a stage, with the view that `makeView` makes for its presenter.
    public func build(on stage: any Stage, view makeView: (LoginPresenter) -> any LoginView) -> Module {
        let tasks = TaskBag()
        let interactor = LoginInteractor(
            LoginInteractor.Parts(
                fleet: dependency.fleet, opener: dependency.opener, store: dependency.store,
                pacemaker: dependency.pacemaker, timeout: dependency.timeout),
            companions: dependency.companions)
        let presenter = LoginPresenter(
            interactor: interactor, router: LoginRouter(stage: stage), tasks: tasks, preset: dependency.preset)
        let view = makeView(presenter)
        presenter.view = view
        presenter.begin()
        let pacemaker = dependency.pacemaker
        tasks.start { [weak presenter] in
            await presenter?.readConfiguration()
            repeat { await presenter?.lookAround() } while await pacemaker.pause(Self.lookAround)
        }
        return Module(.login, view: view) { tasks.cancelAll() }
    }
}
