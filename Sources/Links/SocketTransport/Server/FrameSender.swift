#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import ChannelProtocol
internal import SystemIO
internal import UAVLink

/// Sends what sessions have due over their routes, from one kept buffer.
final class FrameSender {
    private let sockets: ServerSockets
    private let outgoing = FrameBuffer()
    /// What goes to every ground.
    var publication = Publication()
    /// Frames given to the network.
    private(set) var framesSent: UInt64 = 0

    init(sockets: ServerSockets) { self.sockets = sockets }

    /// Sends all frames that are due; a connection that fails is closed.
    func send(_ served: ServedSession, now: MonotonicTime) {
        switch served.route {
        case .none: break
        case .datagram(let address):
            while true {
                let length = nextFrame(of: served, into: outgoing.bytes, now: now)
                guard length > 0 else { return }
                // A datagram that the kernel does not accept is lost.
                _ = address.withSockaddr {
                    sendto(sockets.datagrams.descriptor, outgoing.bytes.baseAddress, length, 0, $0, $1)
                }
                framesSent += 1
            }
        case .connection(let connection):
            guard !connection.isClosed else {
                served.route = .none
                return
            }
            send(served, over: connection, now: now)
        }
    }

    private func send(_ served: ServedSession, over connection: ServerConnection, now: MonotonicTime) {
        do throws(StreamFraming.Failure) {
            while !connection.framing.isBlocked {
                let length = nextFrame(of: served, into: connection.framing.outgoingFrameBuffer, now: now)
                guard length > 0 else { return }
                try connection.framing.send(length: length, to: connection.handle.descriptor)
                framesSent += 1
            }
        } catch {
            connection.isClosed = true
            served.route = .none
        }
    }

    /// Sends the answer that was just stored, or leaves its datagram to the caller, who sends it outside the server's lock.
    ///
    /// - Parameter wakesAt: when the thread wakes by itself.
    func send(answerOf served: ServedSession, wakesAt: MonotonicTime, now: MonotonicTime) -> AnswerOutcome {
        var outcome = AnswerOutcome()
        switch served.route {
        case .datagram(let address):
            let length = nextFrame(of: served, into: outgoing.bytes, now: now)
            if length > 0 {
                framesSent += 1
                outcome.datagram = (Array(outgoing.bytes[..<length]), address)
            }
        case .none, .connection: send(served, now: now)
        }
        // The thread sends what the connection does not accept now, and the remaining fragments of an answer.
        let deadline = served.session.nextDeadline(telemetry: publication.telemetry, hasMessages: false)
        outcome.wakes = deadline < wakesAt || served.route.isBlocked
        return outcome
    }

    private func nextFrame(
        of served: ServedSession, into buffer: UnsafeMutableRawBufferPointer, now: MonotonicTime
    ) -> Int {
        served.session.nextFrame(
            into: buffer, now: now, telemetry: publication.telemetry, poseStampedAt: publication.poseStampedAt,
            messages: publication.messages)
    }
}
