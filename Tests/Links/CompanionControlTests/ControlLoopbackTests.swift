import CompanionControl
import Foundation
import Secrets
import Testing
import UAVLink

/// Sockets are in a temporary directory of each test's own.
@Suite struct ControlLoopbackTests {
    let directory: String

    init() {
        directory = FileManager.default.temporaryDirectory.path + "/ul-\(UInt32.random(in: 0 ... .max))"
    }

    private func withDirectory<Value>(_ body: (RuntimeDirectory) throws -> Value) throws -> Value {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        return try body(try RuntimeDirectory(directory, environment: [:]))
    }

    @Test func `a request is answered`() throws {
        try withDirectory { runtime in
            let path = runtime.controlSocketPath(vehicle: "uav1")
            let server = try ControlServer(path: path) { request throws(LinkError) in
                SecretBytes("you asked for \(request.rawValue)")
            }
            defer { server.stop() }
            #expect(try ControlClient(path: path).ask(.ticket)?.unwipedText == "you asked for ticket")
            #expect(try ControlClient(path: path).ask(.status)?.unwipedText == "you asked for status")
        }
    }

    @Test func `an error is passed on`() throws {
        try withDirectory { runtime in
            let path = runtime.controlSocketPath(vehicle: "uav1")
            let server = try ControlServer(path: path) { _ throws(LinkError) in
                throw LinkError(.rosMasterUnreachable, "no master")
            }
            defer { server.stop() }
            #expect { try ControlClient(path: path).ask(.ticket) } throws: { error in
                (error as? LinkError)?.code == .companionUnavailable && "\(error)".contains("no master")
            }
        }
    }

    @Test func `one that ends while it is asked is like none that listens`() throws {
        try withDirectory { runtime in
            let path = runtime.controlSocketPath(vehicle: "uav1")
            let server = try ControlServer(path: path) { _ throws(LinkError) in
                throw LinkError(.closed, "ending")
            }
            defer { server.stop() }
            #expect(try ControlClient(path: path).ask(.ticket) == nil)
        }
    }

    @Test func `without a listener there is no answer and no error`() throws {
        try withDirectory { runtime in
            let answer = try ControlClient(path: runtime.controlSocketPath(vehicle: "uav1")).ask(.ticket)
            #expect(answer == nil)
        }
    }

    @Test func `a socket that a dead companion left is taken over`() throws {
        try withDirectory { runtime in
            let path = runtime.controlSocketPath(vehicle: "uav1")
            #expect(FileManager.default.createFile(atPath: path, contents: nil))
            let server = try ControlServer(path: path) { _ throws(LinkError) in SecretBytes("here") }
            defer { server.stop() }
            #expect(try ControlClient(path: path).ask(.status)?.unwipedText == "here")
        }
    }

    @Test func `the directory and the socket are this user's alone`() throws {
        try withDirectory { runtime in
            let path = runtime.controlSocketPath(vehicle: "uav1")
            let server = try ControlServer(path: path) { _ throws(LinkError) in SecretBytes("") }
            defer { server.stop() }
            let modes = try [runtime.path, path].map {
                try FileManager.default.attributesOfItem(atPath: $0)[.posixPermissions] as? Int
            }
            #expect(modes == [0o700, 0o600])
        }
    }

    @Test func `a directory that others can enter is refused`() throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        #expect { try RuntimeDirectory(directory, environment: [:]) } throws: { error in
            (error as? LinkError)?.code == .companionUnavailable
        }
    }

    @Test func `a path too long for a socket is named`() throws {
        let long = directory + String(repeating: "x", count: 100)
        defer { try? FileManager.default.removeItem(atPath: long) }
        let runtime = try RuntimeDirectory(long, environment: [:])
        #expect { try ControlClient(path: runtime.controlSocketPath(vehicle: "uav1")).ask(.status) } throws: { error in
            "\(error)".contains("too long for a socket")
        }
    }

    @Test func `the environment names the directory`() throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        #expect(try RuntimeDirectory(environment: ["UAVLINK_RUNTIME_DIR": directory]).path == directory)
    }
}
