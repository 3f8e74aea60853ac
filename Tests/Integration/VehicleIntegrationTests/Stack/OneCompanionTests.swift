import Foundation
import IntegrationKit
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Companions for one vehicle of one ROS graph that do not share a runtime directory, as those of two log-ins, or of cron and SSH.
@Suite("One companion", .serialized, .timeLimit(.minutes(MachinePace.minutes(2)))) struct OneCompanionTests {
    /// What one log-in has: a runtime directory of its own.
    private struct LogIn {
        let folder: TemporaryFolder
        let environment: [String: String]

        init(_ master: ROSMasterProcess, masterURI: String? = nil) throws {
            folder = try TemporaryFolder()
            environment = master.environment.merging(
                ["XDG_RUNTIME_DIR": folder.path, "ROS_MASTER_URI": masterURI ?? master.uri]) { $1 }
        }

        func companion(_ arguments: String...) throws -> ChildProcess {
            try ChildProcess([BuiltPrograms.path("uavlink-companion")] + arguments, environment: environment)
        }

        /// Starts a companion and waits until it listens.
        func started() async throws -> ChildProcess {
            let child = try companion("run")
            _ = try await child.line(ofErrorsContaining: "for uav1: udp")
            return child
        }
    }

    @Test func `the second log-in is given a session of the first one's companion`() async throws {
        try await withROSMaster { master in
            let (first, second) = (try LogIn(master), try LogIn(master))
            let running = try await first.started()
            let bootstrap = try second.companion("bootstrap")
            #expect(try await bootstrap.exit() == 0, "\(bootstrap.errors)")
            let listens = running.errors.components(separatedBy: "for uav1: ").last ?? ""
            let port = try #require(listens.wholeMatch(of: /udp ([0-9]+), tcp [0-9]+\n(.|\n)*/)?.1)
            #expect(bootstrap.output.contains(" udp=\(port) "), "\(bootstrap.output) \(listens)")
            // It is also asked and ended from there.
            let status = try second.companion("status")
            #expect(
                try await status.exit() == 0 && status.output.contains("\"udp_port\": \(port),"), "\(status.output)")
            let stop = try second.companion("stop")
            #expect(try await stop.exit() == 0, "\(stop.errors)")
            #expect(try await running.exit() == 0, "\(running.errors)")
        }
    }

    @Test func `one that is started beside it is refused with the place of the first`() async throws {
        try await withROSMaster { master in
            let (first, second) = (try LogIn(master), try LogIn(master))
            let running = try await first.started()
            let other = try second.companion("run")
            #expect(try await other.exit() == 3, "\(other.errors)")
            let pid = try #require(running.pid)
            #expect(other.errors.contains("another companion for uav1 runs on this host"), "\(other.errors)")
            #expect(other.errors.contains("process \(pid)"), "\(other.errors)")
            #expect(other.errors.contains("\(first.folder.path)/uavlink/uav1.sock"), "\(other.errors)")
            // A companion that is killed leaves nothing behind.
            running.signal(SIGKILL)
            _ = try await running.exit()
            let next = try await second.started()
            next.signal(SIGTERM)
            #expect(try await next.exit() == 0, "\(next.errors)")
        }
    }

    /// It may fly the vehicle; one that joined under its name would have the master end it.
    @Test func `one that is registered from a host that cannot be reached keeps its place in the graph`() async throws {
        try await withROSMaster { master in
            let program = """
                import sys, xmlrpc.client
                node = ('/uavlink_companion_uav1', '/x', 'std_msgs/String', 'http://192.0.2.1:9/')
                print(xmlrpc.client.ServerProxy(sys.argv[1]).registerPublisher(*node))
                """
            let first = try ChildProcess(["/usr/bin/python3", "-c", program, master.uri])
            #expect(try await first.exit() == 0, "\(first.errors)")
            let other = try await LogIn(master).started()
            let refusal = try await other.line(ofErrorsContaining: "and does not answer")
            #expect(refusal.contains("192.0.2.1") && refusal.contains("rosnode cleanup"), "\(refusal)")
            other.signal(SIGTERM)
            #expect(try await other.exit() == 0, "\(other.errors)")
        }
    }

    /// What a service manager restarts (`Restart=on-failure`) is what ends with another code than 0.
    @Test func `one whose node is shut down by another ends as a failure, and leaves its place`() async throws {
        try await withROSMaster { master in
            let logIn = try LogIn(master)
            let vehicle = try ChildProcess(
                [BuiltPrograms.path("uavlink-sim"), "--uav", "uav1"], environment: master.environment)
            _ = try await vehicle.line(ofErrorsContaining: "ready")
            let running = try await logIn.started()
            _ = try await running.line(ofErrorsContaining: "connected to uav1 over ros")
            // As `rosnode kill` does, which says 'killed' whatever the node answers.
            let program = """
                import sys, xmlrpc.client
                node = xmlrpc.client.ServerProxy(sys.argv[1]).lookupNode('/test', '/uavlink_companion_uav1')
                print(node, xmlrpc.client.ServerProxy(node[2]).shutdown('/test', 'user request'))
                """
            let kill = try master.python(program, [master.uri])
            #expect(try await kill.exit() == 0, "\(kill.output) \(kill.errors)")
            #expect(kill.output.contains("[1, "), "\(kill.output)")
            let status = try await running.exit()
            #expect(status > 0, "\(status) \(running.errors)")
            #expect(running.errors.contains("its ROS node was shut down by another node"), "\(running.errors)")
            let next = try await logIn.started()
            next.signal(SIGTERM)
            #expect(try await next.exit() == 0, "\(next.errors)")
            await vehicle.stop()
        }
    }

    /// Its ticket could send the ground to another vehicle, and beside it a second companion could fly.
    @Test(.enabled(if: TemporaryUser.canBeMade, "root is needed to make a user"))
    func `one of another user is neither used nor joined, and the message has its process and user`() async throws {
        try await TemporaryUser.with { user in
            try await withROSMaster { master in
                let folder = try TemporaryFolder()
                let files = FileManager.default
                try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
                let program = folder.path + "/uavlink-companion"
                try files.copyItem(atPath: BuiltPrograms.path("uavlink-companion"), toPath: program)
                let runtime = folder.path + "/run"
                try files.createDirectory(
                    atPath: runtime, withIntermediateDirectories: false,
                    attributes: [.posixPermissions: 0o700, .ownerAccountName: user.name])
                let environment = master.environment.merging(["XDG_RUNTIME_DIR": runtime]) { $1 }
                let theirs = try ChildProcess(
                    ["/usr/bin/setpriv", "--reuid", user.name, "--clear-groups", program, "run"],
                    environment: environment)
                _ = try await theirs.line(ofErrorsContaining: "for uav1: udp")
                let process = try #require(theirs.pid)
                let ours = try LogIn(master)
                for arguments in [["bootstrap"], ["run"]] {
                    let other = try ChildProcess(
                        [BuiltPrograms.path("uavlink-companion")] + arguments, environment: ours.environment)
                    #expect(try await other.exit() != 0, "\(arguments): \(other.output)")
                    #expect(!other.output.contains("session="), "\(arguments) got a ticket")
                    #expect(other.errors.contains("process \(process) of user "), "\(arguments): \(other.errors)")
                    #expect(!other.errors.contains("process \(process) of user 0 "), "\(other.errors)")
                }
                #expect(theirs.exitStatus == nil, "\(theirs.errors)")
                theirs.signal(SIGTERM)
                #expect(try await theirs.exit() == 0, "\(theirs.errors)")
            }
        }
    }

    @Test func `bootstraps of two log-ins at the same moment start one companion`() async throws {
        try await withROSMaster { master in
            let logIns = [try LogIn(master), try LogIn(master)]
            let program = try BuiltPrograms.path("uavlink-companion")
            // One parent, which outlives both: what a child of the test leaves ends with it.
            let bootstraps = logIns.map { "XDG_RUNTIME_DIR=\($0.folder.path) \(program) bootstrap & " }.joined()
            let stop = "XDG_RUNTIME_DIR=\(logIns[0].folder.path) \(program) stop"
            let shell = try ChildProcess(
                ["/bin/sh", "-c", "\(bootstraps) wait; \(stop)"], environment: logIns[0].environment)
            #expect(try await shell.exit() == 0, "\(shell.errors)")
            let ports = shell.output.matches(of: /udp=([0-9]+)/).map { $0.1 }
            #expect(ports.count == 2 && ports.first == ports.last, "\(shell.output) \(shell.errors)")
        }
    }

    /// Where the host's lock cannot help (another host or network namespace, the master under another name), the graph does.
    @Test func `one that the lock does not see is kept out of the graph with the place of the first`() async throws {
        try await withROSMaster { master in
            let first = try LogIn(master)
            let second = try LogIn(master, masterURI: "http://127.1:\(master.port)")
            let vehicle = try ChildProcess(
                [BuiltPrograms.path("uavlink-sim"), "--uav", "uav1"], environment: master.environment)
            _ = try await vehicle.line(ofErrorsContaining: "ready")
            let running = try await first.started()
            _ = try await running.line(ofErrorsContaining: "connected to uav1 over ros")
            let other = try await second.started()
            let refusal = try await other.line(
                ofErrorsContaining: "another companion for this vehicle is in the ROS graph")
            let node = try await master.tool("rosnode", "info", "/uavlink_companion_uav1")
            let address = try #require(node.output.firstMatch(of: /http:\/\/127[0-9.:]+\//)?.0, "\(node)")
            #expect(refusal.contains(address.dropLast()), "\(refusal) \(address)")
            // The first is not disturbed by it.
            let nodes = try await master.tool("rosnode", "list").output.split(separator: "\n")
            #expect(nodes.filter { $0.contains("uavlink_companion") }.count == 1, "\(nodes)")
            #expect(running.exitStatus == nil)
            other.signal(SIGTERM)
            #expect(try await other.exit() == 0, "\(other.errors)")
            running.signal(SIGTERM)
            #expect(try await running.exit() == 0, "\(running.errors)")
            await vehicle.stop()
        }
    }
}
