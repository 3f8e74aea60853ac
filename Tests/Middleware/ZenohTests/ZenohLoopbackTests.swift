import CAllocationCounter
import IntegrationKit
import Synchronization
import SystemIO
import Testing
import Threads

@testable import Zenoh

/// A router of which the test says each byte.
private final class ScriptedRouter: Sendable {
    /// A connection of a client.
    final class Connection: Sendable {
        private struct Received {
            var assembler = BatchAssembler()
            var batches: [[UInt8]] = []
        }

        private let socket: SocketHandle
        private let received = Mutex(Received())
        /// The answers that open a session.
        private static let answers = batch("61 09 00 01 0A FFFF 01 AA") + batch("62 0A 05")

        init(_ socket: SocketHandle) { self.socket = socket }

        func send(_ bytes: [UInt8]) { #expect(bytes.withUnsafeBytes { socket.write($0) } == .moved(bytes.count)) }

        /// Opens the session.
        func open() async throws {
            send(Self.answers)
            let first = try await batches(2)
            #expect(first[0].starts(with: wire("C1 09 F2")) && first[1] == wire("42 0A 00 01 AA"))
        }

        /// Everything that was received, at least so many batches.
        func batches(_ count: Int) async throws -> [[UInt8]] {
            let isHere = await eventually {
                read()
                return received.withLock { $0.batches.count } >= count
            }
            try #require(isHere)
            return received.withLock { $0.batches }
        }

        private func read() {
            withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
                while case .moved(let count) = socket.read(into: buffer) {
                    received.withLock { received in
                        received.assembler.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                        while let batch = received.assembler.next() {
                            // Not the signs of life, which come when a machine is slow.
                            let bytes = Array(received.assembler.storage[batch])
                            if bytes != [0x04] { received.batches.append(bytes) }
                        }
                    }
                }
            }
        }
    }

    let port: UInt16
    private let listener: SocketHandle

    init() throws { (listener, port) = try SocketHandle.listen(on: .loopback) }

    func accept() async throws -> Connection {
        let taken = Mutex<SocketHandle?>(nil)
        let isHere = await eventually {
            if case .connection(let socket) = listener.acceptNext() { taken.withLock { $0 = socket } }
            return taken.withLock { $0 != nil }
        }
        try #require(isHere)
        return Connection(try #require(taken.withLock { $0 }))
    }
}

@Suite(.serialized, .timeLimit(.minutes(MachinePace.minutes(1)))) struct ZenohLoopbackTests {
    private static func client(
        _ router: ScriptedRouter, _ change: (inout ZenohConfiguration) -> Void = { _ in }
    ) throws -> ZenohClient {
        var configuration = ZenohConfiguration(host: "127.0.0.1", port: router.port)
        configuration.checkPeriod = .seconds(3600)
        change(&configuration)
        return try ZenohClient(configuration: configuration)
    }

    @Test func `after hostile bytes everything is declared again, and a waiting query fails`() async throws {
        let router = try ScriptedRouter()
        let events = Mutex<[String]>([])
        let client = try Self.client(router) { configuration in
            configuration.onEvent = { event in events.withLock { $0.append(event.description) } }
        }
        let first = try await router.accept()
        try await first.open()
        try await client.waitForSession(within: .patient(seconds: 20))
        let subscriber = try client.subscribe(to: "a/*") { _ in }
        let queryable = try client.serve("s") { $0.fail([1]) }
        let token = try client.declareToken("t")
        let watch = try client.watchTokens(matching: "t/**") { _ in }
        let gone = try client.declareToken("gone")
        gone.cancel()
        let declared = try await first.batches(8)
        #expect(declared.last == wire("25 05 1E 07 05"))

        let answer = Mutex<ZenohError.Code?>(nil)
        client.query(ZenohQuestion(key: "q"), timeout: .seconds(60)) { result in
            if case .failure(let error) = result { answer.withLock { $0 = error.code } }
        }
        _ = try await first.batches(9)
        // A key with an alias that was never declared.
        first.send(batch("25 05 5D 09 01 00"))
        let second = try await router.accept()
        try await second.open()
        let again = try await second.batches(3)
        #expect(
            again.dropFirst(2).first
                == wire(
                    "25 00 1E 66 03 00 01 't' 1E E4 02 00 01 's' 21 01 1E 62 01 00 03 'a/*' 79 04 78 00 04 't/**'"))
        #expect(answer.withLock { $0 } == .connectionLost)
        #expect(events.withLock { $0.contains { $0.contains("alias 9") } })
        await client.shutdown()
        // Until here, so that nothing is withdrawn before.
        withExtendedLifetime((subscriber, queryable, token, watch)) {}
        #expect(try await second.batches(4).last == wire("23 00"))
    }

    @Test func `what the router does not name any more is declared again, with all else`() async throws {
        let router = try ScriptedRouter()
        let events = Mutex<[String]>([])
        let client = try Self.client(router) { configuration in
            configuration.checkPeriod = .milliseconds(300) * MachinePace.factor
            configuration.onEvent = { event in events.withLock { $0.append(event.description) } }
        }
        let connection = try await router.accept()
        try await connection.open()
        try await client.waitForSession(within: .seconds(20))
        let watch = try client.watchTokens(matching: "w") { _ in }
        let queryable = try client.serve("s") { $0.fail([1]) }
        let token = try client.declareToken("t")
        // What was declared, then a question that has the largest number but one.
        let asked = try await connection.batches(6)
        #expect(asked[5].starts(with: wire("25 03 39 FEFFFFFF0F 78 00 01 't'")))
        connection.send(batch("25 05 BE FEFFFFFF0F 21 08 66 00 00 01 't' BE FEFFFFFF0F 21 08 1A"))
        let second = try await connection.batches(7)
        #expect(second[6].starts(with: wire("25 04 39 FDFFFFFF0F 78 00 01 't'")))
        connection.send(batch("25 06 BE FDFFFFFF0F 21 08 1A"))
        let again = try await connection.batches(8)
        #expect(
            again[7] == wire("25 05 1E 66 03 00 01 't' 1E E4 02 00 01 's' 21 01 19 01 79 01 78 00 01 'w'"))
        #expect(events.withLock { $0.contains { $0.contains("does not know 't' any more") } })
        withExtendedLifetime((watch, queryable, token)) {}
        await client.shutdown()
    }

    @Test func `queries are answered, finished when nobody answers, and replies after the end are dropped`()
        async throws
    {
        let router = try ScriptedRouter()
        let client = try Self.client(router)
        let kept = Mutex<[ZenohQuery]>([])
        let queryable = try client.serve("s/*") { query in
            if query.parameters == "keep" { kept.withLock { $0.append(query) } }
        }
        let connection = try await router.accept()
        try await connection.open()
        _ = try await connection.batches(3)
        connection.send(batch("25 05 7C 01 00 03 's/a' 03 7C 02 00 03 's/b' 43 04 'keep' 7C 03 00 01 'x' 03"))
        let ends = try await connection.batches(5)
        #expect(ends[3] == wire("25 01 1A 01") && ends[4] == wire("25 02 1A 03"))
        let query = try #require(kept.withLock { $0.popLast() })
        #expect(query.key == "s/b")
        #expect(query.reply(payload: [7], isLast: false) == .sent)
        #expect(query.reply(payload: [8]) == .sent)
        #expect(query.reply(payload: [9]) == .dropped)
        let replies = try await connection.batches(7)
        #expect(replies[5] == wire("25 03 FB 02 00 03 's/b' 21 1D 04 01 01 07"))
        #expect(replies[6] == wire("25 04 FB 02 00 03 's/b' 21 1D 04 01 01 08 1A 02"))
        withExtendedLifetime(queryable) {}
        await client.shutdown()
    }

    @Test func `a router that does not read costs bounded memory and no broken bytes`() async throws {
        let router = try ScriptedRouter()
        let client = try Self.client(router) { $0.maximumWaitingBytes = 1 << 20 }
        let connection = try await router.accept()
        try await connection.open()
        try await client.waitForSession(within: .patient(seconds: 20))
        let payload = [UInt8](repeating: 1, count: 100_000)
        let steering = try client.publisher(of: "d")
        let log = try client.publisher(of: "b", qos: ZenohQoS(blocks: true))
        var sent = 0
        while steering.put(payload) == .sent, sent < 1000 { sent += 1 }
        // Its end waits, and so do those that must not be lost, as far as there is room.
        #expect(sent < 1000)
        var waiting = 0
        while log.put(payload) == .sent, waiting < 1000 { waiting += 1 }
        // The system may take some of them meanwhile, once the router's end has acknowledged what came before.
        #expect((5...150).contains(waiting))
        let whole = sent + waiting
        let fragments = try await connection.batches(2 + whole * 2).dropFirst(2)
        let now = Duration.zero
        var machine = SessionMachine(SessionMachine.Settings(id: try #require(ZenohID([2]))), now: now)
        var stream = batch("61 09 00 01 0A FFFF 01 AA") + batch("62 0A 00")
        for part in fragments { stream += [UInt8(part.count & 0xFF), UInt8(part.count >> 8)] + part }
        stream.withUnsafeBytes { machine.receive($0, now: now) }
        var found = 0
        while let event = try machine.next(now: now) {
            if case .message(.push(_, _, let publication), _, _) = event, publication.payload.count == 100_000 {
                found += 1
            }
        }
        #expect(found == whole)
        #expect(steering.put([1]) == .sent)
        await client.shutdown()
    }

    @Test(.enabled(if: uavlink_thread_allocations() >= 0, "this C library's allocations cannot be counted"))
    func `a publication in the steady state costs no allocation`() async throws {
        let router = try ScriptedRouter()
        let client = try Self.client(router)
        let connection = try await router.accept()
        try await connection.open()
        try await client.waitForSession(within: .patient(seconds: 20))
        let publisher = try client.publisher(of: "0/setpoint")
        // As those of ROS 2; all together fit what the system holds for a socket.
        let (payload, attachment) = ([UInt8](repeating: 1, count: 100), [UInt8](repeating: 2, count: 33))
        // On a thread of its own: a task could change threads in the middle.
        let counted = await DedicatedThread.run { () -> (allocations: Int64, sent: Int) in
            var (first, sent): (Int64, Int) = (0, 0)
            payload.withUnsafeBytes { payload in
                attachment.withUnsafeBytes { attachment in
                    for number in 0..<400 {
                        // The first hundred may still warm something up.
                        if number == 100 { first = uavlink_thread_allocations() }
                        if publisher.put(payload, attachment: attachment) == .sent { sent += 1 }
                    }
                }
            }
            return (uavlink_thread_allocations() - first, sent)
        }
        let result = try #require(counted)
        #expect(result.sent == 400)
        #expect(result.allocations == 0)
        // Those that open the session are the first two.
        #expect(try await connection.batches(402).count == 402)
        await client.shutdown()
    }

    @Test func `a silent router is left after its lease`() async throws {
        let router = try ScriptedRouter()
        let events = Mutex<[String]>([])
        let client = try Self.client(router) { configuration in
            configuration.openTimeout = Duration.seconds(1) * MachinePace.factor
            configuration.onEvent = { event in events.withLock { $0.append(event.description) } }
        }
        let mute = try await router.accept()
        let next = try await router.accept()
        // A lease of 300 ms.
        next.send(batch("61 09 00 01 0A FFFF 00") + batch("22 AC02 00"))
        let last = try await router.accept()
        #expect(events.withLock { $0.contains { $0.contains("no sign of life") } })
        try await last.open()
        withExtendedLifetime(mute) {}
        await client.shutdown()
    }
}
