#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
package import SSHTransport
internal import SystemKit
package import UAVLink

/// How to authenticate, and which hosts to trust.
package struct Credentials: Sendable {
    /// The password typed by the user; then it alone is tried, so that a wrong one is reported. It is also the passphrase of
    /// the profile's encrypted key files.
    package var password: SSHSecret?
    /// A file with the password on its first line, readable by its user only.
    package var passwordFile: String?
    /// Whether the key of an unknown host is accepted without asking.
    package var acceptsNewHostKey: Bool
    /// The user to ask, if there is one.
    package var userPrompt: (any UserPrompt)?
    /// What the user has answered, shared by all log-ins with these credentials.
    private let answers = AnsweredSecrets()
    /// How long the user was waited for by all log-ins with these credentials.
    var times = PromptTimes()
    /// The time of all answers so far, which is no time of the log-ins.
    package var timeAtPrompts: Duration { times.total }

    package init(
        password: SSHSecret? = nil, passwordFile: String? = nil, acceptsNewHostKey: Bool = false,
        userPrompt: (any UserPrompt)? = nil
    ) {
        self.password = password
        self.passwordFile = passwordFile
        self.acceptsNewHostKey = acceptsNewHostKey
        self.userPrompt = userPrompt
    }

    /// The authentication methods in the order in which they are tried.
    ///
    /// - Throws: ``LinkError`` for a password file that cannot be read or that others can read.
    func authentication(for profile: VehicleProfile, at endpoint: SSHEndpoint) throws(LinkError) -> [SSHAuthentication]
    {
        var stored = password
        if stored == nil { stored = try storedPassword(of: profile) }
        var questions: LogInQuestions?
        var asking: SSHSecretSource?
        if let userPrompt, userPrompt.answersPrompts {
            let asked = LogInQuestions(TimedPrompt(userPrompt, times), answers, endpoint: endpoint, stored: stored)
            questions = asked
            if userPrompt.givesSecrets { asking = { await asked.secret($0) } }
        }
        let identities = profile.identities.map { Self.expandingHome($0) }
        var ways: [SSHAuthentication] = []
        if let stored {
            for path in identities where (try? KeyFile(path: path))?.isEncrypted == true {
                ways.append(.keyFile(path: path, passphrase: stored))
            }
            // A user at hand answers the server's prompts: not each of them asks for the password.
            if questions == nil {
                ways += SSHAuthentication.anyPassword(stored)
            } else {
                ways.append(.password(stored))
            }
        } else if identities.isEmpty {
            ways = [.agent(), .standardKeyFiles(asking: asking)]
        } else {
            ways = identities.map { .keyFile(path: $0, asking: asking) }
        }
        if let questions, let asking {
            ways.append(.askedPrompts { await questions.answers(to: $0) })
            ways.append(.askedPassword(asking))
        } else if let questions {
            // Once: a wrong password is corrected where it was typed, and then the other prompts are answered again.
            ways.append(.keyboardInteractive { await questions.answers(to: $0) })
        }
        return ways
    }

    /// A secret that is not of a log-in, such as the passphrase of a network: from the password file that was given, else asked for.
    ///
    /// - Parameter what: the question.
    /// - Returns: `nil` if there is nobody to ask, or no answer.
    /// - Throws: ``LinkError`` for a password file that cannot be read or that others can read.
    package func secret(for what: String) async throws(LinkError) -> SSHSecret? {
        if let passwordFile { return try Self.password(in: passwordFile) }
        guard let userPrompt, userPrompt.givesSecrets else { return nil }
        return await userPrompt.secret(for: what, echoes: false)
    }

    private func storedPassword(of profile: VehicleProfile) throws(LinkError) -> SSHSecret? {
        guard let path = passwordFile ?? profile.passwordFile else { return nil }
        return try Self.password(in: path)
    }

    /// Which host keys are trusted.
    func hostKeys(for profile: VehicleProfile) -> HostKeyPolicy {
        var policy = HostKeyPolicy.standard(.refuse)
        if let file = profile.knownHosts { policy.files = [Self.expandingHome(file)] }
        if acceptsNewHostKey {
            policy.unknown = .acceptNew
        } else if let userPrompt {
            let user = TimedPrompt(userPrompt, times)
            policy.unknown = .ask { await user.trusts($0) }
        }
        return policy
    }

    /// Maximum length of the first line, bytes.
    private static let longestPassword = 1024

    private static func password(in path: String) throws(LinkError) -> SSHSecret {
        let path = expandingHome(path)
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw LinkError(
                .invalidInput, "cannot read the password file \(path)",
                hint: "check its \(errno == EACCES ? "mode" : "path")")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & 0o077 == 0 else {
            throw LinkError(
                .invalidInput, "others can read the password file \(path)", hint: "chmod 600 it")
        }
        // In memory of its own, which is wiped.
        let secret = withUnsafeTemporaryAllocation(byteCount: longestPassword + 1, alignment: 1) { buffer in
            defer { wipe(buffer) }
            var count = 0
            while count < buffer.count {
                let more = systemRead(descriptor, UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
                if more < 0, errno == EINTR { continue }
                guard more >= 0 else { return Result<SSHSecret?, LinkError>.failure(unreadable(path)) }
                guard more > 0 else { break }
                count += more
            }
            return .success(firstLine(of: UnsafeRawBufferPointer(rebasing: buffer[..<count])))
        }
        guard let secret = try secret.get() else {
            throw LinkError(.invalidInput, "the password file \(path) has no password on its first line")
        }
        return secret
    }

    private static func unreadable(_ path: String) -> LinkError {
        LinkError(.invalidInput, "cannot read the password file \(path)", hint: "check its mode")
    }

    private static func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
        read(descriptor, buffer.baseAddress, buffer.count)
    }

    private static func wipe(_ buffer: UnsafeMutableRawBufferPointer) {
        #if canImport(Glibc)
            if let base = buffer.baseAddress { explicit_bzero(base, buffer.count) }
        #else
            _ = buffer.baseAddress.map { memset_s($0, buffer.count, 0, buffer.count) }
        #endif
    }

    /// The password; `nil` if the line is empty or too long.
    private static func firstLine(of bytes: UnsafeRawBufferPointer) -> SSHSecret? {
        let line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
        return line.isEmpty || line.count > longestPassword ? nil : SSHSecret(line)
    }

    static func expandingHome(_ path: String) -> String {
        FilePath.expandingHome(path)
    }
}
