#if canImport(Glibc)
    import Glibc
    import Secrets
    @testable import SSHTransport
    import Synchronization
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

        @Test func `output that is a secret stands in one place in memory, however it comes`() throws {
            let search = try #require(MemorySearch(32))
            let text = try #require(search.text("Welcome!\nticket key=", " udp=7\n"))
            var channel: ChannelCore? = ChannelCore(.command("bootstrap", isWanted: { true }), secretOutput: 4096)
            for start in stride(from: 0, to: text.count, by: 20) {
                let piece = text[start..<min(start + 20, text.count)]
                channel?.take(UnsafeRawBufferPointer(rebasing: piece), from: .output)
            }
            #expect(search.countOfDigits() == 1)
            var output = channel?.takeSecretOutput()
            #expect(search.countOfDigits() == 1 && output?.count == text.count)
            channel = nil
            #expect(search.countOfDigits() == 1)
            output = nil
            #expect(search.countOfDigits() == 0)
        }

        @Test func `secret output that is too long is not taken for the whole, and its errors are read as ever`() throws
        {
            let channel = ChannelCore(.command("bootstrap", isWanted: { true }), secretOutput: 8)
            Array("errors".utf8).withUnsafeBytes { channel.take($0, from: .error) }
            Array("12345678".utf8).withUnsafeBytes { channel.take($0, from: .output) }
            let chunk = channel.state.withLock { $0.nextChunk() }
            #expect(try #require(chunk).get() == SSHChunk(stream: .error, bytes: Array("errors".utf8)))
            Array("9".utf8).withUnsafeBytes { channel.take($0, from: .output) }
            #expect(channel.takeSecretOutput() == nil)
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
