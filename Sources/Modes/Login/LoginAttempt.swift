internal import FlightControl
internal import SSHTransport
internal import UAVLink
internal import VehicleAccess

/// A question that the user must answer before a log-in continues.
enum LoginQuestion: Hashable, Sendable {
    /// Whether to trust and store a host key.
    case hostKey(HostKeyQuestion)
    /// The link is open, but no telemetry arrives from ROS: whether to log in anyway.
    case noTelemetry(LinkKind)
    /// What the server prompts for, such as a one-time code.
    case prompt(ServerPrompt)
    /// Whether to install the companion of this program on the vehicle.
    case install(InstallReason)
}

/// A prompt of the server, untrusted.
struct ServerPrompt: Hashable, Sendable {
    /// What the server said before.
    var lines: [String]
    /// What it asks for.
    var text: String
    /// Whether the answer may be seen while it is typed.
    var echoes: Bool
    /// Tells it from the other prompts of the log-in.
    var number: Int

    /// Whether it is about a key file of this computer. What a server asks begins with the server's name.
    var isOfKey: Bool { text.hasPrefix("passphrase of ") }
}

/// The user's answer to a question.
enum LoginReply: Sendable {
    case no, yes
    /// The answer to a prompt.
    case line(SSHSecret)
}

/// A progress event of an attempt.
enum LoginEvent {
    case steps(LoginSteps)
    /// A question to the user; `nil` when an answer is no longer needed.
    case question(LoginQuestion?)
}

/// The result of an attempt.
enum LoginOutcome {
    case loggedIn(LoggedInVehicle, saved: Result<VehicleProfile?, LinkError>, warnings: [String])
    case failed(LinkError)
    /// The user cancelled, or answered a question with no.
    case cancelledByUser
}

/// One attempt to log in: opens the link, asks the user where necessary, waits for the first telemetry, saves the profile
/// if requested and adds the vehicle to the fleet. When cancelled, it closes what it has opened.
@MainActor
final class LoginAttempt {
    /// The timeout for the first telemetry: `rostopic echo` over SSH needs about 3 s on a busy machine.
    static let firstTelemetry: Duration = .seconds(10)
    /// The polling interval for it.
    private static let look: Duration = .milliseconds(50)
    /// For the companion to say why it has none.
    private static let reason: Duration = .seconds(3)

    let request: LoginRequest
    let parts: LoginInteractor.Parts
    let tell: (LoginEvent) -> Void
    var steps = LoginSteps()
    /// What the user should know when the log-in has ended: of an installation.
    var warnings: [String] = []
    private var waiting: Waiting?
    private var lastNumber = 0
    private var hasRefused = false
    /// Whether the user has ended the questions of the log-in: none is asked after that.
    private var hasDeclinedLine = false
    /// Whether it is over: a link that logs in again later must not wait for a user who does not see the question.
    private var hasEnded = false
    /// What the server said since its last prompt.
    private var said: [String] = []
    /// The most lines that are kept of it: a dialog has no room for more.
    private static let mostLines = 20

    /// An open question.
    private struct Waiting {
        var number: Int
        /// Whether it is a prompt, which is answered by a line.
        var takesLine: Bool
        var answer: CheckedContinuation<LoginReply, Never>
    }

    init(_ request: LoginRequest, _ parts: LoginInteractor.Parts, tell: @escaping (LoginEvent) -> Void) {
        self.request = request
        self.parts = parts
        self.tell = tell
    }

    func run() async -> LoginOutcome {
        defer { hasEnded = true }
        tell(.steps(steps))
        var opened: OpenedVehicle
        do {
            opened = try await openOffering()
        } catch {
            return outcome(of: error)
        }
        var hasTelemetry = await receivesTelemetry(opened.link)
        if !Task.isCancelled {
            do {
                if let new = try await withCompanion(opened) {
                    opened = new
                    hasTelemetry = await receivesTelemetry(opened.link)
                }
            } catch {
                return outcome(of: error)
            }
        }
        if !hasTelemetry, !Task.isCancelled { hasTelemetry = await agrees(to: .noTelemetry(opened.link.kind)) }
        guard hasTelemetry, !Task.isCancelled else {
            await opened.close()
            return .cancelledByUser
        }
        let saved = await save()
        guard !Task.isCancelled else {
            await opened.close()
            return .cancelledByUser
        }
        let vehicle = parts.fleet.add(
            profile: (try? saved.get()) ?? request.profile, link: opened.link, linkSelectionReason: steps.story,
            connector: opened.connector)
        return .loggedIn(vehicle, saved: saved, warnings: warnings)
    }

    private func outcome(of error: LinkError) -> LoginOutcome {
        Task.isCancelled || error.code == .cancelled || hasRefused ? .cancelledByUser : .failed(error)
    }

    /// Answers the open question; an answer of the wrong kind does nothing.
    func answer(_ reply: LoginReply) {
        guard let waiting else { return }
        switch reply {
        case .no:
            hasRefused = true
            if waiting.takesLine { hasDeclinedLine = true }
        case .yes: if waiting.takesLine { return }
        case .line: if !waiting.takesLine { return }
        }
        settle(reply)
    }

    private func settle(_ reply: LoginReply) {
        guard let waiting else { return }
        self.waiting = nil
        tell(.question(nil))
        waiting.answer.resume(returning: reply)
    }

    func open() async throws(LinkError) -> OpenedVehicle {
        let (event, feed) = AsyncStream.makeStream(of: ConnectProgress.self)
        let reader = Task {
            for await one in event {
                steps.take(one)
                tell(.steps(steps))
            }
        }
        let result: Result<OpenedVehicle, LinkError>
        do {
            result = .success(
                try await parts.opener.open(request, userPrompt: LoginUser(attempt: self), within: parts.timeout) {
                    feed.yield($0)
                })
        } catch {
            result = .failure(error)
        }
        feed.finish()
        await reader.value
        let opened = try result.get()
        steps.rosMaster = opened.rosMaster
        return opened
    }

    /// Waits for the first telemetry; whether it arrived.
    private func receivesTelemetry(_ link: any UAVLink) async -> Bool {
        steps.beginTelemetryStep()
        tell(.steps(steps))
        // It need not say anything.
        if link.vehicleCapabilities.isDrivenByText {
            steps.telemetryNotNeeded()
            tell(.steps(steps))
            return true
        }
        let deadline = parts.timeSource.clock.now + Self.firstTelemetry
        while link.latestTelemetry?.newest == nil {
            guard parts.timeSource.clock.now < deadline else {
                let reason = await link.reasonOfSilence(within: Self.reason)
                if link.latestTelemetry?.newest != nil { break }
                steps.telemetryMissing(reason)
                tell(.steps(steps))
                return false
            }
            guard await parts.timeSource.pause(Self.look) else { return false }
        }
        steps.telemetryReceived()
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

    /// Asks the user a question that is answered by yes or no.
    func agrees(to question: LoginQuestion) async -> Bool {
        lastNumber += 1
        if case .yes = await ask(question, lastNumber, takesLine: false) { return true }
        return false
    }

    /// Asks the user for one line; `nil` if none is given.
    fileprivate func line(for what: String, echoes: Bool) async -> SSHSecret? {
        guard !hasDeclinedLine else { return nil }
        lastNumber += 1
        let prompt = ServerPrompt(lines: said, text: what, echoes: echoes, number: lastNumber)
        said = []
        if case .line(let secret) = await ask(.prompt(prompt), lastNumber, takesLine: true) { return secret }
        return nil
    }

    /// Keeps what the server says for its next prompt.
    fileprivate func keep(_ line: String) {
        if said.count < Self.mostLines { said.append(line) }
    }

    /// Asks the user; the answer is no when the attempt is cancelled or another question is open.
    private func ask(_ question: LoginQuestion, _ number: Int, takesLine: Bool) async -> LoginReply {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard !Task.isCancelled, !hasEnded, waiting == nil else { return continuation.resume(returning: .no) }
                waiting = Waiting(number: number, takesLine: takesLine, answer: continuation)
                tell(.question(question))
            }
        } onCancel: {
            Task { @MainActor in self.withdraw(number) }
        }
    }

    private func withdraw(_ number: Int) {
        guard waiting?.number == number else { return }
        settle(.no)
    }
}

/// The user, as seen by the code that opens the link. The password field answers a server's prompts for the password and is the
/// passphrase of a key file; the user is asked for what else a server prompts for, and for these if the field is empty.
struct LoginUser: UserPrompt {
    let attempt: LoginAttempt
    let givesSecrets: Bool

    /// The user of an attempt. A password that was typed and is refused is corrected in its field, where it is stored from.
    init(attempt: LoginAttempt) {
        self.attempt = attempt
        givesSecrets = attempt.request.password == nil
    }

    var answersPrompts: Bool { true }
    func secret(for what: String, echoes: Bool) async -> SSHSecret? { await attempt.line(for: what, echoes: echoes) }
    func tell(_ line: String) async { await attempt.keep(line) }
    func trusts(_ question: HostKeyQuestion) async -> Bool { await attempt.agrees(to: .hostKey(question)) }
}
