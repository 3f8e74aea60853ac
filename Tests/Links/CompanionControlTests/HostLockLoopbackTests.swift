import Foundation
import IntegrationKit
import Secrets
import SystemIO
import Testing
import UAVLink

@testable import CompanionControl

#if os(Linux)
    private let isLinux = true
#else
    private let isLinux = false
#endif

@Suite(.enabled(if: isLinux), .timeLimit(.minutes(MachinePace.minutes(1)))) struct HostLockLoopbackTests {
    /// A name that nothing else on this machine has.
    private let name = HostLock.Name(vehicle: "uav1", graph: "test \(UInt64.random(in: 0 ... .max))")

    @Test func `it is taken once, tells where its companion is, and is free when that is gone`() async throws {
        var lock = try HostLock(name)
        #expect(lock != nil)
        #expect(try HostLock(name) == nil)
        try lock?.announce("/run/uav1.sock")
        let holder = HostLock.holder(of: name, within: .patient(seconds: 5))
        #expect(holder?.controlSocket == "/run/uav1.sock")
        #expect(holder?.process == ProcessInfo.processInfo.processIdentifier && holder?.isSameUser == true)
        lock?.conclude()
        #expect(HostLock.holder(of: name) == nil)
        #expect(try HostLock(name) == nil, "it is taken until its companion has ended")
        lock = nil
        // The thread that answered lets go of the socket a moment later.
        #expect(try await eventually { try HostLock(name) != nil })
    }

    @Test func `it answers however long it was not asked`() async throws {
        let lock = try #require(try HostLock(name, timeout: .milliseconds(50)))
        try lock.announce("/run/uav1.sock")
        // Each time after more than who asks is given.
        for _ in 0..<3 {
            #expect(HostLock.holder(of: name, within: .patient(seconds: 5))?.controlSocket == "/run/uav1.sock")
            try await Task.sleep(for: .milliseconds(150))
        }
        #expect(HostLock.holder(of: name, within: .patient(seconds: 5))?.controlSocket == "/run/uav1.sock")
    }

    /// Any user of the host can have the name.
    @Test func `a peer that answers a byte at a time delays no other`() throws {
        let listener = try #require(try UnixSocket.listen(atUnused: name.address))
        let dripper = Thread {
            guard let asker = listener.accept() else { return }
            // A whole line in the end: five seconds of it.
            for byte in Array("/run/his/\(String(repeating: "x", count: 90)).sock\n".utf8) {
                guard withUnsafeBytes(of: byte, { asker.sendSome($0) }) == .moved(1) else { return }
                usleep(50_000)
            }
        }
        dripper.start()
        defer { listener.stopListening() }
        let holder = try #require(HostLock.holder(of: name, within: .milliseconds(200)))
        #expect(holder.isSameUser && holder.controlSocket == nil)
    }

    @Test func `the longest name of a vehicle fits`() throws {
        let long = HostLock.Name(vehicle: String(repeating: "v", count: 64), graph: String(repeating: "g", count: 2000))
        #expect(try HostLock(long) != nil)
    }

    @Test(.enabled(if: OtherUser.canBeUsed))
    func `another user's word is not believed, and he is named`() async throws {
        let folder = try TemporaryFolder()
        let runtime = try RuntimeDirectory(folder.path, environment: [:])
        // He has the name, and says that he is asked where tickets of his own making are handed out.
        let socket = folder.path + "/other.sock"
        let server = try ControlServer(path: socket) { _ throws(LinkError) in SecretBytes("his ticket") }
        let squatter = try OtherUser.python(Self.squatter, name.description, socket)
        try await squatter.line(containing: "taken")
        #expect(try HostLock(name) == nil)
        let holder = try #require(HostLock.holder(of: name, within: .patient(seconds: 5)))
        #expect(holder.controlSocket == socket && !holder.isSameUser && holder.user == OtherUser.number)
        let launcher = CompanionLauncher(runtime: runtime, vehicle: "uav1", hostLock: name)
        let error = #expect(throws: LinkError.self) {
            try launcher.ask(.ticket, within: .seconds(1))
        }
        #expect(error?.description.contains("no companion for uav1 runs") == true, "\(error as Any)")
        server.stop()
        await squatter.stop()
    }

    private static let squatter = """
        import socket, sys
        s = socket.socket(socket.AF_UNIX)
        s.bind(sys.argv[1].replace('@', chr(0), 1))
        s.listen(8)
        print('taken', flush=True)
        while True:
            c = s.accept()[0]
            c.sendall((sys.argv[2] + chr(10)).encode())
            c.close()
        """
}

/// A user of this machine who is not the one that the tests run as; only root can be another.
private enum OtherUser {
    /// `nobody`.
    static let number: UInt32 = 65_534

    static var canBeUsed: Bool {
        geteuid() == 0 && ["/usr/bin/setpriv", "/usr/bin/python3"].allSatisfy(FileManager.default.isExecutableFile)
    }

    static func python(_ program: String, _ arguments: String...) throws -> ChildProcess {
        try ChildProcess(
            ["/usr/bin/setpriv", "--reuid", "\(number)", "--clear-groups", "/usr/bin/python3", "-c", program]
                + arguments)
    }
}
