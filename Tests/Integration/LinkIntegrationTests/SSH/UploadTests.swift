import Foundation
import IntegrationKit
import SSHTransport
import Synchronization
import Testing
import UAVLink

extension SSHTests {
    @Suite struct SSHUploadTests {
        @Test func `an uploaded file is whole has its mode and replaces the old one`() async throws {
            try await withSession { server, session in
                let target = server.folder.path + "/it's here"
                try server.folder.write("old", to: "it's here")
                let bytes = (0..<3_000_001).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 9) }
                let seen = Mutex<[SSHUploadProgress]>([])
                let digest = try await session.upload(bytes, to: target, mode: 0o755, within: .patient(seconds: 60)) {
                    progress in
                    seen.withLock { $0.append(progress) }
                }
                #expect(FileManager.default.contents(atPath: target).map(Array.init) == bytes)
                let mode = try FileManager.default.attributesOfItem(atPath: target)[.posixPermissions] as? Int
                #expect(mode == 0o755)
                #expect(digest.count == 64)
                let progress = seen.withLock { $0 }
                #expect(progress.last == progress.max { $0.sent < $1.sent })
                #expect(progress.last?.sent == bytes.count)
                let left = try FileManager.default.contentsOfDirectory(atPath: server.folder.path)
                #expect(left.allSatisfy { !$0.hasPrefix(".") })
            }
        }

        @Test func `an empty file and a local file go up too`() async throws {
            try await withSession { server, session in
                try await session.upload([], to: server.folder.path + "/empty", within: .patient(seconds: 20))
                #expect(FileManager.default.contents(atPath: server.folder.path + "/empty")?.isEmpty == true)
                let source = try server.folder.write("content", to: "source")
                try await session.upload(file: source, to: server.folder.path + "/copy", within: .patient(seconds: 20))
                #expect(FileManager.default.contents(atPath: server.folder.path + "/copy") == Data("content".utf8))
                let error = await linkError {
                    try await session.upload(
                        file: source + "-not", to: server.folder.path + "/copy", within: .patient(seconds: 20))
                }
                #expect(error?.code == .invalidInput)
            }
        }

        @Test func `a folder that is not there is named and nothing stays behind`() async throws {
            try await withSession { server, session in
                let error = await linkError {
                    try await session.upload(
                        [1, 2], to: server.folder.path + "/none/file", within: .patient(seconds: 20))
                }
                #expect(error?.code == .remoteFailed)
                #expect(error?.what.contains("no such file or directory") == true, "\(String(describing: error))")
            }
        }

        @Test func `without sha256sum on the vehicle the file is read back`() async throws {
            // A forced command stands for a vehicle whose shell has no sha256sum.
            try await withSession(environment: ["PATH": "/nowhere"]) { server, session in
                let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
                let answer1 = try await session.run("sha256sum --version", within: .patient(seconds: 10))
                #expect(answer1.exitStatus == 127)
                try await session.upload(bytes, to: server.folder.path + "/file", within: .patient(seconds: 30))
                #expect(FileManager.default.contents(atPath: server.folder.path + "/file").map(Array.init) == bytes)
            }
        }

        @Test func `a file that arrives damaged is refused and removed`() async throws {
            // A sha256sum on the vehicle that sees something else than what was sent stands for a bad disk.
            let tools = try TemporaryFolder()
            try tools.write("#!/bin/sh\necho \(String(repeating: "0", count: 64))\n", to: "sha256sum", mode: 0o755)
            try await withSession(environment: ["PATH": "\(tools.path):/usr/bin:/bin"]) { server, session in
                try server.folder.write("old", to: "target")
                let error = await linkError {
                    try await session.upload(
                        [1, 2, 3], to: server.folder.path + "/target", within: .patient(seconds: 20))
                }
                #expect(error?.code == .remoteFailed)
                #expect(error?.what.contains("checksum mismatch") == true, "\(String(describing: error))")
                #expect(FileManager.default.contents(atPath: server.folder.path + "/target") == Data("old".utf8))
                let left = try FileManager.default.contentsOfDirectory(atPath: server.folder.path)
                #expect(left.allSatisfy { !$0.hasPrefix(".") })
            }
        }

        @Test func `a server without SFTP is named`() async throws {
            try await withSession(options: ["Subsystem sftp /there/is/none"]) { server, session in
                let error = await linkError {
                    try await session.upload([1], to: server.folder.path + "/file", within: .patient(seconds: 20))
                }
                #expect(error?.code == .remoteFailed)
                #expect(error?.hint.contains("Subsystem sftp") == true, "\(String(describing: error))")
            }
        }
    }
}
