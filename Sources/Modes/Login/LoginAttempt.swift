internal import FlightControl
internal import SSHTransport
internal import UAVLink
internal import VehicleAccess

/// What a person must decide before a log-in goes on.
enum LoginQuestion: Hashable, Sendable {
    /// Whether to trust a host's key from now on.
    case hostKey(HostKeyQuestion)
    /// The vehicle's end is reached over this link, but ROS tells nothing: whether to log in nevertheless.
    case noTelemetry(LinkKind)
}

/// News of an attempt.
enum LoginNews {
    case steps(LoginSteps)
    /// `nil`: nobody waits for the answer any more.
    case question(LoginQuestion?)
}

/// What came of an attempt.
enum LoginOutcome {
    case loggedIn(LoggedInVehicle, saved: Result<VehicleProfile?, LinkError>)
    case failed(LinkError)
    /// The person cancelled, or answered a question with no.
    case givenUp
}

/// One attempt to log in: opens the link, asks what must be asked, waits for the first telemetry, saves what is to be saved
/// and adds the vehicle to the fleet. Cancelled, it closes what it has opened.
@MainActor
final class LoginAttempt {
    /// How long the first telemetry may take: `rostopic echo` over SSH needs some 3 s on a busy machine.
    static let firstTelemetry: Duration = .seconds(10)
    /// How often it looks for it.
    private static let look: Duration = .milliseconds(50)

    private let request: LoginRequest
    private let parts: LoginInteractor.Parts
    private let tell: (LoginNews) -> Void
    private var steps = LoginSteps()
    private var waiting: (number: Int, answer: CheckedContinuation<Bool, Never>)?
    private var lastNumber = 0
    private var hasRefused = false

    init(_ request: LoginRequest, _ parts: LoginInteractor.Parts, tell: @escaping (LoginNews) -> Void) {
        self.request = request
        self.parts = parts
        self.tell = tell
    }

    func run() async -> LoginOutcome {
        tell(.steps(steps))
        let opened: OpenedVehicle
        do {
            opened = try await open()
        } catch {
            return Task.isCancelled || error.code == .cancelled || hasRefused ? .givenUp : .failed(error)
        }
        guard await hasTelemetry(opened.link), !Task.isCancelled else {
            await opened.close()
            return .givenUp
        }
        let saved = await save()
        guard !Task.isCancelled else {
            await opened.close()
            return .givenUp
        }
        let vehicle = parts.fleet.add(
            profile: (try? saved.get()) ?? request.profile, link: opened.link, linkStory: steps.story,
            connector: opened.connector)
        return .loggedIn(vehicle, saved: saved)
    }

    /// Answers what was asked last.
    func answer(_ isYes: Bool) {
        if !isYes, waiting != nil { hasRefused = true }
        settle(isYes)
    }

    private func settle(_ isYes: Bool) {
        guard let waiting else { return }
        self.waiting = nil
        tell(.question(nil))
        waiting.answer.resume(returning: isYes)
    }

    private func open() async throws(LinkError) -> OpenedVehicle {
        let (news, feed) = AsyncStream.makeStream(of: ConnectProgress.self)
        let reader = Task {
            for await one in news {
                steps.take(one)
                tell(.steps(steps))
            }
        }
        let result: Result<OpenedVehicle, LinkError>
        do {
            result = .success(
                try await parts.opener.open(request, person: LoginPerson(attempt: self), within: parts.timeout) {
                    feed.yield($0)
                })
        } catch {
            result = .failure(error)
        }
        feed.finish()
        await reader.value
        return try result.get()
    }

    /// Whether to go on: telemetry came, or the person does without.
    private func hasTelemetry(_ link: any UAVLink) async -> Bool {
        steps.awaitTelemetry()
        tell(.steps(steps))
        let deadline = parts.pacemaker.clock.now + Self.firstTelemetry
        while link.latestTelemetry?.newest == nil {
            guard parts.pacemaker.clock.now < deadline else {
                steps.telemetryMissing()
                tell(.steps(steps))
                return await ask(.noTelemetry(link.kind))
            }
            guard await parts.pacemaker.pause(Self.look) else { return false }
        }
        steps.telemetryCame()
        tell(.steps(steps))
        return true
    }

    private func save() async -> Result<VehicleProfile?, LinkError> {
        do {
            switch request.saving {
            case .nothing: return .success(nil)
            case .vehicle(let withPassword):
                return .success(
                    try await parts.store.save(request.profile, password: withPassword ? request.password : nil))
            case .password:
                guard let password = request.password else { return .success(nil) }
                try await parts.store.store(password, forVehicle: request.profile.name)
                return .success(request.profile)
            }
        } catch {
            return .failure(error)
        }
    }

    /// Asks the person; no for an answer that nobody waits for any more.
    fileprivate func ask(_ question: LoginQuestion) async -> Bool {
        lastNumber += 1
        let number = lastNumber
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard !Task.isCancelled, waiting == nil else { return continuation.resume(returning: false) }
                waiting = (number, continuation)
                tell(.question(question))
            }
        } onCancel: {
            Task { @MainActor in self.withdraw(number) }
        }
    }

    private func withdraw(_ number: Int) {
        guard waiting?.number == number else { return }
        settle(false)
    }
}

/// The person before the screen, for whoever opens the link. Prompts of a server are answered by the password field, so nobody
/// is asked for a secret here.
private struct LoginPerson: PersonAtHand {
    let attempt: LoginAttempt

    func secret(for what: String) async -> SSHSecret? { nil }
    func trusts(_ question: HostKeyQuestion) async -> Bool { await attempt.ask(.hostKey(question)) }
}
