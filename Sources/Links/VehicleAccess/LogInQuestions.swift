package import SSHTransport
internal import Synchronization

/// A user who can be asked while a link is opened.
package protocol UserPrompt: Sendable {
    /// Whether the user can be asked for the password and for passphrases, and again if they are refused.
    var givesSecrets: Bool { get }
    /// Whether the user can be asked what a server prompts for, such as a one-time code; by default as
    /// ``givesSecrets``. If neither, ``secret(for:echoes:)`` is not called.
    var answersPrompts: Bool { get }
    /// Asks for one line; `nil` if none is given, or the task is cancelled.
    ///
    /// - Parameters:
    ///   - what: the question, untrusted.
    ///   - echoes: whether the answer may be seen while it is typed.
    func secret(for what: String, echoes: Bool) async -> SSHSecret?
    /// Shows a line, untrusted.
    func tell(_ line: String) async
    /// Asks whether a host's key is to be trusted from now on.
    func trusts(_ question: HostKeyQuestion) async -> Bool
}

extension UserPrompt {
    /// As ``givesSecrets``.
    package var answersPrompts: Bool { givesSecrets }
}

/// The questions of one log-in to the user.
final class LogInQuestions: Sendable {
    private let user: any UserPrompt
    private let answered: AnsweredSecrets
    private let endpoint: SSHEndpoint
    /// A password that is known already.
    private let stored: SSHSecret?
    /// The answers that this log-in has used, by question: one that is asked for again was refused.
    private let used = Mutex<[String: SSHSecret]>([:])

    init(_ user: any UserPrompt, _ answered: AnsweredSecrets, endpoint: SSHEndpoint, stored: SSHSecret?) {
        self.user = user
        self.answered = answered
        self.endpoint = endpoint
        self.stored = stored
    }

    /// Gets a secret from the user, or from an earlier log-in.
    func secret(_ request: SSHSecretRequest) async -> SSHSecret? {
        switch request {
        case .password:
            let hint = stored == nil ? nil : "\(endpoint) did not accept the stored password."
            return await secret("password of \(endpoint):", hint)
        case .passphrase(let path): return await secret("passphrase of \(path):", nil)
        }
    }

    /// - Parameter hint: why it is asked for the first time.
    private func secret(_ question: String, _ hint: String?) async -> SSHSecret? {
        let refused = used.withLock { $0[question] }
        let user = user
        let answer = await answered.secret(question, otherThan: refused) {
            if refused != nil {
                await user.tell("That was not accepted; try again.")
            } else if let hint {
                await user.tell(hint)
            }
            return await user.secret(for: question, echoes: false)
        }
        if let answer { used.withLock { $0[question] = answer } }
        return answer
    }

    /// Answers the prompts of a server: those for the password with it, all others by the user, each time.
    func answers(to request: SSHPromptRequest) async -> [SSHSecret]? {
        for line in [request.name, request.instruction].flatMap({ $0.split(whereSeparator: \.isNewline) }) {
            await user.tell(String(line))
        }
        var answers: [SSHSecret] = []
        for prompt in request.prompts {
            guard let answer = await answer(to: prompt, attempt: request.attempt) else { return nil }
            answers.append(answer)
        }
        return answers
    }

    private func answer(to prompt: SSHPromptRequest.Prompt, attempt: Int) async -> SSHSecret? {
        if prompt.asksForPassword {
            if let stored, attempt == 1 { return stored }
            if user.givesSecrets { return await secret(.password) }
        }
        return await user.secret(for: "\(endpoint): \(prompt.text.trimmed)", echoes: prompt.echoes)
    }
}

/// The secrets that the user has given: each is asked for once, however often a command logs in.
actor AnsweredSecrets {
    private enum Answer {
        case given(SSHSecret)
        case declined
    }

    private var known: [String: Answer] = [:]
    private var open: Task<SSHSecret?, Never>?

    /// The answer to a question: the known one, else what `ask` gets; one question at a time.
    ///
    /// - Parameter refused: an answer that was wrong.
    func secret(
        _ question: String, otherThan refused: SSHSecret?, ask: @escaping @Sendable () async -> SSHSecret?
    ) async -> SSHSecret? {
        while let open { _ = await open.value }
        switch known[question] {
        case .declined?: return nil
        case .given(let secret)? where secret !== refused: return secret
        case .given?, nil: break
        }
        let asking = Task {
            let answer = await ask()
            // Before those who wait for it go on.
            open = nil
            if let answer {
                known[question] = .given(answer)
            } else if !Task.isCancelled {
                known[question] = .declined
            }
            return answer
        }
        open = asking
        return await withTaskCancellationHandler {
            await asking.value
        } onCancel: {
            asking.cancel()
        }
    }
}

extension SSHPromptRequest.Prompt {
    /// Whether it asks for the user's password, not for a one-time code or a new password. Servers name it so.
    fileprivate var asksForPassword: Bool {
        let words = text.lowercased().split { !$0.isLetter }
        return !echoes && words.last == "password" && !words.contains("new") && !words.contains("time")
    }
}

extension String {
    fileprivate var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
