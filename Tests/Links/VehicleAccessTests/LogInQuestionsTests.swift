import Synchronization
import Testing
import UAVLink

@testable import SSHTransport
@testable import VehicleAccess

/// What the user is asked for while a link is opened.
@Suite struct LogInQuestionsTests {
    private static let endpoint = SSHEndpoint(host: "hexa1", user: "mrs")

    /// A user who gives these answers in turn, and none after them.
    private final class Typist: UserPrompt {
        let givesSecrets: Bool
        let answersPrompts: Bool
        private let answers: Mutex<[String]>
        private let seen = Mutex<[String]>([])

        init(_ answers: String..., givesSecrets: Bool = true, answersPrompts: Bool? = nil) {
            self.answers = Mutex(answers)
            self.givesSecrets = givesSecrets
            self.answersPrompts = answersPrompts ?? givesSecrets
        }

        /// The questions, a visible one with a `+`, and what was reported, with a `*`.
        var shown: [String] { seen.withLock { $0 } }

        func secret(for what: String, echoes: Bool) async -> SSHSecret? {
            seen.withLock { $0.append((echoes ? "+" : "") + what) }
            return answers.withLock { $0.isEmpty ? nil : SSHSecret($0.removeFirst()) }
        }
        func tell(_ line: String) async { seen.withLock { $0.append("*" + line) } }
        func trusts(_ question: HostKeyQuestion) async -> Bool { false }
    }

    private func ways(
        _ credentials: Credentials, _ change: (inout VehicleProfile) -> Void = { _ in }
    ) throws -> [SSHAuthentication] {
        var profile = VehicleProfile(name: "hexa1")
        change(&profile)
        return try credentials.authentication(for: profile, at: Self.endpoint)
    }

    /// The source of the password in these ways.
    private func asking(_ ways: [SSHAuthentication]) throws -> SSHSecretSource {
        let sources = ways.compactMap { way -> SSHSecretSource? in
            guard case .askedPassword(let source) = way else { return nil }
            return source
        }
        return try #require(sources.first)
    }

    private func answering(
        _ ways: [SSHAuthentication]
    ) throws -> @Sendable (SSHPromptRequest) async -> [SSHSecret]? {
        let answers = ways.compactMap { way -> (@Sendable (SSHPromptRequest) async -> [SSHSecret]?)? in
            guard case .askedPrompts(let answer) = way else { return nil }
            return answer
        }
        return try #require(answers.first)
    }

    private func text(_ secret: SSHSecret?) -> String? { secret?.withBytes { String(decoding: $0, as: UTF8.self) } }

    private func request(
        _ prompts: [(String, Bool)], _ instruction: String = "", attempt: Int = 1
    ) -> SSHPromptRequest {
        SSHPromptRequest(
            name: "", instruction: instruction,
            prompts: prompts.map { SSHPromptRequest.Prompt(text: $0.0, echoes: $0.1) }, attempt: attempt)
    }

    @Test func `a password is asked for after keys and the server's prompts, and only of a user`() throws {
        #expect(try ways(Credentials()).map(\.method) == ["publickey", "publickey"])
        #expect(
            try ways(Credentials(userPrompt: Typist())).map(\.method) == [
                "publickey", "publickey", "keyboard-interactive", "password",
            ])
        let silent = Credentials(userPrompt: Typist(givesSecrets: false))
        #expect(try ways(silent).map(\.method) == ["publickey", "publickey"])
    }

    @Test func `a stored password is tried first`() async throws {
        let user = Typist("right")
        let ways = try ways(Credentials(password: SSHSecret("stored"), userPrompt: user))
        #expect(ways.map(\.method) == ["password", "keyboard-interactive", "password"])
        guard case .password(let first) = ways[0] else {
            Issue.record("\(ways[0].method)")
            return
        }
        #expect(text(first) == "stored")
        #expect(try await text(asking(ways)(.password)) == "right")
        #expect(
            user.shown == ["*mrs@hexa1 did not accept the stored password.", "password of mrs@hexa1:"])
    }

    @Test func `without a user a stored password is all that is tried`() throws {
        #expect(
            try ways(Credentials(password: SSHSecret("stored"))).map(\.method) == ["password", "keyboard-interactive"])
    }

    @Test func `several log-ins ask once`() async throws {
        let user = Typist("secret")
        let credentials = Credentials(userPrompt: user)
        for _ in 0..<3 {
            #expect(try await text(asking(ways(credentials))(.password)) == "secret")
        }
        #expect(user.shown == ["password of mrs@hexa1:"])
        // What is asked for while the question is open waits for its answer.
        let both = Typist("secret")
        let shared = Credentials(userPrompt: both)
        let (one, other) = (try asking(ways(shared)), try asking(ways(shared)))
        async let first = one(.password)
        async let second = other(.password)
        let answers = await [first, second]
        #expect(answers.map { text($0) } == ["secret", "secret"])
        #expect(both.shown == ["password of mrs@hexa1:"])
    }

    @Test func `a refused answer is asked for again, for later log-ins too`() async throws {
        let user = Typist("wrong", "right")
        let credentials = Credentials(userPrompt: user)
        let first = try asking(ways(credentials))
        #expect(await text(first(.password)) == "wrong")
        #expect(await text(first(.password)) == "right")
        #expect(try await text(asking(ways(credentials))(.password)) == "right")
        #expect(
            user.shown == [
                "password of mrs@hexa1:", "*That was not accepted; try again.", "password of mrs@hexa1:",
            ])
    }

    @Test func `who gives no answer is not asked again`() async throws {
        let user = Typist()
        let credentials = Credentials(userPrompt: user)
        #expect(try await text(asking(ways(credentials))(.password)) == nil)
        #expect(try await text(asking(ways(credentials))(.password)) == nil)
        #expect(user.shown.count == 1)
    }

    @Test func `a passphrase is asked for with the key's path`() async throws {
        let user = Typist("open sesame")
        let ways = try ways(Credentials(userPrompt: user)) { $0.identities = ["/keys/hexa"] }
        guard case .keyFile(let path, nil, let source?) = ways[0] else {
            Issue.record("\(ways[0].label)")
            return
        }
        #expect(path == "/keys/hexa")
        #expect(await text(source(.passphrase(path: path))) == "open sesame")
        #expect(user.shown == ["passphrase of /keys/hexa:"])
    }

    @Test func `the server's prompts are shown and answered, one-time codes each time`() async throws {
        let user = Typist("secret", "123456", "654321")
        let credentials = Credentials(userPrompt: user)
        let code = [("Password: ", false), ("Verification code: ", true)]
        let first = try await answering(ways(credentials))(request(code, "Welcome.\nUse your token."))
        #expect(first?.map { text($0) } == ["secret", "123456"])
        // A second connection.
        let second = try await answering(ways(credentials))(request(code))
        #expect(second?.map { text($0) } == ["secret", "654321"])
        #expect(
            user.shown == [
                "*Welcome.", "*Use your token.", "password of mrs@hexa1:", "+mrs@hexa1: Verification code:",
                "+mrs@hexa1: Verification code:",
            ])
    }

    @Test func `only what asks for the password gets the stored one`() async throws {
        let user = Typist("1", "2", "3", "right")
        let answer = try answering(ways(Credentials(password: SSHSecret("stored"), userPrompt: user)))
        let prompts = ["(mrs@hexa1) Password: ", "One-time password: ", "New password: ", "Code: "].map { ($0, false) }
        let answers = await answer(request(prompts))
        #expect(answers?.map { text($0) } == ["stored", "1", "2", "3"])
        let again = await answer(request([prompts[0]], attempt: 2))
        #expect(again?.map { text($0) } == ["right"])
    }

    @Test func `who only answers prompts is asked for codes, and for an unknown password`() async throws {
        let user = Typist("123456", "typed", givesSecrets: false, answersPrompts: true)
        func responder(_ credentials: Credentials) throws -> @Sendable (SSHPromptRequest) async -> [SSHSecret]? {
            guard case .keyboardInteractive(let answer)? = try ways(credentials).last else {
                throw LinkError(.internalFault, "no prompts are answered")
            }
            return answer
        }
        let withPassword = Credentials(password: SSHSecret("form"), userPrompt: user)
        #expect(try ways(withPassword).map(\.method) == ["password", "keyboard-interactive"])
        let prompts = [("Password: ", false), ("Verification code: ", true)]
        let answers = try await responder(withPassword)(request(prompts, "Welcome."))
        #expect(answers?.map { text($0) } == ["form", "123456"])
        let withKeys = Credentials(userPrompt: user)
        #expect(try ways(withKeys).map(\.method) == ["publickey", "publickey", "keyboard-interactive"])
        let typed = try await responder(withKeys)(request([prompts[0]]))
        #expect(typed?.map { text($0) } == ["typed"])
        #expect(user.shown == ["*Welcome.", "+mrs@hexa1: Verification code:", "mrs@hexa1: Password:"])
    }

    @Test func `no answer to a prompt ends the method`() async throws {
        let answer = try answering(ways(Credentials(userPrompt: Typist())))
        #expect(await answer(request([("Code: ", false)]))?.count == nil)
        #expect(await answer(request([], "Your account expires."))?.count == 0)
    }
}
