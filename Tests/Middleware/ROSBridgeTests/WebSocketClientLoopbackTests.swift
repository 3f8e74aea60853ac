import IntegrationKit
import ROSBridge
import Synchronization
import SystemIO
import Testing

/// A server of which the test says each byte.
private final class ScriptedServer: Sendable {
    final class Connection: Sendable {
        private let socket: SocketHandle
        private let received = Mutex<[UInt8]>([])
        private let hasEnded = Mutex(false)

        init(_ socket: SocketHandle) { self.socket = socket }

        func send(_ bytes: [UInt8]) { #expect(bytes.withUnsafeBytes { socket.write($0) } == .moved(bytes.count)) }

        func end() { socket.end() }

        /// Waits until what has been received fulfils a condition.
        func awaits(_ condition: ([UInt8]) -> Bool) async -> Bool {
            await eventually {
                read()
                return condition(received.withLock { $0 })
            }
        }

        /// Answers the request for a WebSocket, and forgets it.
        func open() async throws {
            let isHere = await awaits { $0.suffix(4) == [13, 10, 13, 10] }
            try #require(isHere)
            let request = String(decoding: received.withLock { $0 }, as: UTF8.self)
            let key = request.split(separator: "\r\n").first { $0.hasPrefix("Sec-WebSocket-Key: ") }?.dropFirst(19)
            let accept = WebSocketHandshake.acceptance(of: String(try #require(key)))
            received.withLock { $0 = [] }
            send(
                Array(
                    ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        + "Sec-WebSocket-Accept: \(accept)\r\n\r\n").utf8))
        }

        /// The payload of the next frame of that kind, without its mask.
        func frame(_ first: UInt8) async throws -> [UInt8] {
            // Short ones only.
            let isHere = await awaits { $0.count >= 6 && $0.count >= 6 + Int($0[1] & 0x7F) }
            try #require(isHere)
            return received.withLock { bytes in
                let count = Int(bytes[1] & 0x7F)
                #expect(bytes[0] == first && bytes[1] & 0x80 != 0)
                let key = Array(bytes[2..<6])
                let payload = bytes[6..<6 + count].enumerated().map { $0.element ^ key[$0.offset % 4] }
                bytes.removeFirst(6 + count)
                return payload
            }
        }

        /// Waits until the client has ended the connection.
        func isLeft() async -> Bool {
            await eventually {
                read()
                return hasEnded.withLock { $0 }
            }
        }

        private func read() {
            withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
                while true {
                    switch socket.read(into: buffer) {
                    case .moved(let count): received.withLock { $0 += buffer[..<count] }
                    case .wouldBlock: return
                    case .ended, .failed: return hasEnded.withLock { $0 = true }
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

@Suite(.serialized, .timeLimit(.minutes(MachinePace.minutes(1)))) struct WebSocketClientLoopbackTests {
    private final class Texts: Sendable {
        private let all = Mutex<[String]>([])
        func add(_ text: [UInt8]) { all.withLock { $0.append(String(decoding: text, as: UTF8.self)) } }
        var list: [String] { all.withLock { $0 } }
    }

    private static func connect(
        _ port: UInt16, within timeout: Duration = .patient(seconds: 10), _ texts: Texts = Texts(), most: Int = 1000
    ) async throws -> WebSocketClient {
        try await WebSocketClient.connect(
            to: .init(host: "127.0.0.1", port: port, maximumMessageBytes: most), within: timeout
        ) { texts.add($0) }
    }

    /// The error with which connecting fails.
    private static func failure(_ port: UInt16, within timeout: Duration = .patient(seconds: 10)) async
        -> ROSBridgeError?
    {
        do {
            await (try connect(port, within: timeout)).close()
            return nil
        } catch { return error as? ROSBridgeError }
    }

    private static func opened(
        _ texts: Texts = Texts()
    ) async throws -> (client: WebSocketClient, server: ScriptedServer.Connection, listener: ScriptedServer) {
        let listener = try ScriptedServer()
        async let connecting = connect(listener.port, texts)
        let server = try await listener.accept()
        try await server.open()
        return (try await connecting, server, listener)
    }

    @Test func `messages go both ways, and a ping is answered`() async throws {
        let texts = Texts()
        let (client, server, _) = try await Self.opened(texts)
        #expect(try client.send(Array("up".utf8), limit: 1000))
        #expect(try await server.frame(0x81) == Array("up".utf8))
        server.send(
            serverFrame(0x01, Array("do".utf8)) + serverFrame(0x89, [7, 8]) + serverFrame(0x80, Array("wn".utf8)))
        #expect(try await server.frame(0x8A) == [7, 8])
        #expect(await eventually { texts.list == ["down"] })
        #expect(client.failure == nil)
        async let closing: Void = client.close()
        #expect(try await server.frame(0x88) == [0x03, 0xE8])
        server.send(serverFrame(0x88, [0x03, 0xE8]))
        await closing
        #expect(await server.isLeft() && client.failure?.code == .closed)
    }

    @Test func `closing does not wait for a server that does not answer it`() async throws {
        let (client, server, _) = try await Self.opened()
        await client.close()
        #expect(await server.isLeft())
        do throws(ROSBridgeError) {
            _ = try client.send([0x61], limit: 1000)
            Issue.record("sent without a connection")
        } catch { #expect(error.code == .closed) }
        await client.close()
    }

    @Test func `a server that ends the connection is named with its reason`() async throws {
        let (client, server, _) = try await Self.opened()
        server.send(serverFrame(0x88, [0x03, 0xE9] + Array("going\naway".utf8)))
        #expect(try await server.frame(0x88) == [0x03, 0xE9])
        #expect(await eventually { client.failure?.code == .notConnected })
        #expect(client.failure?.what.contains("(1001: going away)") == true, "\(client.failure as Any)")
        await client.close()
        let (other, second, _) = try await Self.opened()
        second.end()
        #expect(await eventually { other.failure?.code == .notConnected })
        await other.close()
    }

    @Test(arguments: [
        (serverFrame(0xC1, []), ROSBridgeError.Code.protocolViolation), (serverFrame(0x82, [1]), .protocolViolation),
        (serverFrame(0x81, [UInt8](repeating: 0x61, count: 1001)), .tooLarge),
    ])
    func `hostile bytes end the connection with an error`(_ bytes: [UInt8], _ code: ROSBridgeError.Code) async throws {
        let (client, server, _) = try await Self.opened()
        server.send(bytes)
        #expect(await eventually { client.failure?.code == code }, "\(client.failure as Any)")
        #expect(try await server.frame(0x88) == [0x03, 0xEA])
        #expect(await server.isLeft())
        await client.close()
    }

    @Test func `where nothing listens the error says so at once, with a hint`() async throws {
        let error = try #require(await Self.failure(try freePort()))
        #expect(error.code == .unreachable && error.what.contains("127.0.0.1") && error.hint.contains("roslaunch"))
    }

    @Test func `a server that is silent, ends, or is another one does not keep the client waiting`() async throws {
        let silent = try ScriptedServer()
        async let first = Self.failure(silent.port, within: .milliseconds(300))
        let kept = try await silent.accept()
        #expect(await first?.code == .timedOut)
        #expect(await kept.isLeft())
        async let second = Self.failure(silent.port)
        (try await silent.accept()).end()
        #expect(await second?.what.contains("before it had answered") == true)
        async let third = Self.failure(silent.port)
        (try await silent.accept()).send(Array("SSH-2.0-OpenSSH_9.2\r\n".utf8))
        #expect(await third?.code == .refused)
    }

    @Test func `connecting can be cancelled`() async throws {
        let listener = try ScriptedServer()
        let connecting = Task { await Self.failure(listener.port) }
        let server = try await listener.accept()
        connecting.cancel()
        #expect(await connecting.value?.code == .cancelled)
        #expect(await server.isLeft())
    }

    @Test func `a server that reads nothing is not sent more than the limit`() async throws {
        let (client, server, _) = try await Self.opened()
        let message = [UInt8](repeating: 0x61, count: 64 << 10)
        var isFull = false
        // The buffers of both sockets have a few megabytes.
        for _ in 0..<2000 where !isFull { isFull = try !client.send(message, limit: 32 << 10) }
        #expect(isFull)
        await client.close()
        #expect(await server.isLeft())
    }
}
