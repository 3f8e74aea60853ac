import Foundation
import IntegrationKit
import Testing
import Zenoh

@testable import ZenohTLS

/// A server's end of TLS in another process, without a socket.
private final class TLSServer {
    private let process: ChildProcess
    private var answers = 0

    init(_ certificates: TestCertificates) throws {
        process = try ChildProcess([
            "/usr/bin/python3", BuiltPrograms.repository + "/Tests/Peers/tls_server.py",
            certificates.file("router.pem"), certificates.file("router.key"),
        ])
    }

    /// What the server sends when it has done that with these bytes.
    private func ask(_ word: String, _ bytes: [UInt8]) async throws -> [UInt8] {
        let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        process.send(line: "\(word) \(digits)")
        let line = try await process.line(containing: "sealed", skipping: answers)
        answers += 1
        let sealed = Array(line.utf8.drop { $0 != UInt8(ascii: " ") }.dropFirst())
        return try stride(from: 0, to: sealed.count - 1, by: 2).map { start -> UInt8 in
            try #require(UInt8(String(decoding: sealed[start...(start + 1)], as: UTF8.self), radix: 16))
        }
    }

    /// Completes the handshake with a client.
    func shakeHands(_ client: any ZenohTLSConnection) async throws {
        var sealed: [UInt8] = []
        while true {
            var (opened, answer): ([UInt8], [UInt8]) = ([], [])
            let isComplete = try sealed.withUnsafeBytes {
                try client.receive($0, opened: &opened, answer: &answer)
            }
            #expect(opened.isEmpty)
            if !answer.isEmpty { sealed = try await ask("take", answer) }
            if isComplete { break }
            try #require(!sealed.isEmpty)
        }
        // Tickets for later connections, if it sends any.
        var (opened, answer): ([UInt8], [UInt8]) = ([], [])
        let isComplete = try sealed.withUnsafeBytes { try client.receive($0, opened: &opened, answer: &answer) }
        #expect(isComplete)
        #expect(opened.isEmpty && answer.isEmpty)
    }

    /// What it sends for these bytes and, right behind them, that nothing more comes.
    func end(with bytes: [UInt8]) async throws -> [UInt8] { try await ask("end", bytes) }

    func stop() async { await process.stop() }
}

@Suite("TLS with a server of another implementation", .timeLimit(.minutes(MachinePace.minutes(1))))
struct TLSServerPeerTests {
    @Test func `what the settings name is not read in the handshake`() async throws {
        let certificates = try await TestCertificates()
        let folder = try TemporaryFolder()
        let authority = try String(contentsOfFile: certificates.file("ca.pem"), encoding: .utf8)
        let given = try folder.write(authority, to: "ca.pem")
        var settings = ZenohTLSSettings()
        settings.authorityFile = given
        let client = try OpenSSLSecurity(settings).connection(to: "localhost", at: "tls/localhost:1")
        try FileManager.default.removeItem(atPath: given)
        let server = try TLSServer(certificates)
        try await server.shakeHands(client)
        await server.stop()
    }

    @Test func `the end behind the last data is noticed at once, and the data counts`() async throws {
        let certificates = try await TestCertificates()
        var settings = ZenohTLSSettings()
        settings.authorityFile = certificates.file("ca.pem")
        let client = try OpenSSLSecurity(settings).connection(to: "localhost", at: "tls/localhost:1")
        let server = try TLSServer(certificates)
        try await server.shakeHands(client)
        let last = try await server.end(with: [1, 2, 3])
        var (opened, answer): ([UInt8], [UInt8]) = ([], [])
        let error = #expect(throws: ZenohError.self) {
            try last.withUnsafeBytes { _ = try client.receive($0, opened: &opened, answer: &answer) }
        }
        #expect(error?.code == .connectionLost)
        #expect(error?.what == "the router closed the connection")
        #expect(opened == [1, 2, 3])
        var sealed: [UInt8] = []
        let isSealed = last.withUnsafeBytes { client.seal($0, into: &sealed) }
        #expect(!isSealed)
        await server.stop()
    }
}
