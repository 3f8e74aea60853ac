import FlightControl
import LoginMode
import ModeKit
import ModeTestKit
import SSHTransport
import Synchronization
import UAVLink
import UAVTestKit
import VehicleAccess

/// The log-in's screen as a test sees it.
@MainActor
final class FakeLoginView: LoginView {
    /// A screen holds its presenter.
    var presenter: LoginPresenter?
    var shown = LoginScreenState()
    func show(_ state: LoginScreenState) { shown = state }

    /// The states of the steps in their order.
    var steps: [LoginStep.State] { shown.steps?.all.map(\.state) ?? [] }
}

/// An opener that does what a test says.
final class FakeOpener: VehicleOpener {
    enum Script: Sendable {
        /// Tells this, then opens.
        case open([ConnectProgress], FakeLink)
        /// Tells this, then fails.
        case fail([ConnectProgress], LinkError)
        /// Asks about a host key, and opens when it is trusted.
        case ask(HostKeyQuestion, FakeLink)
        /// Says this, prompts for these, each with whether its answer may be seen, and opens when all are answered.
        case prompt(said: [String], [(text: String, echoes: Bool)], FakeLink)
        /// Tells this, then waits for ever.
        case hang([ConnectProgress])
        /// Opens only when it is cancelled, as a link does that was just about to be open.
        case openLate(FakeLink)
    }

    private struct State {
        var scripts: [Script]
        var requests: [LoginRequest] = []
        var cancelled = 0
        var answers: [String?] = []
        var givesSecrets: [Bool] = []
    }

    private let state: Mutex<State>

    init(_ scripts: Script...) { state = Mutex(State(scripts: scripts)) }

    var requests: [LoginRequest] { state.withLock { $0.requests } }
    /// The answers to prompts.
    var answers: [String?] { state.withLock { $0.answers } }
    /// Whether the user could be asked for password and passphrases, at each log-in that prompts.
    var givesSecrets: [Bool] { state.withLock { $0.givesSecrets } }
    /// How many attempts noticed that they were cancelled.
    var cancelled: Int { state.withLock { $0.cancelled } }

    func open(
        _ request: LoginRequest, userPrompt: any UserPrompt, within timeout: Duration,
        onStep: @escaping @Sendable (ConnectProgress) -> Void
    ) async throws(LinkError) -> OpenedVehicle {
        let script = state.withLock { state in
            state.requests.append(request)
            return state.scripts.isEmpty ? .hang([]) : state.scripts.removeFirst()
        }
        switch script {
        case .open(let progress, let link):
            for one in progress { onStep(one) }
            return try await opened(link)
        case .fail(let progress, let error):
            for one in progress { onStep(one) }
            throw error
        case .ask(let question, let link):
            guard await userPrompt.trusts(question) else {
                throw LinkError(.hostKeyUnknown, "not trusted", hint: "run again with --accept-new-host-key")
            }
            return try await opened(link)
        case .prompt(let lines, let prompts, let link):
            state.withLock { $0.givesSecrets.append(userPrompt.givesSecrets) }
            for line in lines { await userPrompt.tell(line) }
            for prompt in prompts {
                let answer = await userPrompt.secret(for: prompt.text, echoes: prompt.echoes)
                let text = answer?.withBytes { String(decoding: $0, as: UTF8.self) }
                state.withLock { $0.answers.append(text) }
                guard answer != nil else { throw LinkError(.authentication, "not answered") }
            }
            return try await opened(link)
        case .hang(let progress):
            for one in progress { onStep(one) }
            await untilCancelled()
            throw LinkError(.cancelled, "cancelled")
        case .openLate(let link):
            await untilCancelled()
            return try await opened(link)
        }
    }

    private func untilCancelled() async {
        let (never, feed) = AsyncStream.makeStream(of: Void.self)
        for await _ in never {}
        withExtendedLifetime(feed) {}
        state.withLock { $0.cancelled += 1 }
    }

    private func opened(_ link: FakeLink) async throws(LinkError) -> OpenedVehicle {
        try await link.connect(within: .seconds(1))
        return OpenedVehicle(link: link)
    }
}

/// Saved vehicles in memory.
final class FakeStore: ProfileStore {
    private struct State {
        var configuration: Configuration
        var readFailure: LinkError?
        var saveFailure: LinkError?
        var saved: [(profile: VehicleProfile, hasPassword: Bool)] = []
        var stored: [String] = []
    }

    private let state: Mutex<State>

    init(
        _ vehicles: VehicleProfile..., standard: String? = nil, readFailure: LinkError? = nil,
        saveFailure: LinkError? = nil
    ) {
        var configuration = Configuration()
        configuration.vehicles = vehicles
        configuration.defaultVehicle = standard
        state = Mutex(State(configuration: configuration, readFailure: readFailure, saveFailure: saveFailure))
    }

    var saved: [(profile: VehicleProfile, hasPassword: Bool)] { state.withLock { $0.saved } }
    var stored: [String] { state.withLock { $0.stored } }

    func read() async throws(LinkError) -> Configuration {
        let (configuration, failure) = state.withLock { ($0.configuration, $0.readFailure) }
        if let failure { throw failure }
        return configuration
    }

    func save(_ profile: VehicleProfile, password: SSHSecret?) async throws(LinkError) -> VehicleProfile {
        if let failure = state.withLock({ $0.saveFailure }) { throw failure }
        state.withLock { $0.saved.append((profile, password != nil)) }
        return profile
    }

    func store(_ password: SSHSecret, forVehicle name: String) async throws(LinkError) {
        if let failure = state.withLock({ $0.saveFailure }) { throw failure }
        state.withLock { $0.stored.append(name) }
    }
}

/// A log-in with fakes all around.
@MainActor
final class LoginRig {
    let fleet: Fleet
    let stage = FakeStage()
    let timeSource = FakeTimeSource()
    let view = FakeLoginView()
    let opener: FakeOpener
    private(set) var presenter: LoginPresenter?
    private(set) var instance: ModeInstance?
    private let here = Mutex<[String]>([])

    init(
        _ opener: FakeOpener = FakeOpener(), store: FakeStore = FakeStore(), here: [String] = [],
        preset: LoginPreset? = nil, installer: FakeInstaller? = nil
    ) async {
        fleet = Fleet(timeSource: timeSource)
        self.opener = opener
        self.here.withLock { $0 = here }
        let builder = LoginBuilder(
            .init(
                fleet: fleet, store: store, opener: opener,
                companions: { [weak self] in await self?.localVehicles ?? [] },
                installer: installer, preset: preset, timeSource: timeSource))
        instance = builder.build(on: stage) {
            presenter = $0
            return view
        }
        await settle()
    }

    var localVehicles: [String] {
        get { here.withLock { $0 } }
        set { here.withLock { $0 = newValue } }
    }

    var state: LoginScreenState { view.shown }

    /// Does something and lets everything run that can.
    func `do`(_ intents: LoginIntent...) async {
        for intent in intents { presenter?.handle(intent) }
        await settle()
    }

    /// Types an address, a user and a password.
    func fillIn(address: String = "10.0.0.7", user: String = "mrs", password: String = "pass-word") async {
        await self.do(
            .edit(.address, address), .edit(.user, user), .editPassword(TypedPassword(password)))
    }

    func detach() async {
        instance?.detach()
        await settle()
    }
}

/// A link that tells of itself as soon as it is connected, and whose time stands still.
func talkingLink(_ kind: LinkKind = .udp) -> FakeLink { FakeLink(kind: kind, clock: FakeClock()) }

/// A link that tells nothing.
func silentLink(_ kind: LinkKind = .udp) -> FakeLink {
    let link = talkingLink(kind)
    link.setVehicleSilent(true)
    return link
}
