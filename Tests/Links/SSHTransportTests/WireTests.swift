#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif
@testable import SSHTransport
import ReportKit
import Testing
import UAVLink

@Suite struct SFTPCodecTests {
    @Test func `requests are laid out as the draft says`() {
        #expect(SFTP.encode(.initialise, id: 0) == [0, 0, 0, 5, 1, 0, 0, 0, 3])
        #expect(
            SFTP.encode(.write(handle: [7], offset: 0x1_0000_0002, bytes: [9, 8][...]), id: 5)
                == [0, 0, 0, 24, 6, 0, 0, 0, 5, 0, 0, 0, 1, 7, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 2, 9, 8])
        #expect(
            SFTP.encode(.open(path: "a", flags: [.write, .create, .exclusive], mode: 0o600), id: 1)
                == [0, 0, 0, 22, 3, 0, 0, 0, 1, 0, 0, 0, 1, 97, 0, 0, 0, 0x2A, 0, 0, 0, 4, 0, 0, 1, 0x80])
    }

    @Test func `the attributes of a file are asked for and read, whatever else the server sends with them`() {
        #expect(SFTP.encode(.attributes(path: "/a"), id: 7) == [0, 0, 0, 11, 17, 0, 0, 0, 7, 0, 0, 0, 2, 47, 97])
        let head: [UInt8] = [105, 0, 0, 0, 7]
        // Size, owner and group, permissions, times, and an extension.
        let all: [UInt8] =
            head + [0x80, 0, 0, 0x0F] + [0, 0, 0, 1, 0, 0, 0, 2] + [0, 0, 3, 232, 0, 0, 3, 232] + [0, 0, 0x81, 0xA4]
            + [1, 2, 3, 4, 5, 6, 7, 8] + [0, 0, 0, 1, 0, 0, 0, 1, 97, 0, 0, 0, 0]
        #expect(SFTP.decode(all)?.id == 7)
        #expect(SFTP.decode(all)?.reply == .attributes(size: 0x1_0000_0002, mode: 0o100644))
        #expect(SFTP.decode(head + [0, 0, 0, 0])?.reply == .attributes(size: nil, mode: nil))
        #expect(SFTP.decode(head + [0, 0, 0, 4, 0, 0, 0x41, 0xED])?.reply == .attributes(size: nil, mode: 0o040755))
        for length in head.count..<head.count + 4 + 8 + 8 + 4 { #expect(SFTP.decode(Array(all[..<length])) == nil) }
    }

    @Test func `replies are read and what is cut off is refused`() {
        let status: [UInt8] = [101, 0, 0, 0, 9, 0, 0, 0, 3, 0, 0, 0, 2, 110, 111, 0, 0, 0, 0]
        #expect(SFTP.decode(status)?.id == 9)
        #expect(SFTP.decode(status)?.reply == .status(.permissionDenied, message: "no"))
        #expect(SFTP.decode([102, 0, 0, 0, 1, 0, 0, 0, 2, 5, 6])?.reply == .handle([5, 6]))
        #expect(SFTP.decode([103, 0, 0, 0, 1, 0, 0, 0, 1, 5])?.reply == .data([5]))
        let version: [UInt8] = [2, 0, 0, 0, 3, 0, 0, 0, 1, 120, 0, 0, 0, 1, 49]
        #expect(SFTP.decode(version)?.reply == .version(3, extensions: ["x"]))
        for cut in [
            [], [101], [101, 0, 0, 0, 1], [102, 0, 0, 0, 1, 0, 0, 0, 2, 5], [103, 0, 0, 0, 1, 255, 255, 255, 255],
            [77, 0, 0, 0, 1],
        ] {
            #expect(SFTP.decode(cut.map { UInt8($0) }) == nil, "\(cut)")
        }
        let longest = [UInt8](repeating: 1, count: SFTP.longestHandle)
        #expect(SFTP.decode([102, 0, 0, 0, 1, 0, 0, 1, 0] + longest)?.reply == .handle(longest))
        #expect(SFTP.decode([102, 0, 0, 0, 1, 0, 0, 1, 1, 1] + longest) == nil)
    }

    @Test func `packets come apart in any split`() {
        let stream: [UInt8] = [0, 0, 0, 5, 1, 2, 3, 4, 5, 0, 0, 0, 6, 9, 8, 7, 6, 5, 4]
        for split in 1...stream.count {
            var framing = SFTPFraming()
            var packets: [[UInt8]] = []
            var rest = stream[...]
            while !rest.isEmpty {
                framing.append(Array(rest.prefix(split)))
                rest = rest.dropFirst(split)
                while case .packet(let packet) = framing.next() { packets.append(packet) }
            }
            #expect(packets == [[1, 2, 3, 4, 5], [9, 8, 7, 6, 5, 4]], "split \(split)")
            #expect(framing.next() == .incomplete)
        }
    }

    @Test func `an impossible length is refused at the limit`() {
        var framing = SFTPFraming()
        framing.append([0, 4, 0, 0])
        #expect(framing.next() == .incomplete)
        framing = SFTPFraming()
        framing.append([0, 4, 0, 1])
        #expect(framing.next() == .impossible)
        framing = SFTPFraming()
        framing.append([0, 0, 0, 4, 1, 2, 3, 4])
        #expect(framing.next() == .impossible)
    }
}

@Suite struct KeyFileTests {
    private func refusal(_ text: String) -> LinkError? {
        do throws(LinkError) {
            _ = try KeyFile(parsing: Array(text.utf8), path: "key")
            return nil
        } catch {
            return error
        }
    }

    private func openSSH(cipher: String, type: String, cut: Int = 0) -> String {
        var key = WireWriter()
        key.string(type)
        var file = WireWriter()
        file.string(cipher)
        file.string("kdf")
        file.string("")
        file.uint32(1)
        file.string(key.bytes)
        let bytes = Array("openssh-key-v1\0".utf8) + file.bytes.dropLast(cut)
        return
            "-----BEGIN OPENSSH PRIVATE KEY-----\n\(Base64.encode(bytes, padded: true))\n-----END OPENSSH PRIVATE KEY-----\n"
    }

    @Test func `the kind of a file is known without its passphrase`() throws {
        let plain = try KeyFile(parsing: Array(openSSH(cipher: "none", type: "ssh-ed25519").utf8), path: "key")
        #expect(plain.kind == .ed25519 && !plain.isEncrypted)
        let locked = try KeyFile(parsing: Array(openSSH(cipher: "aes256-ctr", type: "ssh-rsa").utf8), path: "key")
        #expect(locked.kind == .rsa && locked.isEncrypted)
        let pem = "-----BEGIN EC PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n"
        let old = try KeyFile(parsing: Array(pem.utf8), path: "key")
        #expect(old.kind == .ecdsa && old.isEncrypted)
    }

    @Test func `every kind of wrong file has words of its own`() {
        #expect(refusal("PuTTY-User-Key-File-3: ssh-ed25519")?.hint.contains("puttygen") == true)
        #expect(refusal("ssh-ed25519 AAAA me")?.what.contains("is a public key") == true)
        #expect(refusal("")?.what.contains("not a private key") == true)
        #expect(
            refusal(openSSH(cipher: "none", type: "sk-ssh-ed25519@openssh.com"))?.what.contains("libssh2 cannot")
                == true)
        for cut in [1, 4, 11, 20, 30] {
            #expect(refusal(openSSH(cipher: "none", type: "ssh-ed25519", cut: cut))?.what.contains("damaged") == true)
        }
    }
}

@Suite struct SecretTests {
    @Test func `a secret is not printed in any way`() {
        let secret = SSHSecret("open sesame")
        for text in ["\(secret)", String(reflecting: secret), "\(Mirror(reflecting: secret).children.map { $0 })"] {
            #expect(!text.contains("sesame"))
        }
        var dumped = ""
        dump([SSHAuthentication.password(secret)], to: &dumped)
        #expect(!dumped.contains("sesame"))
        let isWhole = secret.withCString { text, length in length == 11 && String(cString: text) == "open sesame" }
        #expect(isWhole)
    }

    /// Without a copy in an array on the way.
    @Test func `a secret is read from its file whole, and no larger one than may be`() throws {
        let path = "/tmp/uavlink-secret-\(UInt64.random(in: 0...UInt64.max))"
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        try #require(descriptor >= 0)
        defer { unlink(path) }
        let bytes = (0..<70_000).map { UInt8(truncatingIfNeeded: $0) }
        #expect(bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) } == bytes.count)
        close(descriptor)
        let file = try RegularFile.readSecret(path, limit: 70_000).get()
        #expect(file.bytes.withBytes { Array($0) } == bytes && file.mode == 0o600)
        guard case .failure(.tooLarge(69_999)) = RegularFile.readSecret(path, limit: 69_999) else {
            Issue.record("it was read")
            return
        }
    }

    @Test func `questions are answered with the password only when all are hidden`() {
        func request(_ echoes: [Bool]) -> SSHPromptRequest {
            SSHPromptRequest(name: "", instruction: "", prompts: echoes.map { .init(text: "?", echoes: $0) })
        }
        #expect(request([false]).answers(withPassword: SSHSecret("x"))?.count == 1)
        #expect(request([false, true]).answers(withPassword: SSHSecret("x")) == nil)
        #expect(request([]).answers(withPassword: SSHSecret("x"))?.isEmpty == true)
    }
}
