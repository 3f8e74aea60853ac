#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif
import IntegrationKit
import SystemIO
import UAVLink

@testable import ChannelProtocol
@testable import SocketTransport

/// A ground that is its keys and nothing more: what it sends, when, and over which socket, is the test's.
final class BareGround {
    let ticket: ChannelTicket
    private let keys: Handshake.Keys
    private let random = SecureRandom.bytes(ChannelLimits.handshakeRandom)
    private let cipher: FrameCipher
    private let capacity = FrameBuffer()

    init(_ ticket: ChannelTicket) throws {
        self.ticket = ticket
        keys = try Handshake.Keys(ticket.key)
        cipher = try FrameCipher(session: ticket.session.value, key: ticket.key, helloRandom: random, sending: .up)
    }

    /// The same each time, as the protocol wants it.
    var hello: [UInt8] {
        let length = Handshake.seal(
            Handshake.Hello(version: channelProtocolVersion, sent: 1), session: ticket.session.value, random: random,
            keys: keys, into: capacity.bytes)
        return Array(capacity.bytes[..<length])
    }

    /// A new heartbeat that wants an answer.
    var heartbeat: [UInt8] {
        var heartbeat = Heartbeat()
        heartbeat.wantsReply = true
        let length = cipher.seal(into: capacity.bytes) { heartbeat.write(&$0) }
        return Array(capacity.bytes[..<length])
    }
}

/// A socket that is connected to a server's port, on the loopback if no address is given, and closes only when it is dropped.
final class BareSocket: Sendable {
    private let handle: SocketHandle
    private let isStream: Bool

    /// A socket that has asked for nothing yet.
    init(stream: Bool) throws {
        guard let handle = SocketHandle.make(family: AF_INET, stream: stream) else { throw BareFailure(errno) }
        self.handle = handle
        isStream = stream
    }

    /// Begins to connect; over TCP that may take its time.
    func connect(to port: UInt16, at target: String = "127.0.0.1", from host: String = "127.0.0.1") throws {
        for (address, isCustom) in [(host, true), (target, false)] {
            let found = SocketAddress.resolve(host: address, port: isCustom ? 0 : port, numeric: true)
            guard let address = found.first else { throw BareFailure(EINVAL) }
            let failed = address.withSockaddr { address, length in
                isCustom
                    ? bind(handle.descriptor, address, length)
                    : systemConnect(handle.descriptor, address, length)
            }
            guard failed == 0 || errno == EINPROGRESS else { throw BareFailure(errno) }
        }
    }

    /// Waits until the frame has gone.
    func send(_ frame: [UInt8]) async -> Bool {
        let length = frame.count
        let bytes =
            isStream ? [UInt8(truncatingIfNeeded: length), UInt8(truncatingIfNeeded: length >> 8)] + frame : frame
        return await eventually {
            bytes.withUnsafeBytes { systemSend(handle.descriptor, $0.baseAddress, $0.count) } == bytes.count
        }
    }

    /// Whether the other end has closed the connection; what it sent is thrown away.
    var isClosedByPeer: Bool {
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(handle.descriptor, &bytes, bytes.count, 0)
            if count > 0 { continue }
            return count == 0 || (errno != EAGAIN && errno != EWOULDBLOCK)
        }
    }

    /// Whether something has come.
    var hasAnswer: Bool {
        var byte: UInt8 = 0
        return recv(handle.descriptor, &byte, 1, peek) > 0
    }
}

struct BareFailure: Error {
    let number: Int32
    init(_ number: Int32) { self.number = number }
}

private func systemConnect(_ socket: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t) -> Int32 {
    connect(socket, address, size)
}

#if canImport(Glibc)
    private let peek = Int32(MSG_PEEK)
    private func systemSend(_ socket: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
        send(socket, bytes, count, Int32(MSG_NOSIGNAL))
    }
#else
    private let peek = MSG_PEEK
    private func systemSend(_ socket: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
        send(socket, bytes, count, 0)
    }
#endif
