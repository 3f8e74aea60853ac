internal import MachineLink
internal import Synchronization
internal import SystemIO
internal import Threads
package import UAVLink

extension TelloLink: MachineVideo {
    /// The ground's UDP port for the drone's video.
    package static let videoPort: UInt16 = 11_111

    /// A key frame, with which a decoder can begin, comes about once a second; nothing at all after so long is none.
    private static let firstPiece: Duration = .seconds(5)
    /// A stream that was there and has stopped for so long has ended.
    private static let silence: Duration = .seconds(5)
    /// Beginning and end are sent twice where no answer comes: they change nothing when repeated.
    private static let attempts = 2
    private static let answer: Duration = .seconds(5)
    /// A drone that does not answer the end sends on to nobody; the program does not wait for it any longer.
    private static let goodbye: Duration = .milliseconds(500)
    private static let look: Duration = .milliseconds(100)
    /// Longer than any datagram of the stream (1460 bytes).
    private static let bufferBytes = 4096

    /// See ``UAVLink/MachineVideo``: H.264 (Annex B), 960 x 720.
    package func receiveVideo(
        for duration: Duration, _ take: @escaping @Sendable (ArraySlice<UInt8>, VideoProgress) -> Bool
    ) async throws(LinkError) -> VideoProgress {
        guard let peer = core.sockets?.peer else {
            throw LinkError(.notConnected, "the Tello is not connected", hint: "connect first")
        }
        let socket: DatagramSocket
        do throws(SocketError) {
            socket = try DatagramSocket(bound: .init(.any, port: settings.videoPort))
        } catch {
            throw LinkError(.unreachable, error.what, hint: error.hint)
        }
        do throws(LinkError) { try await turnVideoOn() } catch {
            // It may have obeyed, and its answer be lost.
            if error.code != .remoteFailed { await turnVideoOff() }
            throw error
        }
        let isCancelled = Flag()
        let end = await withTaskCancellationHandler {
            await DedicatedThread.run { [clock = settings.clock] in
                Self.receive(from: peer, on: socket, clock, for: duration, take) {
                    isCancelled.value.load(ordering: .relaxed)
                }
            }
        } onCancel: {
            isCancelled.value.store(true, ordering: .relaxed)
        }
        await turnVideoOff()
        guard let end else { throw LinkError(.internalFault, "cannot create a thread", hint: "raise 'ulimit -u'") }
        return try end.get()
    }

    private func turnVideoOn() async throws(LinkError) {
        for attempt in 1... {
            do throws(LinkError) {
                let reply = try await perform(.video(true), ofPlan: nil, within: Self.answer)
                if reply.accepted { return }
                throw LinkError(.remoteFailed, "the Tello refuses its video: \(reply.message)")
            } catch {
                guard error.code == .timedOut, attempt < Self.attempts else { throw error }
            }
        }
    }

    /// A task of its own, since a cancelled one sends nothing any more. It is waited for: the link may be closed after this.
    private func turnVideoOff() async {
        await Task {
            for _ in 1...Self.attempts {
                if (try? await self.perform(.video(false), ofPlan: nil, within: Self.goodbye)) != nil { return }
            }
        }.value
    }

    private final class Flag: Sendable {
        let value = Atomic<Bool>(false)
    }

    private static func receive(
        from peer: DatagramSocket.Endpoint, on socket: DatagramSocket, _ clock: any MonotonicClock,
        for duration: Duration,
        _ take: (ArraySlice<UInt8>, VideoProgress) -> Bool, isCancelled: () -> Bool
    ) -> Result<VideoProgress, LinkError> {
        var poller = Poller()
        var buffer = [UInt8](repeating: 0, count: bufferBytes)
        var (meter, progress) = (H264Meter(), VideoProgress())
        let start = clock.now
        var first: MonotonicTime?
        var newest = start
        var hasCome = false
        while !isCancelled() {
            let now = clock.now
            if now - start >= duration { break }
            if first == nil, now - start >= firstPiece { break }
            if now - newest >= silence { break }
            poller.reset()
            let place = poller.add(socket.descriptor)
            poller.waitPrecisely(look)
            guard poller.isReady(place) else { continue }
            guard case .datagram(let count, let source) = buffer.withUnsafeMutableBytes({ socket.receive(into: $0) }),
                source.address == peer.address
            else { continue }
            let kept = meter.take(buffer.prefix(count))
            newest = clock.now
            hasCome = true
            guard !kept.isEmpty else { continue }
            first = first ?? newest
            progress.bytes &+= UInt64(kept.count)
            progress.frames = meter.frames
            progress.duration = newest - (first ?? newest)
            guard take(kept, progress) else { break }
        }
        guard first != nil || isCancelled() else {
            return .failure(Self.nothing(hasCome, within: min(duration, firstPiece), socket.port))
        }
        return .success(progress)
    }

    private static func nothing(_ hasCome: Bool, within time: Duration, _ port: UInt16) -> LinkError {
        hasCome
            ? LinkError(
                .unreachable, "what came from the Tello within \(time.inSeconds) s had no picture to begin with",
                hint: "datagrams are lost, or it is no H.264")
            : LinkError(
                .unreachable, "no video came from the Tello within \(time.inSeconds) s",
                hint: "let UDP in on port \(port); an EDU in station mode sends none")
    }
}
