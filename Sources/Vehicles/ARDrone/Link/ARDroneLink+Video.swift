internal import MachineLink
internal import Synchronization
internal import SystemIO
internal import Threads
package import UAVLink

extension ARDroneLink: MachineVideo {
    /// The drone's TCP port for video.
    package static let videoPort: UInt16 = 5555

    /// See ``UAVLink/MachineVideo``: H.264 (Annex B), 640 x 360. Its camera always runs: whoever connects gets it.
    package func receiveVideo(
        for duration: Duration, _ take: @escaping @Sendable (ArraySlice<UInt8>, VideoProgress) -> Bool
    ) async throws(LinkError) -> VideoProgress {
        guard let address = runner.sockets?.address else {
            throw LinkError(.notConnected, "the AR.Drone is not connected", hint: "connect first")
        }
        let isCancelled = Flag()
        let end = await withTaskCancellationHandler {
            await DedicatedThread.run { [settings] in
                var receiver = ARDroneVideoReceiver(address, settings)
                return receiver.run(for: duration, take) { isCancelled.value.load(ordering: .relaxed) }
            }
        } onCancel: {
            isCancelled.value.store(true, ordering: .relaxed)
        }
        guard let end else { throw LinkError(.internalFault, "cannot create a thread", hint: "raise 'ulimit -u'") }
        return try end.get()
    }

    private final class Flag: Sendable {
        let value = Atomic<Bool>(false)
    }
}

/// Receives the drone's video on one thread, over one connection after another.
struct ARDroneVideoReceiver {
    /// No picture for so long: there is none. Key frames come at least every few seconds.
    private static let firstPiece: Duration = .seconds(5)
    /// A stream that was there and has stopped for so long has ended.
    private static let silence: Duration = .seconds(5)
    /// A connection that brings nothing for so long is given up for another one.
    private static let patience: Duration = .seconds(2)
    /// From the end of a connection to the next one.
    private static let pause: Duration = .milliseconds(500)
    private static let look: Duration = .milliseconds(100)
    private static let bufferBytes = 65_536

    private let address: IPv4Address
    private let port: UInt16
    private let clock: any MonotonicClock
    private var handle: SocketHandle?
    private var isOpen = false
    private var reader = PaVEReader()
    private var heardAt: MonotonicTime
    private var nextAttempt: MonotonicTime
    /// Frames of the connections before this one.
    private var framesBefore = 0
    /// Why the newest connection could not be had.
    private var failure: String?

    init(_ address: IPv4Address, _ settings: ARDroneLink.Settings) {
        self.address = address
        port = settings.videoPort
        clock = settings.clock
        (heardAt, nextAttempt) = (clock.now, clock.now)
    }

    /// Passes pictures on until the time is up, they stop, or nobody wants more.
    mutating func run(
        for duration: Duration, _ take: (ArraySlice<UInt8>, VideoProgress) -> Bool, isCancelled: () -> Bool
    ) -> Result<VideoProgress, LinkError> {
        var poller = Poller()
        var buffer = [UInt8](repeating: 0, count: Self.bufferBytes)
        var progress = VideoProgress()
        let start = clock.now
        var first: MonotonicTime?
        var newest = start
        while !isCancelled() {
            let now = clock.now
            if now - start >= duration { break }
            if now - newest >= (first == nil ? Self.firstPiece : Self.silence) {
                guard first == nil else { break }
                return .failure(none)
            }
            let pictures = receive(&poller, &buffer)
            guard !pictures.isEmpty else { continue }
            newest = clock.now
            first = first ?? newest
            progress.bytes &+= UInt64(pictures.count)
            progress.frames = UInt64(framesBefore + reader.frames)
            progress.duration = newest - (first ?? newest)
            guard take(pictures[...], progress) else { break }
        }
        return .success(progress)
    }

    private var none: LinkError {
        LinkError(
            .unreachable,
            "no video came from the AR.Drone within \(Self.firstPiece.inSeconds) s" + (failure.map { ": \($0)" } ?? ""),
            hint: "let TCP out to its port \(port), and end other programs that show its video")
    }

    /// What is complete after a short wait.
    private mutating func receive(_ poller: inout Poller, _ buffer: inout [UInt8]) -> [UInt8] {
        connect()
        poller.reset()
        let place = handle.map { poller.add($0.descriptor, writing: !isOpen) }
        poller.waitPrecisely(Self.look)
        guard let handle, let place, poller.isReady(place) else { return [] }
        guard isOpen else {
            if let why = handle.connectFailure { end(why) } else { (isOpen, heardAt, failure) = (true, clock.now, nil) }
            return []
        }
        switch buffer.withUnsafeMutableBytes({ handle.read(into: $0) }) {
        case .moved(let count):
            heardAt = clock.now
            return reader.take(buffer.prefix(count))
        case .wouldBlock: return []
        case .ended: end("the AR.Drone has ended the connection")
        case .failed(let number): end(SystemError.text(number))
        }
        return []
    }

    private mutating func connect() {
        let now = clock.now
        if handle != nil, now - heardAt >= Self.patience { end("nothing comes") }
        guard handle == nil, now >= nextAttempt else { return }
        (nextAttempt, heardAt) = (now + Self.pause, now)
        do throws(SocketError) { handle = try SocketHandle.connect(to: address, port: port) } catch {
            failure = error.what
        }
    }

    /// What comes next begins with a picture that can be decoded again.
    private mutating func end(_ why: String) {
        framesBefore += reader.frames
        (handle, isOpen, reader, failure) = (nil, false, PaVEReader(), why)
        nextAttempt = clock.now + Self.pause
    }
}
