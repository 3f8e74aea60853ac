#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import ChannelProtocol
internal import UAVLink

/// Sends what sessions have due over their routes, from one kept buffer.
struct FrameSender {
    private let sockets: ServerSockets
    private let outgoing = FrameBuffer()

    init(sockets: ServerSockets) { self.sockets = sockets }

    /// Sends all frames that are due; a connection that fails is closed.
    ///
    /// - Returns: how many frames were sent.
    func send(_ served: ServedSession, _ telemetry: Telemetry?, _ messages: MessageLog, now: MonotonicTime) -> UInt64 {
        switch served.route {
        case .none: return 0
        case .datagram(let address):
            var count: UInt64 = 0
            while true {
                let length = served.session.nextFrame(
                    into: outgoing.bytes, now: now, telemetry: telemetry, messages: messages)
                guard length > 0 else { return count }
                // A datagram that the kernel does not accept is lost.
                _ = address.withSockaddr {
                    sendto(sockets.datagrams.descriptor, outgoing.bytes.baseAddress, length, 0, $0, $1)
                }
                count += 1
            }
        case .connection(let connection):
            guard !connection.isClosed else {
                served.route = .none
                return 0
            }
            return send(served, over: connection, telemetry, messages, now: now)
        }
    }

    private func send(
        _ served: ServedSession, over connection: ServerConnection, _ telemetry: Telemetry?, _ messages: MessageLog,
        now: MonotonicTime
    ) -> UInt64 {
        var count: UInt64 = 0
        do throws(StreamFraming.Failure) {
            while !connection.framing.isBlocked {
                let length = served.session.nextFrame(
                    into: connection.framing.outgoingFrameBuffer, now: now, telemetry: telemetry, messages: messages)
                guard length > 0 else { return count }
                try connection.framing.send(length: length, to: connection.handle.descriptor)
                count += 1
            }
        } catch {
            connection.isClosed = true
            served.route = .none
        }
        return count
    }

    /// Seals the next frame that is due, to be sent as a datagram by the caller; `nil` if none is.
    func seal(_ served: ServedSession, _ telemetry: Telemetry?, _ messages: MessageLog, now: MonotonicTime) -> [UInt8]?
    {
        let length = served.session.nextFrame(into: outgoing.bytes, now: now, telemetry: telemetry, messages: messages)
        return length > 0 ? Array(outgoing.bytes[..<length]) : nil
    }
}
