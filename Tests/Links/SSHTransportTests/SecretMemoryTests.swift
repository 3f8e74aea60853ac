#if canImport(Glibc)
    import Glibc
    @testable import SSHTransport
    import Testing
    import UAVTestKit

    @Suite struct SecretMemoryTests {
        @Test func `a secret stands in memory once, and nowhere when it is released`() throws {
            let search = try #require(MemorySearch(48))
            var secret: SSHSecret? = SSHSecret(search.bytes)
            #expect(search.count() == 1)
            secret?.withCString { _, count in #expect(count == 48) }
            #expect("\(String(describing: secret))".contains("(secret)"))
            secret = nil
            #expect(search.count() == 0)
        }

        @Test func `a key file is read into one place in memory, which is wiped`() throws {
            let search = try #require(MemorySearch(48))
            let path = "/tmp/uavlink-secret-\(search.hexadecimal)"
            let file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
            try #require(file >= 0)
            defer { unlink(path) }
            #expect(write(file, search.bytes.baseAddress, 48) == 48)
            close(file)
            var contents: RegularFile.Contents<SSHSecret>? = try RegularFile.readSecret(path, limit: 4096).get()
            #expect(search.count() == 1 && contents != nil)
            contents = nil
            #expect(search.count() == 0)
        }
    }
#endif
