import Foundation
import IntegrationKit
import MRS
import SSHTransport
import UAVLink
import VehicleAccess

/// A user of this machine with a log-in shell and a home of the test's own, as on a vehicle, with programs of ours in place of
/// ROS's: their answers say which of them has answered, and for which ROS master.
struct VehicleHome: Sendable {
    /// The user's home, with what shells treat as special in its path.
    let path: String
    /// The folder that it is in.
    let folder: TemporaryFolder
    let user: TemporaryUser
    let server: SSHServer

    /// Makes the user and the home, and runs `body` with a real server that lets the user in.
    ///
    /// - Parameter environment: what each log-in has in its environment, made with a folder of the test's own.
    static func with(
        shell: String, environment: (String) -> [String: String] = { _ in [:] },
        _ body: (VehicleHome) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/it's a \"home\" of $x"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
        let variables = environment(folder.path).merging(["LC_ALL": "C.UTF-8"]) { given, _ in given }
        let setting = "SetEnv " + variables.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
        try await TemporaryUser.with(shell: shell, home: path) { user in
            // fish writes into it.
            try FileManager.default.setAttributes([.ownerAccountName: user.name], ofItemAtPath: path)
            try await withSSHServer(options: ["PasswordAuthentication yes", setting]) { server in
                try await body(VehicleHome(path: path, folder: folder, user: user, server: server))
            }
        }
    }

    /// A session of the user.
    func session() async throws -> SSHSession {
        try await SSHSession.connect(
            to: SSHEndpoint(host: "127.0.0.1", port: server.port, user: user.name),
            authentication: [.password(SSHSecret(user.password))], hostKeys: HostKeyPolicy(files: [server.knownHosts]),
            within: .patient(seconds: 20))
    }

    /// A connector of the user's vehicle.
    func connector(setup: String = "", companion: String = VehicleProfile.usualCompanion) throws -> VehicleConnector {
        var profile = VehicleProfile(name: "vehicle")
        profile.host = "127.0.0.1"
        profile.port = Int(server.port)
        profile.user = user.name
        profile.setup = setup
        profile.companion = companion
        profile.knownHosts = server.knownHosts
        profile.passwordFile = try server.folder.write(user.password + "\n", to: "password")
        return VehicleConnector(profile: profile, credentials: Credentials(), environment: [:])
    }

    /// Writes a file that the user can read, and run if it is a script.
    func write(_ text: String, to name: String) throws {
        let file = name.hasPrefix("/") ? name : path + "/" + name
        let isWritten = FileManager.default.createFile(
            atPath: file, contents: Data(text.utf8), attributes: [.posixPermissions: 0o755])
        guard isWritten else { throw ProcessFailure("cannot write \(file)") }
    }

    /// Makes an installation in a folder of the home, or in another one; its setup file is one for bash only.
    func makeROS(_ tag: String, in place: String) throws {
        let root = place.hasPrefix("/") ? place : path + "/" + place
        for part in ["bin", "lib/mrs_msgs"] {
            try FileManager.default.createDirectory(
                atPath: "\(root)/\(part)", withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o755])
        }
        try write("", to: root + "/.catkin")
        try write(
            """
            #!/bin/sh
            case $1 in
                type) echo std_srvs/Trigger ;;
                *) printf 'success: True\\nmessage: "%s"\\n' "\(tag) $ROS_MASTER_URI" ;;
            esac

            """, to: root + "/bin/rosservice")
        try write("#!/bin/sh\nexit 1\n", to: root + "/bin/rostopic")
        try write(
            """
            here=("$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)")
            [[ -d ${here[0]}/bin ]] || return 1
            export PATH="${here[0]}/bin:$PATH" PYTHONPATH="${here[0]}/lib" ROS_DISTRO=\(tag) ROS_VERSION=1
            export ROS_MASTER_URI="${ROS_MASTER_URI:-http://\(tag):11311}"

            """, to: root + "/setup.bash")
    }

    /// A program that runs as the user until its channel closes, started as roslaunch starts one.
    ///
    /// - Parameter place: where its ROS is.
    func start(
        _ program: String, _ arguments: [String], in place: String, _ variables: [String: String],
        over session: SSHSession
    ) async throws -> SSHChannel {
        try write("#!/bin/sh\necho up\ncat >/dev/null\n", to: program)
        let root = path + "/" + place
        var lines = variables.sorted { $0.key < $1.key }.map { "export \($0.key)=\(RemoteShell.word($0.value))" }
        let (programs, modules) = (RemoteShell.word(root + "/bin"), RemoteShell.word(root + "/lib"))
        lines.append("export PATH=\(programs):\"$PATH\" PYTHONPATH=\(modules)")
        lines.append("exec " + ([path + "/" + program] + arguments).map(RemoteShell.word).joined(separator: " "))
        let line = RemoteShell.line(running: lines.joined(separator: "\n"))
        let channel = try await session.start(line, within: .patient(seconds: 10))
        // It is what it is to be before it says so.
        var output: [UInt8] = []
        while !output.starts(with: Array("up\n".utf8)) {
            guard let chunk = try await channel.read(within: .patient(seconds: 10)) else {
                throw ProcessFailure("\(program) did not start")
            }
            if chunk.stream == .output { output += chunk.bytes }
        }
        return channel
    }
}
