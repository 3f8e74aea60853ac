internal import CLibSSH2
internal import UAVLink

/// Authenticates to the server, trying the given methods in order.
final class Authenticator {
    let transport: SessionTransport
    let clock: ConnectClock
    var endpoint: SSHEndpoint { transport.endpoint }
    /// The time with which each answer of the user is tried.
    let allowance: Duration
    /// The methods that the server offers; `nil` when authentication is complete.
    private var offered: [String]? = []
    /// Whether the server has refused something since then: after a partial success it may offer other methods.
    var isOfferStale = true
    /// The methods tried so far with their results, for the error message.
    private var tried: [String] = []
    private var hints: [String] = []
    /// How many passwords and answers of the user the server has refused, and whether the user gave none.
    private var refusals = 0
    private var hasDeclined = false

    init(_ transport: SessionTransport, clock: ConnectClock) {
        self.transport = transport
        self.clock = clock
        allowance = clock.deadline.remaining
    }

    /// - Throws: ``LinkError``: `authentication` listing the methods tried and those the server offers; `timedOut`,
    ///   `notConnected`, `cancelled`.
    func logIn(_ ways: [SSHAuthentication]) throws(LinkError) {
        var open = ways
        var underWay: SSHAuthentication?
        do throws(LinkError) {
            try updateOffer()
            while let offered, let next = open.firstIndex(where: { offered.contains($0.method) }) {
                let way = open.remove(at: next)
                underWay = way
                if try attempt(way) { return }
                underWay = nil
                // Each question counts as a failed log-in for the server, which allows six.
                if isOfferStale { try updateOffer() }
            }
        } catch {
            // A server ends the connection after too many failures.
            let farewell = transport.session.farewell
            guard error.code == .notConnected, !farewell.isEmpty else { throw error }
            if let underWay { note("\(underWay.label) (refused)") }
            throw refusal("it ended the connection (\(farewell))")
        }
        guard let offered else { return }
        for way in open {
            let words = "\(way.label) (not offered)"
            if !tried.contains(words) { tried.append(words) }
        }
        let isPasswordMissing = offered.contains("password") && !ways.contains { $0.method == "password" }
        if isPasswordMissing {
            hints.append(
                "the server takes a password: the command line asks for it on a terminal; or use --password-file")
        }
        throw refusal("the server offers \(offered.joined(separator: ", "))")
    }

    private func refusal(_ ending: String) -> LinkError {
        let attempts = tried.isEmpty ? "no method could be tried" : "tried " + tried.joined(separator: ", ")
        return LinkError(
            .authentication, "\(endpoint) refused the log-in: \(attempts); \(ending)",
            hint: hints.isEmpty ? "is the user name right?" : hints.joined(separator: "; "))
    }

    /// Asks the server which methods it offers.
    private func updateOffer() throws(LinkError) {
        var list: [String] = []
        let user = endpoint.user
        let code = try drive { handle in
            guard let text = libssh2_userauth_list(handle, user, UInt32(clamping: user.utf8.count)) else {
                return libssh2_userauth_authenticated(handle) == 1 ? 0 : libssh2_session_last_errno(handle)
            }
            list = String(cString: text).split(separator: ",").map(String.init)
            return 1
        }
        guard code == 0 || code == 1 else { throw transport.lossError(code, doing: "logging in") }
        offered = code == 0 ? nil : list
        isOfferStale = false
    }

    private func attempt(_ way: SSHAuthentication) throws(LinkError) -> Bool {
        switch way {
        case .agent(let path): return try useAgent(path)
        case .keyFile(let path, let passphrase, let source): return try useKeyFile(path, passphrase, source)
        case .standardKeyFiles(let passphrase, let source): return try useStandardKeyFiles(passphrase, source)
        case .password(let password): return try usePassword(password) == .accepted
        case .askedPassword(let source): return try askForPassword(source)
        case .keyboardInteractive(let responder):
            let outcome = try answerPrompts(1, responder)
            noteOutcome(outcome, of: way)
            return outcome == .accepted
        case .askedPrompts(let responder):
            return try askUser(way) { (number) throws(LinkError) in try answerPrompts(number, responder) }
        }
    }

    func note(_ what: String, hint: String = "") {
        if !tried.contains(what) { tried.append(what) }
        if !hint.isEmpty, !hints.contains(hint) { hints.append(hint) }
    }

    func drive(_ step: (OpaquePointer) -> Int32) throws(LinkError) -> Int32 {
        try transport.drive(until: clock.deadline, doing: "logging in", step)
    }

    // MARK: Passwords

    private func usePassword(_ password: SSHSecret) throws(LinkError) -> SecretAttempts.Outcome {
        let user = endpoint.user
        let code = try drive { handle in
            password.withCString { text, length in
                libssh2_userauth_password_ex(
                    handle, user, UInt32(clamping: user.utf8.count), text, UInt32(clamping: length), nil)
            }
        }
        if code == 0 { return .accepted }
        isOfferStale = true
        guard code == LIBSSH2_ERROR_PASSWORD_EXPIRED else {
            note("password (refused)")
            return .refused
        }
        note("password (expired)", hint: "log in with ssh once and set a new one")
        return .over
    }

    private func askForPassword(_ source: @escaping SSHSecretSource) throws(LinkError) -> Bool {
        try askUser(.askedPassword(source)) { (_) throws(LinkError) in
            guard let password = try answer(.password, source) else { return .notGiven }
            return try usePassword(password)
        }
    }

    /// Repeats a method with the answers of the user while they are refused.
    private func askUser(
        _ way: SSHAuthentication, _ attempt: (Int) throws(LinkError) -> SecretAttempts.Outcome
    ) throws(LinkError) -> Bool {
        // Who gave no answer to one method is not asked by the next one.
        guard !hasDeclined, refusals < SecretAttempts.most else { return false }
        let outcome = try SecretAttempts.run(after: refusals) { (number) throws(LinkError) in
            if number > 1 { clock.grant(allowance) }
            let outcome = try attempt(number)
            guard outcome == .refused else { return outcome }
            refusals += 1
            // Once is enough: a right password among several proofs is refused too, and then no longer offered.
            guard number == 1 else { return .refused }
            try updateOffer()
            guard let offered else { return .accepted }
            return offered.contains(way.method) ? .refused : .over
        }
        if outcome == .notGiven { hasDeclined = true }
        noteOutcome(outcome, of: way)
        return outcome == .accepted
    }

    private func noteOutcome(_ outcome: SecretAttempts.Outcome, of way: SSHAuthentication) {
        switch outcome {
        case .accepted, .over: break
        case .refused: note("\(way.label) (refused)")
        case .notGiven: note("\(way.label) (not answered)")
        }
    }

    /// The user's answer; `nil` when none is given.
    func answer(
        _ request: SSHSecretRequest, _ source: @escaping SSHSecretSource
    ) throws(LinkError) -> SSHSecret? {
        let answer = clock.ask { await source(request) } ?? nil
        try clock.check(doing: "logging in")
        return answer.flatMap { $0.isEmpty ? nil : $0 }
    }

    private func answerPrompts(
        _ number: Int, _ responder: @escaping @Sendable (SSHPromptRequest) async -> [SSHSecret]?
    ) throws(LinkError) -> SecretAttempts.Outcome {
        let clock = clock
        var hasAsked = false
        var gaveUp = false
        transport.session.promptResponder = { asked in
            if !asked.prompts.isEmpty { hasAsked = true }
            // A server may only have something to tell.
            if asked.prompts.isEmpty, asked.instruction.isEmpty, asked.name.isEmpty { return [] }
            var numbered = asked
            numbered.attempt = number
            let request = numbered
            if let answers = clock.ask({ await responder(request) }) ?? nil { return answers }
            gaveUp = true
            return []
        }
        defer { transport.session.promptResponder = nil }
        let user = endpoint.user
        let code = try drive { handle in
            libssh2_userauth_keyboard_interactive_ex(
                handle, user, UInt32(clamping: user.utf8.count), KeyboardInteractive.answer)
        }
        if code == 0 { return .accepted }
        isOfferStale = true
        let outcome = SecretAttempts.Outcome.afterRefusal(ofAnswers: hasAsked, gaveUp: gaveUp)
        if outcome == .over { note("keyboard-interactive (refused)") }
        return outcome
    }
}
