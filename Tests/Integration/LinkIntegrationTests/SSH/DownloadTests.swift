import Foundation
import IntegrationKit
import Testing
import UAVLink

@testable import SSHTransport

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension SSHTests {
    /// Small files of the vehicle, by a real SFTP server.
    @Suite struct SSHDownloadTests {
        private func failure(_ path: String, _ session: SSHSession, limit: Int = 100_000) async -> RemoteFileError? {
            do throws(RemoteFileError) {
                _ = try await session.download(path, atMost: limit, by: Deadline(in: .patient(seconds: 20)))
                return nil
            } catch {
                return error
            }
        }

        @Test func `a file comes whole, up to the limit and not one byte past it`() async throws {
            try await withSession { server, session in
                for size in [0, 1, 32 * 1024, 100_000] {
                    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
                    let path = server.folder.path + "/it's here"
                    try Data(bytes).write(to: URL(filePath: path))
                    let read = try await session.download(
                        path, atMost: size, by: Deadline(in: .patient(seconds: 20)))
                    #expect(read == bytes)
                    guard size > 0 else { continue }
                    guard case .tooLarge? = await failure(path, session, limit: size - 1) else {
                        Issue.record("\(size) bytes are read with a limit of \(size - 1)")
                        continue
                    }
                }
            }
        }

        @Test func `what is no regular file is refused at once, and what is not there is told`() async throws {
            try await withSession { server, session in
                let pipe = server.folder.path + "/pipe"
                try #require(mkfifo(pipe, 0o600) == 0)
                for path in [pipe, server.folder.path, "/dev/zero"] {
                    guard case .notAFile? = await failure(path, session) else {
                        Issue.record("\(path) is read")
                        continue
                    }
                }
                guard case .refused(.noSuchFile, _)? = await failure(server.folder.path + "/none", session) else {
                    Issue.record("a file that is not there is read")
                    return
                }
            }
        }
    }
}
