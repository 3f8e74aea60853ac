import Deployment
import Foundation
import IntegrationKit
import UAVLink
import VehicleAccess

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A vehicle's computer for deployments: a real sshd, a home of the test's own, and no ROS master.
struct DeployComputer: Sendable {
    /// Another name than other tests' vehicles have, whose companions may run on this machine at the same time.
    static let vehicle = "uav61"

    let server: SSHServer
    /// Everything else lies here: the home, tools that come first on the `PATH`, programs to be deployed.
    let folder: TemporaryFolder
    /// Who logs in, with a password; `nil` for the current user with a key.
    var user: TemporaryUser?

    var home: String { folder.path + "/home" }
    var tools: String { folder.path + "/tools" }
    var runtime: String { folder.path + "/run" }

    /// Makes one, runs `body` with it and ends all that was started there.
    ///
    /// - Parameters:
    ///   - user: who logs in; `nil` for the current user.
    ///   - folder: a folder of ``makeFolder()``; `nil` for a new one.
    ///   - options: lines of `sshd_config`.
    static func with(
        user: TemporaryUser? = nil, folder given: TemporaryFolder? = nil, options: [String] = [],
        _ body: (DeployComputer) async throws -> Void
    ) async throws {
        let folder = try given ?? makeFolder()
        let environment = [
            "HOME": folder.path + "/home", "PATH": "\(folder.path)/tools:/usr/bin:/bin",
            "UAVLINK_RUNTIME_DIR": folder.path + "/run", "ROS_MASTER_URI": "http://127.0.0.1:1",
        ]
        let passwords = user == nil ? [] : ["PasswordAuthentication yes"]
        try await withSSHServer(options: options + passwords, environment: environment) { server in
            let computer = DeployComputer(server: server, folder: folder, user: user)
            do {
                try await body(computer)
                await computer.endCompanion()
            } catch {
                await computer.endCompanion()
                throw error
            }
        }
    }

    /// A folder with a home, which another user may enter.
    static func makeFolder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let files = FileManager.default
        try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
        for (name, mode) in [("home", 0o755), ("tools", 0o755), ("run", 0o700)] {
            try files.createDirectory(
                atPath: folder.file(name), withIntermediateDirectories: false,
                attributes: [.posixPermissions: mode])
        }
        return folder
    }

    /// The process of the companion that a bootstrap has started there, whatever its program is called; `nil` when none runs.
    var companion: Int32? {
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return folders.compactMap { Int32($0) }.first { process in
            let words = (FileManager.default.contents(atPath: "/proc/\(process)/cmdline") ?? Data())
                .split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
            return words.dropFirst().first == "run" && words.contains(runtime)
        }
    }

    /// Ends it, if it runs, and waits until it is gone.
    func endCompanion() async {
        guard let process = companion else { return }
        kill(process, SIGTERM)
        _ = await eventually { companion == nil }
    }

    /// A way to it.
    func connector(_ change: (inout VehicleProfile) -> Void = { _ in }) throws -> VehicleConnector {
        var profile = VehicleProfile(name: "deploy")
        profile.host = "127.0.0.1"
        profile.port = Int(server.port)
        profile.user = user?.name ?? server.user
        profile.vehicle = Self.vehicle
        profile.bindAddress = "127.0.0.1"
        profile.knownHosts = server.knownHosts
        if let user {
            profile.passwordFile = try server.folder.write(user.password + "\n", to: "password")
        } else {
            profile.identities = [server.userKey]
        }
        change(&profile)
        return VehicleConnector(profile: profile, credentials: Credentials(), environment: [:])
    }

    /// A program that says this version, and otherwise does what the companion of this build does.
    func standIn(_ version: String, padding: Int = 0) throws -> String {
        let text = """
            #!/bin/sh
            [ "$1" != --version ] || { echo 'uavlink-companion \(version)'; exit; }
            exec '\(try BuiltPrograms.path("uavlink-companion"))' "$@"

            """
        let fill = String(repeating: "#" + String(repeating: "x", count: 1022) + "\n", count: padding / 1024)
        return try folder.write(text + fill, to: "stand-in-\(version)-\(padding)", mode: 0o755)
    }

    /// Deploys a program, or does what the options say; by force, since no flight stack says that the vehicle is on the ground.
    @discardableResult
    func deploy(
        _ program: String? = nil, _ options: DeploymentOptions = DeploymentOptions(),
        tell: @escaping @Sendable (DeploymentEvent) -> Void = { _ in }
    ) async throws -> DeploymentReport {
        let connector = try connector()
        var options = options
        options.isForced = true
        let outcome: Result<DeploymentReport, any Error>
        do {
            let deployment = try Deployment(
                over: connector, files: CompanionFiles(named: program, environment: [:], executable: nil),
                timeout: .patient(seconds: 20))
            outcome = .success(try await deployment.run(options, tell: tell))
        } catch {
            outcome = .failure(error)
        }
        await connector.close()
        return try outcome.get()
    }

    /// The failure of a deployment.
    func failure(
        _ program: String? = nil, _ options: DeploymentOptions = DeploymentOptions(),
        tell: @escaping @Sendable (DeploymentEvent) -> Void = { _ in }
    ) async -> DeploymentFailure? {
        do {
            try await deploy(program, options, tell: tell)
            return nil
        } catch {
            return error as? DeploymentFailure
        }
    }

    /// Whether a ground that knows nothing of the deployment opens the channel.
    func opensChannel() async throws -> Bool {
        let connector = try connector()
        let link = try? await connector.connect(.only(.udp), within: .patient(seconds: 20))
        await link?.close()
        await connector.close()
        return link != nil
    }

    /// All that is in the home, and where the links lead.
    func listing() throws -> [String] {
        let files = FileManager.default
        return try files.subpathsOfDirectory(atPath: home).sorted().map { name in
            let target = try? files.destinationOfSymbolicLink(atPath: "\(home)/\(name)")
            return name + (target.map { " -> \($0)" } ?? "")
        }
    }

    /// Runs `body` with a file system of its own at a place, as root only.
    static func withMount(_ options: String, at place: String, _ body: () async throws -> Void) async throws {
        let mount = try ChildProcess(["/bin/mount", "-t", "tmpfs", "-o", options, "tmpfs", place])
        guard try await mount.exit() == 0 else {
            return print("➜ a file system with '\(options)' is skipped: \(mount.errors)")
        }
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
        let umount = try ChildProcess(["/bin/umount", "--lazy", place])
        _ = try await umount.exit()
        try outcome.get()
    }
}
