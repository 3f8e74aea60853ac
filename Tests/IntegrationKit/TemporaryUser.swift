#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A user of this machine that exists for one test only, with a password; only root can make one.
public struct TemporaryUser: Sendable {
    /// The user's name.
    public let name: String
    /// The user's password.
    public let password: String

    /// Whether such users can be made here.
    public static var canBeMade: Bool {
        getuid() == 0 && access("/usr/sbin/useradd", X_OK) == 0 && access("/usr/sbin/chpasswd", X_OK) == 0
    }

    /// Runs `body` with such a user and removes the user whatever `body` does.
    ///
    /// - Parameters:
    ///   - isOurself: whether it is another name, with a password, for the user that we are: what it starts may then
    ///     read and write what we may.
    ///   - shell: the log-in shell.
    ///   - home: the home folder, which is neither made nor removed.
    public static func with<Result: Sendable>(
        isOurself: Bool = false, shell: String = "/bin/sh", home: String = "/",
        _ body: (TemporaryUser) async throws -> Result
    ) async throws -> Result {
        let user = TemporaryUser(
            name: "uavtest\(UInt32.random(in: 100_000...999_999))", password: "pass \(UInt64.random(in: 0 ... .max))'\""
        )
        let identity = isOurself ? ["--non-unique", "--uid", "\(getuid())", "--gid", "\(getgid())"] : []
        try await run(
            ["/usr/sbin/useradd", "--no-create-home", "--home-dir", home, "--shell", shell] + identity + [user.name])
        do {
            try await run(["/usr/sbin/chpasswd"], input: "\(user.name):\(user.password)")
            let result = try await body(user)
            try await remove(user)
            return result
        } catch {
            try? await remove(user)
            throw error
        }
    }

    private static func remove(_ user: TemporaryUser) async throws {
        // A session that is just ending still counts as logged in.
        let isGone = await eventually {
            (try? await run(["/usr/sbin/userdel", "--force", user.name])) != nil
        }
        guard isGone else { throw ProcessFailure("the user \(user.name) could not be removed") }
    }

    private static func run(_ command: [String], input: String? = nil) async throws {
        let program = input == nil ? command : ["/bin/sh", "-c", "head -n 1 | \(command[0])"]
        let child = try ChildProcess(program)
        if let input { child.send(line: input) }
        let status = try await child.exit()
        guard status == 0 else { throw ProcessFailure("\(command[0]): \(child.output) \(child.errors)") }
    }
}
