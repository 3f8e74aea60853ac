import Dispatch
import IntegrationKit
import Synchronization
import SystemIO
import Testing

@testable import Zenoh

/// Stands for TLS: a handshake of one word in each direction, then other bytes than the plain ones.
private final class FakeTLS: ZenohSecurity {
    final class Connection: ZenohTLSConnection {
        /// The other end closes the connection.
        static let end: UInt8 = 0
        private let greeting = Mutex<[UInt8]?>(nil)

        func receive(
            _ sealed: UnsafeRawBufferPointer, opened: inout [UInt8], answer: inout [UInt8]
        ) throws(ZenohError) -> Bool {
            let rest = try greeting.withLock { greeting throws(ZenohError) -> [UInt8]? in
                guard var known = greeting else {
                    answer += "hello".utf8
                    greeting = []
                    return nil
                }
                let expected = Array("welcome".utf8)
                if known.count == expected.count { return Array(sealed) }
                let missing = expected.count - known.count
                known += sealed.prefix(missing)
                greeting = known
                guard expected.starts(with: known) else {
                    answer += "alert".utf8
                    throw ZenohError(.untrusted, "its certificate is a fake", hint: "trust it")
                }
                return known.count == expected.count ? Array(sealed.dropFirst(missing)) : nil
            }
            guard let rest else { return false }
            opened += rest.prefix { $0 != Self.end }.map { $0 ^ 0x5A }
            guard !rest.contains(Self.end) else { throw ZenohError(.connectionLost, "it says that nothing more comes") }
            return true
        }

        func seal(_ plain: UnsafeRawBufferPointer, into sealed: inout [UInt8]) -> Bool {
            sealed += plain.map { $0 ^ 0x5A }
            return true
        }

        func end(into sealed: inout [UInt8]) { sealed += "bye".utf8 }
    }

    let hosts = Mutex<[String]>([])

    private let lacksFile: Bool
    /// Its files are on a disk that does not answer before a signal.
    private let disk: DispatchSemaphore?

    init(lacksFile: Bool = false, disk: DispatchSemaphore? = nil) { (self.lacksFile, self.disk) = (lacksFile, disk) }

    func connection(to host: String, at locator: String) throws(ZenohError) -> any ZenohTLSConnection {
        hosts.withLock { $0.append(host) }
        if let disk {
            disk.wait()
            // For the next one, too.
            disk.signal()
        }
        guard !lacksFile else {
            throw ZenohError(.invalidConfiguration, "the certificate file 'missing' cannot be read")
        }
        return Connection()
    }
}

/// The router's end: bytes only.
private final class RawRouter: Sendable {
    let port: UInt16
    private let listener: SocketHandle
    private let socket = Mutex<SocketHandle?>(nil)
    private let received = Mutex<[UInt8]>([])

    init() throws { (listener, port) = try SocketHandle.listen(on: .loopback) }

    /// Takes the next connection, and forgets what came over the one before.
    func accept() async throws {
        let isHere = await eventually {
            guard case .connection(let socket) = listener.acceptNext() else { return false }
            self.socket.withLock { $0 = socket }
            return true
        }
        try #require(isHere)
        received.withLock { $0 = [] }
    }

    func send(_ bytes: [UInt8]) throws {
        let socket = try #require(socket.withLock { $0 })
        #expect(bytes.withUnsafeBytes { socket.write($0) } == .moved(bytes.count))
    }

    func drop() { socket.withLock { $0 = nil } }

    /// Waits until all that was received ends with those bytes.
    func receive(endingWith end: [UInt8]) async throws {
        let socket = try #require(socket.withLock { $0 })
        let isHere = await eventually {
            withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
                while case .moved(let count) = socket.read(into: buffer) {
                    let bytes = Array(buffer[..<count])
                    received.withLock { $0 += bytes }
                }
            }
            return received.withLock { $0.suffix(end.count).elementsEqual(end) }
        }
        try #require(isHere, "\(received.withLock { $0 })")
    }
}

@Suite(.serialized, .timeLimit(.minutes(MachinePace.minutes(1)))) struct SecureLoopbackTests {
    private static func configuration(
        _ router: RawRouter, _ provider: FakeTLS
    ) throws -> ZenohConfiguration {
        try ZenohConfiguration(locator: "tls/localhost:\(router.port)", security: provider)
    }

    /// What opens a session.
    private static let answers = batch("61 09 00 01 0A FFFF 01 AA") + batch("62 0A 05")

    private static func sealed(_ bytes: [UInt8]) -> [UInt8] { bytes.map { $0 ^ 0x5A } }

    @Test func `everything after the handshake is sealed, and the end is said`() async throws {
        let (router, provider) = (try RawRouter(), FakeTLS())
        let client = try ZenohClient(configuration: try Self.configuration(router, provider))
        try await router.accept()
        try await router.receive(endingWith: Array("hello".utf8))
        // In pieces; no session is begun before it is complete.
        try router.send(Array("wel".utf8))
        try router.send(Array("come".utf8))
        var machine = SessionMachine(SessionMachine.Settings(id: client.id), now: .zero)
        try await router.receive(endingWith: Array("hello".utf8) + Self.sealed(machine.takeOutput()))
        try router.send(Self.sealed(Self.answers))
        try await client.waitForSession(within: .patient(seconds: 20))
        let publisher = try client.publisher(of: "k")
        #expect(publisher.put([7]) == .sent)
        try await router.receive(endingWith: Self.sealed([1, 7]))
        await client.shutdown()
        try await router.receive(endingWith: Self.sealed(batch("23 00")) + Array("bye".utf8))
        #expect(provider.hosts.withLock { $0 } == ["localhost"])
    }

    @Test func `what came before the end counts, such as the router's reason`() async throws {
        let (router, provider) = (try RawRouter(), FakeTLS())
        let events = Mutex<[String]>([])
        var configuration = try Self.configuration(router, provider)
        configuration.onEvent = { event in events.withLock { $0.append(event.description) } }
        let client = try ZenohClient(configuration: configuration)
        try await router.accept()
        try router.send(Array("welcome".utf8))
        var machine = SessionMachine(SessionMachine.Settings(id: client.id), now: .zero)
        try await router.receive(endingWith: Self.sealed(machine.takeOutput()))
        try router.send(Self.sealed(Self.answers + batch("23 03")) + [FakeTLS.Connection.end])
        #expect(await eventually { events.withLock { $0.contains { $0.contains("it has too many sessions") } } })
        await client.shutdown()
    }

    @Test func `the end is noticed with what came before it, though the socket stays open`() async throws {
        let (router, provider) = (try RawRouter(), FakeTLS())
        let events = Mutex<[String]>([])
        let samples = Mutex<[[UInt8]]>([])
        var configuration = try Self.configuration(router, provider)
        configuration.checkPeriod = .seconds(3600)
        configuration.onEvent = { event in events.withLock { $0.append(event.description) } }
        let client = try ZenohClient(configuration: configuration)
        try await router.accept()
        try router.send(Array("welcome".utf8))
        var machine = SessionMachine(SessionMachine.Settings(id: client.id), now: .zero)
        try await router.receive(endingWith: Self.sealed(machine.takeOutput()))
        try router.send(Self.sealed(Self.answers))
        try await client.waitForSession(within: .patient(seconds: 20))
        let subscriber = try client.subscribe(to: "k") { sample in
            let payload = Array(sample.payload)
            samples.withLock { $0.append(payload) }
        }
        // The subscription is declared.
        try await router.receive(endingWith: Self.sealed(wire("01 'k'")))
        try router.send(Self.sealed(batch("25 05 7D 00 01 'k' 01 01 07")) + [FakeTLS.Connection.end])
        #expect(await eventually { events.withLock { $0.contains { $0.contains("it says that nothing more comes") } } })
        #expect(samples.withLock { $0 } == [[7]])
        withExtendedLifetime(subscriber) {}
        await client.shutdown()
    }

    @Test(arguments: [false, true])
    func `a router that is not trusted is told so, and whoever waits knows at once`(_ isLate: Bool) async throws {
        let (router, provider) = (try RawRouter(), FakeTLS())
        let events = Mutex<[String]>([])
        var configuration = try Self.configuration(router, provider)
        configuration.onEvent = { event in events.withLock { $0.append(event.description) } }
        let client = try ZenohClient(configuration: configuration)
        try await router.accept()
        try router.send(Array("wrong".utf8))
        // It does not matter which of both is first.
        if isLate { #expect(await eventually { events.withLock { !$0.isEmpty } }) }
        // Far longer than the test may take.
        let error = await #expect(throws: ZenohError.self) { try await client.waitForSession(within: .seconds(3600)) }
        #expect(error?.code == .untrusted)
        #expect(
            error?.description == "its certificate is a fake; trust it")
        try await router.receive(endingWith: Array("alert".utf8) + Array("bye".utf8))
        // It tries again.
        try await router.accept()
        try await router.receive(endingWith: Array("hello".utf8))
        await client.shutdown()
    }

    @Test func `a router that closes in the handshake, or a file that cannot be read, is named`() async throws {
        let (router, provider) = (try RawRouter(), FakeTLS())
        let events = Mutex<[String]>([])
        var configuration = try Self.configuration(router, provider)
        configuration.openTimeout = Duration.seconds(1) * MachinePace.factor
        configuration.onEvent = { event in events.withLock { $0.append(event.description) } }
        let client = try ZenohClient(configuration: configuration)
        try await router.accept()
        router.drop()
        func hasSaid(_ words: String) async -> Bool {
            await eventually { events.withLock { $0.contains { $0.contains(words) } } }
        }
        #expect(await hasSaid("closed the connection in the TLS handshake"))
        // The next one says nothing.
        try await router.accept()
        #expect(await hasSaid("(no answer); does rmw_zenohd listen on 'tls/' there?"))
        await client.shutdown()

        let other = try ZenohClient(configuration: try Self.configuration(router, FakeTLS(lacksFile: true)))
        let error = await #expect(throws: ZenohError.self) { try await other.waitForSession(within: .seconds(3600)) }
        #expect(error?.code == .invalidConfiguration)
        #expect(error?.what.contains("'missing' cannot be read") == true)
        await other.shutdown()
    }

    @Test func `nothing but its own thread waits for a disk that has the files of TLS`() async throws {
        let (router, disk) = (try RawRouter(), DispatchSemaphore(value: 0))
        let provider = FakeTLS(disk: disk)
        let events = Mutex<[String]>([])
        var configuration = try Self.configuration(router, provider)
        configuration.openTimeout = Duration.seconds(1) * MachinePace.factor
        configuration.onEvent = { event in events.withLock { $0.append(event.description) } }
        let client = try ZenohClient(configuration: configuration)
        #expect(await eventually { provider.hosts.withLock { !$0.isEmpty } })
        // The I/O thread says so.
        let error = await #expect(throws: ZenohError.self) { try await client.waitForSession(within: .milliseconds(1)) }
        #expect(error?.code == .timedOut)
        // An attempt ends in time, and the next one has no thread of its own.
        let words = "the files of TLS were not read in time; does the disk that has them answer?"
        let hasSaid = await eventually { events.withLock { $0.count { $0.hasSuffix(words) } } >= 2 }
        #expect(hasSaid, "\(events.withLock { $0 })")
        #expect(provider.hosts.withLock { $0 } == ["localhost"])
        disk.signal()
        try await router.accept()
        try await router.receive(endingWith: Array("hello".utf8))
        await client.shutdown()
    }
}
