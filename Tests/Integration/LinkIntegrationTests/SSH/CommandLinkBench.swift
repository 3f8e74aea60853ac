import Foundation
import IntegrationKit
import SSHTransport
import UAVLink

/// A link over a real sshd to a vehicle of rospy's on a real master.
struct CommandLinkBench: Sendable {
    let server: SSHServer
    let vehicle: RospyVehicle
    let process: ChildProcess
    let session: SSHSession
    let setup: String

    func link(
        _ kind: LinkKind = .ssh, vehicle name: String = "uav1", setup: String? = nil
    ) throws -> SSHCommandLink {
        let session = session
        let environment = EnvironmentFinder(vehicle: name, setup: setup ?? self.setup)
        return try SSHCommandLink(kind, vehicle: name, environment: environment) { _ in session }
    }

    /// What runs on the vehicle, each with what it waits for.
    func processes() async throws -> String {
        let list = "ps -ww -eo pid,ppid,stat,wchan:20,etimes,args | grep -v ' \\[' | tail -60"
        return try await session.run(list, within: .patient(seconds: 10)).outputText
    }

    /// The files of requests that were uploaded and not removed.
    func requests() async throws -> String {
        try await session.run("ls -A ~ | grep uavlink-request", within: .patient(seconds: 10)).outputText
    }

    /// How many such programs run on the vehicle for this master; those of other tests have masters of their own.
    func running(_ words: String) async throws -> Int {
        let master = vehicle.environment["ROS_MASTER_URI"] ?? ""
        let list = try await session.run(
            "for p in $(pgrep -f '\(words)'); do grep -qsa 'ROS_MASTER_URI=\(master)' /proc/$p/environ && echo $p; done",
            within: .patient(seconds: 10))
        return list.outputText.split(separator: "\n").count
    }
}

/// A program of the vehicle that starts slowly, as under load: calls of a kind wait until they are let go.
struct HeldCalls: Sendable {
    private let folder: TemporaryFolder

    /// - Parameters:
    ///   - words: what the command lines of these calls contain.
    ///   - program: whose calls they are, in `/usr/bin`.
    init(_ words: String, of program: String = "rosservice") throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            #!/bin/sh
            case "$*" in *\(words)*)
                : >'\(folder.path)/held'
                until [ -e '\(folder.path)/go' ]; do sleep 0.05; done ;;
            esac
            exec /usr/bin/\(program) "$@"
            """, to: program, mode: 0o700)
        self.folder = folder
    }

    /// A `PATH` in which it comes first.
    var path: String { folder.path + ":/usr/bin:/bin" }

    /// A set-up after which it comes first.
    func setup(after setup: String) -> String { setup + "; PATH='\(folder.path)':$PATH" }

    /// Whether one has been held.
    var hasBegun: Bool { folder.has("held") }

    /// Lets all of them go on, and later ones.
    func letGo() throws { try folder.write("", to: "go") }
}

/// - Parameter environment: what the vehicle's shells have in theirs, beside the usual.
func withCommandLinkBench(
    _ options: String..., environment: [String: String] = [:], body: (CommandLinkBench) async throws -> Void
) async throws {
    try await withSession(environment: environment) { server, session in
        try await withRospyVehicle { vehicle in
            let process = try await options.isEmpty ? vehicle.start() : vehicle.start(options[0])
            // What a profile's setup does on a real vehicle: sshd hands none of this on.
            let setup =
                vehicle.environment.filter { $0.key.hasPrefix("ROS") || $0.key == "PYTHONPATH" }
                .map { "export \($0.key)='\($0.value)'" }.sorted().joined(separator: "; ")
                + "; export PATH=/usr/bin:/bin"
            let result: Result<Void, any Error>
            do {
                result = .success(
                    try await body(
                        CommandLinkBench(
                            server: server, vehicle: vehicle, process: process, session: session, setup: setup)))
            } catch {
                result = .failure(error)
            }
            await process.stop()
            try result.get()
        }
    }
}
