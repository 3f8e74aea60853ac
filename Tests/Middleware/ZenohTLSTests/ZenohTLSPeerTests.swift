import IntegrationKit
import Synchronization
import Testing
import Zenoh

@testable import ZenohTLS

/// A router of the eclipse-zenoh package that listens over TLS, and a client of it over TCP.
private struct TLSRouter {
    let certificates: TestCertificates
    let process: ChildProcess
    let port: UInt16

    /// Runs `body` with a router that has a certificate.
    static func with(
        _ certificate: String = "router", wantsClients: Bool = false, _ body: (TLSRouter) async throws -> Void
    ) async throws {
        if let missing = ROS2Peer.missing { return print("skipped: \(missing)") }
        let certificates = try await TestCertificates()
        let (plain, port) = (try freePort(), try freePort())
        let process = try ChildProcess(
            [ROS2Peer.python, BuiltPrograms.repository + "/Tests/Peers/zenoh_peer.py", "\(plain)"]
                + certificates.arguments(port: port, certificate: certificate, wantsClients: wantsClients))
        do {
            try await process.line(containing: "ready")
            try await body(TLSRouter(certificates: certificates, process: process, port: port))
        } catch {
            await process.stop()
            throw error
        }
        await process.stop()
    }

    /// Trusts the authority of the router's certificate.
    var settings: ZenohTLSSettings {
        var settings = ZenohTLSSettings()
        settings.authorityFile = certificates.file("ca.pem")
        return settings
    }

    func client(_ settings: ZenohTLSSettings, host: String = "127.0.0.1") throws -> ZenohClient {
        try ZenohClient(
            configuration: ZenohConfiguration(
                locator: "tls/\(host):\(port)", security: OpenSSLSecurity(settings)))
    }

    /// Runs `body` with a client that has a session.
    func with(
        _ settings: ZenohTLSSettings, host: String = "127.0.0.1", _ body: (ZenohClient) async throws -> Void
    ) async throws {
        let client = try self.client(settings, host: host)
        do {
            try await client.waitForSession(within: .patient(seconds: 20))
            try await body(client)
        } catch {
            await client.shutdown()
            throw error
        }
        await client.shutdown()
    }

    /// Why there is no session.
    func refusal(_ settings: ZenohTLSSettings, host: String = "127.0.0.1") async throws -> ZenohError? {
        let client = try self.client(settings, host: host)
        let error = await #expect(throws: ZenohError.self) {
            try await client.waitForSession(within: .patient(seconds: 60))
        }
        await client.shutdown()
        return error
    }

    /// Sends a command and waits until it is done.
    func run(_ command: String) async throws {
        let word = command.split(separator: " ").first ?? ""
        let before = process.output.split(separator: "\n").filter { $0 == "done \(word)" }.count
        process.send(line: command)
        try await process.line(containing: "done \(word)", skipping: before)
    }
}

@Suite("a router over TLS", .serialized, .timeLimit(.minutes(MachinePace.minutes(3))))
struct ZenohTLSPeerTests {
    /// Publications in both directions, in one record and in many, and a query.
    private func exchange(_ router: TLSRouter, _ client: ZenohClient) async throws {
        let received = Mutex<[[UInt8]]>([])
        let subscriber = try client.subscribe(to: "0/down") { sample in
            let payload = Array(sample.payload)
            received.withLock { $0.append(payload) }
        }
        _ = try await client.tokens(matching: "@ros2_lv/**", timeout: .patient(seconds: 10))
        try await router.run("put 0/down 010203 -")
        try await router.run("big 0/down 300000")
        let big = (0..<300_000).map { UInt8($0 % 251) }
        #expect(await eventually { received.withLock { $0.count } >= 2 })
        #expect(received.withLock { $0 } == [[1, 2, 3], big])

        try await router.run("subscribe 0/up")
        let before = router.process.output.split(separator: "\n").filter { $0.hasPrefix("sample 0/up put 09") }.count
        let publisher = try client.publisher(of: "0/up", qos: ZenohQoS(blocks: true))
        let isHeard = await eventually {
            publisher.put([9])
            return router.process.output.split(separator: "\n").filter { $0.hasPrefix("sample 0/up put 09") }.count
                > before
        }
        #expect(isHeard)
        #expect(publisher.put(big) == .sent)
        let digits = big.prefix(64).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let line = try await router.process.line(containing: "sample 0/up put " + digits)
        #expect(line.split(separator: " ").dropFirst(3).first?.count == 600_000)

        try await router.run("serve 0/theirs")
        var question = ZenohQuestion(key: "0/theirs")
        question.payload = [1, 2, 3]
        var replies: [ZenohReply] = []
        let isServed = try await eventually {
            replies = try await client.query(question, timeout: .patient(seconds: 10))
            return !replies.isEmpty
        }
        #expect(isServed)
        let reply = try #require(replies.first?.sample)
        #expect(Array(reply.payload) == [3, 2, 1])
        withExtendedLifetime(subscriber) {}
    }

    @Test func `it carries publications and queries, and again after the router's restart`() async throws {
        try await TLSRouter.with { router in
            try await router.with(router.settings) { client in
                try await exchange(router, client)
                try await router.run("stop")
                #expect(await eventually { !client.isConnected })
                router.process.send(line: "start")
                try await router.process.line(containing: "ready", skipping: 1)
                try await client.waitForSession(within: .patient(seconds: 20))
                try await exchange(router, client)
            }
            // By a name, which the certificate has too.
            try await router.with(router.settings, host: "localhost") { #expect($0.isConnected) }
        }
    }

    @Test func `another authority is refused, and so is none`() async throws {
        try await TLSRouter.with { router in
            var settings = router.settings
            settings.authorityFile = router.certificates.file("other-ca.pem")
            let other = try await router.refusal(settings)
            #expect(other?.code == .untrusted)
            #expect(
                other?.what == "no session with the Zenoh router at tls/127.0.0.1:\(router.port): "
                    + "its certificate is from an unknown authority")
            #expect(other?.hint.contains("other-ca.pem") == true)
            let none = try await router.refusal(ZenohTLSSettings())
            #expect(none?.code == .untrusted)
            #expect(none?.hint.contains("router-ca") == true, "\(none as Any)")
        }
    }

    @Test func `an expired certificate is refused`() async throws {
        try await TLSRouter.with("expired") { router in
            let error = try await router.refusal(router.settings)
            #expect(error?.code == .untrusted)
            #expect(error?.what.contains("has expired") == true, "\(error as Any)")
        }
    }

    @Test func `a certificate of another host is refused with its names, unless names are not verified`() async throws {
        try await TLSRouter.with("elsewhere") { router in
            let address = try await router.refusal(router.settings)
            #expect(address?.code == .untrusted)
            #expect(
                address?.what.hasSuffix("its certificate is not for '127.0.0.1', but for DNS:elsewhere.example")
                    == true,
                "\(address as Any)")
            let name = try await router.refusal(router.settings, host: "localhost")
            #expect(name?.what.contains("is not for 'localhost'") == true, "\(name as Any)")
            var lenient = try ZenohTLSSettings(override: "transport/link/tls/verify_name_on_connect=false")
            lenient.authorityFile = router.certificates.file("other-ca.pem")
            #expect(try await router.refusal(lenient)?.what.contains("unknown authority") == true)
            lenient.authorityFile = router.settings.authorityFile
            try await router.with(lenient) { #expect($0.isConnected) }
        }
    }

    @Test func `a router that wants certificates of clients gets one, and says when it does not accept it`()
        async throws
    {
        try await TLSRouter.with(wantsClients: true) { router in
            let without = try await router.refusal(router.settings)
            #expect(without?.code == .untrusted)
            #expect(without?.what.contains("requires a client certificate") == true, "\(without as Any)")
            var settings = router.settings
            settings.keyFile = router.certificates.file("client.key")
            settings.certificateFile = router.certificates.file("stranger.pem")
            let stranger = try await router.refusal(settings)
            #expect(stranger?.code == .untrusted)
            #expect(stranger?.what.contains("does not accept the certificate") == true, "\(stranger as Any)")
            settings.certificateFile = router.certificates.file("client.pem")
            try await router.with(settings) { try await exchange(router, $0) }
        }
    }

    /// None of them shows what a file holds, and none of them connects.
    @Test func `files that cannot be used are named`() async throws {
        let certificates = try await TestCertificates()
        func refusal(_ authority: String?, _ certificate: String? = nil, _ key: String? = nil) throws -> String {
            var settings = ZenohTLSSettings()
            settings.authorityFile = authority.map(certificates.file)
            settings.certificateFile = certificate.map(certificates.file)
            settings.keyFile = key.map(certificates.file)
            let error = #expect(throws: ZenohError.self) {
                try OpenSSLSecurity(settings).connection(to: "router", at: "tls/router:1")
            }
            #expect(error?.code == .invalidConfiguration)
            return error?.description ?? ""
        }
        #expect(try refusal("none.pem").contains("none.pem' cannot be read (no such file or directory)"))
        #expect(try refusal(".").contains("not a regular file"))
        #expect(try refusal("router.key").contains("has no certificate"))
        #expect(try refusal("ca.pem", "client.pem").contains("without its private key"))
        #expect(try refusal("ca.pem", nil, "client.key").contains("without its certificate"))
        #expect(try refusal("ca.pem", "client.key", "client.key").contains("has no certificate"))
        #expect(try refusal("ca.pem", "client.pem", "none.key").contains("none.key' cannot be read"))
        #expect(try refusal("ca.pem", "client.pem", "ca.pem").contains("has no private key"))
        #expect(try refusal("ca.pem", "client.pem", "router.key").contains("and the key of that certificate"))
        #expect(try refusal("ca.pem", "client.pem", "locked.key").contains("without a passphrase"))
        let open = try certificates.copy("client.key", mode: 0o644)
        #expect(try refusal("ca.pem", "client.pem", open).contains("others can read the private key"))
        // Debian's group 'ssl-cert' may.
        var settings = ZenohTLSSettings()
        settings.certificateFile = certificates.file("client.pem")
        settings.keyFile = certificates.file(try certificates.copy("client.key", mode: 0o640))
        _ = try OpenSSLSecurity(settings).connection(to: "router", at: "tls/router:1")
    }
}
