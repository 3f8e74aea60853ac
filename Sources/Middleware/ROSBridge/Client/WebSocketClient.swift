internal import Synchronization
internal import SystemIO

/// A connection to a WebSocket server, for text messages (RFC 6455). One dedicated thread serves it; it is not opened again.
package final class WebSocketClient: Sendable {
    /// Where to connect.
    package struct Target: Hashable, Sendable {
        /// A host name, or a numeric IPv4 address.
        package var host: String
        package var port: UInt16
        /// `HOST:PORT` as the user knows it, for the server and for errors.
        package var place: String
        /// The largest message that is accepted, bytes.
        package var maximumMessageBytes: Int

        package init(
            host: String, port: UInt16, place: String? = nil,
            maximumMessageBytes: Int = WebSocketReader.usualMessageBytes
        ) {
            (self.host, self.port, self.maximumMessageBytes) = (host, port, maximumMessageBytes)
            self.place = place ?? "\(host):\(port)"
        }
    }

    private let target: Target
    private let loop: EventLoop
    private let output = WebSocketOutput()
    private let end = Mutex<ROSBridgeError?>(nil)

    private init(_ target: Target) throws(ROSBridgeError) {
        self.target = target
        do throws(SocketError) { loop = try EventLoop() } catch { throw ROSBridgeError(error) }
    }

    deinit { loop.stop() }

    /// Connects and shakes hands.
    ///
    /// - Parameters:
    ///   - timeout: for all of it.
    ///   - onText: called with each text message on the I/O thread; must not block.
    /// - Throws: ``ROSBridgeError`` with `unreachable`, `refused`, `timedOut`, `cancelled` or what the server did wrong.
    package static func connect(
        to target: Target, within timeout: Duration, onText: @escaping @Sendable ([UInt8]) -> Void
    ) async throws(ROSBridgeError) -> WebSocketClient {
        let client = try WebSocketClient(target)
        do throws(SocketError) { try client.loop.start() } catch { throw ROSBridgeError(error) }
        try await client.open(within: timeout, onText)
        return client
    }

    private final class Flag: Sendable {
        let isSet = Atomic(false)
    }

    private func open(
        within timeout: Duration, _ onText: @escaping @Sendable ([UInt8]) -> Void
    ) async throws(ROSBridgeError) {
        let (target, output, isCancelled) = (target, output, Flag())
        let failed: @Sendable (ROSBridgeError) -> Void = { [weak self] error in
            self?.end.withLock { $0 = $0 ?? error }
        }
        let cancelled = ROSBridgeError(.cancelled, "connecting to the rosbridge server was cancelled")
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (waiter: CheckedContinuation<Result<Void, ROSBridgeError>, Never>) in
                let isTaken = loop.submit { core in
                    let link = WebSocketLink(
                        target, within: timeout, output: output, onOpen: { waiter.resume(returning: $0) },
                        onText: onText, onEnd: failed)
                    core.attachment = link
                    core.add(link)
                    guard !isCancelled.isSet.load(ordering: .acquiring) else { return link.end(cancelled) }
                    link.begin(on: core)
                }
                if !isTaken { waiter.resume(returning: .failure(.clientClosed)) }
            }
        } onCancel: {
            isCancelled.isSet.store(true, ordering: .releasing)
            loop.submit { ($0.attachment as? WebSocketLink)?.end(cancelled) }
        }
        try result.get()
    }

    /// Sends a text message at once, from any thread.
    ///
    /// - Parameter limit: it is not sent while so many bytes wait for the network.
    /// - Returns: `false` if it was not sent for that.
    /// - Throws: ``ROSBridgeError``: why there is no connection any more.
    package func send(_ text: [UInt8], limit: Int) throws(ROSBridgeError) -> Bool {
        let frame = WebSocketFrame.encode(.text, text, mask: .random(in: 0...UInt32.max))
        switch output.send(frame, limit: limit) {
        case .sent(let needsLoop):
            if needsLoop { loop.wake() }
            return true
        case .full: return false
        case .notConnected:
            throw failure
                ?? ROSBridgeError(.notConnected, "there is no connection to the rosbridge server at \(target.place)")
        }
    }

    /// Why the connection has ended; `nil` while it has not.
    package var failure: ROSBridgeError? { end.withLock { $0 } }

    /// Ends the connection in good order; returns when it has ended, half a second later at the latest.
    package func close() async {
        await withCheckedContinuation { (waiter: CheckedContinuation<Void, Never>) in
            let isTaken = loop.submit { core in
                core.onStop.append { waiter.resume() }
                guard let link = core.attachment as? WebSocketLink, !link.isFinished else { return core.loop.stop() }
                link.whenFinished = { [loop = core.loop] in loop.stop() }
                link.close()
            }
            if !isTaken { waiter.resume() }
        }
    }
}
