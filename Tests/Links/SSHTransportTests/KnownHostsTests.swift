@testable import SSHTransport
import ReportKit
import Testing
import UAVLink

/// A key of that type whose body is these bytes.
private func key(_ type: String = "ssh-ed25519", _ body: [UInt8] = [1, 2, 3]) -> HostKey {
    var writer = WireWriter()
    writer.string(type)
    writer.string(body)
    return HostKey(blob: writer.bytes)
}

private func line(_ names: String, _ key: HostKey) -> String {
    "\(names) \(key.type) \(Base64.encode(key.blob, padded: true))\n"
}

private func hosts(_ text: String) -> KnownHosts { KnownHosts(parsing: Array(text.utf8), file: "hosts") }

@Suite struct KnownHostsTests {
    @Test(arguments: [
        ("vehicle", "vehicle", true), ("VEHICLE", "vehicle", true), ("vehicle", "vehicle2", false),
        ("a,vehicle,b", "vehicle", true), ("*", "vehicle", true), ("veh?cle", "vehicle", true),
        ("*.example.org", "uav1.example.org", true), ("*.example.org", "example.org", false),
        ("*,!vehicle", "vehicle", false), ("!vehicle", "vehicle", false), ("!other,v*", "vehicle", true),
        ("[vehicle]:2222", "[vehicle]:2222", true), ("[vehicle]:2222", "vehicle", false),
        ("[vehicle]:*", "[vehicle]:2222", true), ("192.168.1.?", "192.168.1.7", true), ("v**e", "vehicle", true),
        ("*a*a*a*a*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false),
    ])
    func `a name matches its patterns as ssh matches them`(patterns: String, name: String, matches: Bool) {
        #expect((hosts(line(patterns, key())).verdict(on: key(), of: name) == .known) == matches)
    }

    /// The hash was made with an HMAC-SHA1 of another library.
    @Test(arguments: [("vehicle.example.org", true), ("other.example.org", false)])
    func `a hashed name is found`(name: String, isKnown: Bool) {
        let column = HostPattern.hashedColumn("vehicle.example.org", salt: (0..<20).map { UInt8($0) })
        #expect(column == "|1|AAECAwQFBgcICQoLDA0ODxAREhM=|c5/1nrVXexIM5e1fwtVZymGd5VY=")
        #expect((hosts(line(column, key())).verdict(on: key(), of: name) == .known) == isKnown)
    }

    @Test func `a key of the same type that differs has changed and one of another type has not`() {
        let known = hosts("# head\n" + line("vehicle", key()))
        let other = key("ssh-ed25519", [9])
        #expect(known.verdict(on: other, of: "vehicle") == .changed(line: 2, known: key()))
        #expect(known.verdict(on: key("ecdsa-sha2-nistp256"), of: "vehicle") == .knownByOtherTypes(known.entries))
        #expect(known.verdict(on: other, of: "stranger") == .unknown)
    }

    @Test func `one of several keys of a type is enough`() {
        let known = hosts(line("vehicle", key("ssh-ed25519", [9])) + line("vehicle", key()))
        #expect(known.verdict(on: key(), of: "vehicle") == .known)
    }

    @Test func `a revoked key is refused wherever it is listed`() {
        let known = hosts(line("vehicle", key()) + "@revoked " + line("*", key()))
        #expect(known.verdict(on: key(), of: "vehicle") == .revoked(line: 2))
        #expect(known.verdict(on: key("ssh-ed25519", [9]), of: "vehicle") == .changed(line: 1, known: key()))
    }

    /// A vehicle on a port of its own is trusted by its key for port 22, and so is refused by what revokes that.
    @Test(arguments: ["@revoked vehicle", "@revoked [vehicle]:2222", "@revoked *"], [true, false])
    func `a key that any file revokes for the host is refused, whatever its port`(
        _ revoked: String, _ isKnownWithPort: Bool
    ) throws {
        let endpoint = SSHEndpoint(host: "vehicle", port: 2222, user: "mrs")
        let mine = hosts(line(isKnownWithPort ? "[vehicle]:2222" : "vehicle", key()))
        let check = HostKeyCheck(endpoint, HostKeyPolicy(files: []), known: [mine, hosts(line(revoked, key()))])
        let error = #expect(throws: LinkError.self) { try check.judge(key()) }
        #expect(error?.code == .hostKeyChanged && error?.what.contains("revoked") == true)
    }

    @Test func `an RSA key is asked for with SHA-2 before SHA-1`() {
        let endpoint = SSHEndpoint(host: "vehicle", user: "mrs")
        let strange = HostKeyCheck(endpoint, HostKeyPolicy(files: []), known: [])
        #expect(strange.preferredAlgorithms.suffix(3) == ["rsa-sha2-512", "rsa-sha2-256", "ssh-rsa"])
        #expect(strange.preferredAlgorithms.first == "ssh-ed25519")
        let known = HostKeyCheck(
            endpoint, HostKeyPolicy(files: []), known: [hosts(line("vehicle", key("ssh-rsa")))])
        #expect(known.preferredAlgorithms.prefix(4) == ["rsa-sha2-512", "rsa-sha2-256", "ssh-rsa", "ssh-ed25519"])
    }

    @Test func `the types by which a host is known are listed in order and once`() {
        let text =
            line("vehicle", key("ecdsa-sha2-nistp256")) + line("vehicle", key()) + line("vehicle", key("ssh-rsa"))
        let more = line("vehicle", key("ssh-ed25519", [4])) + line("other", key("ssh-dss"))
        #expect(
            hosts(text + more + "@revoked " + line("vehicle", key("x"))).keyTypes(for: "vehicle")
                == ["ecdsa-sha2-nistp256", "ssh-ed25519", "ssh-rsa"])
    }

    @Test func `certificate authorities are passed over and named`() {
        let known = hosts("@cert-authority " + line("*", key()))
        #expect(known.verdict(on: key(), of: "vehicle") == .unknown)
        #expect(known.skipped == [.init(line: 1, reason: "host certificates are not supported")])
    }

    @Test(arguments: [
        "vehicle", "vehicle ssh-ed25519", "vehicle ssh-ed25519 !!!!", "vehicle ssh-rsa AAAAC3NzaC1lZDI1NTE5",
        "@unknown vehicle ssh-ed25519 AAAA", "|1|AAAA|BBBB ssh-ed25519 AAAA", "|1|x ssh-ed25519 AAAA",
        ",,, ssh-rsa AAAA",
        "! ssh-ed25519 AAAA",
    ])
    func `a line that makes no sense is passed over and the others count`(bad: String) {
        let known = hosts(bad + "\n" + line("vehicle", key()))
        #expect(known.skipped.map(\.line) == [1])
        #expect(known.verdict(on: key(), of: "vehicle") == .known)
    }

    @Test func `comments, empty lines, tabs, carriage returns and trailing comments do no harm`() {
        let text = "\n# x\n\t \n  vehicle\tssh-ed25519  \(Base64.encode(key().blob, padded: true)) root@vehicle 7\r\n"
        let known = hosts(text)
        #expect(known.skipped.isEmpty)
        #expect(known.entries.map(\.line) == [4])
        #expect(known.verdict(on: key(), of: "vehicle") == .known)
    }

    @Test func `a line of the greatest length counts and one byte more does not`() {
        let end = line("vehicle", key()).dropLast()
        let names = String(repeating: "x", count: KnownHosts.longestLine - end.utf8.count - 1) + ","
        #expect(hosts(names + end).verdict(on: key(), of: "vehicle") == .known)
        #expect(hosts("x" + names + end).verdict(on: key(), of: "vehicle") == .unknown)
    }

    @Test func `a host's name has its port when that is not 22`() {
        #expect(SSHEndpoint(host: "Vehicle", user: "mrs").knownHostsName == "vehicle")
        #expect(SSHEndpoint(host: "Vehicle", port: 2222, user: "mrs").knownHostsName == "[vehicle]:2222")
        #expect(SSHEndpoint(host: "::1", port: 2222, user: "mrs").knownHostsName == "[::1]:2222")
    }

    /// The fingerprint was printed by ssh-keygen -l for this key.
    @Test func `a fingerprint is the one that ssh prints`() throws {
        let text = "AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl"
        let key = HostKey(blob: try #require(Base64.decode(text.utf8)))
        #expect(key.type == "ssh-ed25519")
        #expect(key.fingerprint == "SHA256:+DiY3wvvV6TuJJhbpZisF/zLDA0zPMSvHdkr4UvCOqU")
    }
}
