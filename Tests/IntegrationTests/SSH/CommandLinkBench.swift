import Foundation
import IntegrationKit
import SSHTransport

/// A link over a real sshd to a vehicle of rospy's on a real master.
struct CommandLinkBench: Sendable {
    let server: SSHServer
    let vehicle: RospyVehicle
    let process: ChildProcess
    let session: SSHSession
    let setup: String

    func link(vehicle name: String = "uav1", setup: String? = nil) throws -> SSHCommandLink {
        let session = session
        return try SSHCommandLink(vehicle: name, setup: setup ?? self.setup) { _ in session }
    }

    /// What runs on the vehicle, each with what it waits for.
    func processes() async throws -> String {
        let list = "ps -ww -eo pid,ppid,stat,wchan:20,etimes,args | grep -v ' \\[' | tail -60"
        return try await session.run(list, within: .patient(seconds: 10)).outputText
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

func withCommandLinkBench(_ options: String..., body: (CommandLinkBench) async throws -> Void) async throws {
    try await withSession { server, session in
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
