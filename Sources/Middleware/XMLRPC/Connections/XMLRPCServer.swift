package import SystemIO

/// An XML-RPC server on a listening socket, on the loop's thread.
package final class XMLRPCServer: LoopHandler {
    /// Answers a call; must not block.
    package typealias Dispatch = (XMLRPCCall, LoopCore) -> XMLRPCResponse

    /// A client holds a few connections; at the bound a new connection closes the oldest.
    fileprivate static let maximumConnections = 128
    /// An idle connection is closed after that time; Python's client opens a new one when it needs it.
    fileprivate static let idleTime: Duration = .seconds(60)

    private var listener: LoopListener
    private let dispatch: Dispatch
    private var connections: [WeakConnection] = []
    package private(set) var isFinished = false

    private struct WeakConnection { weak var connection: XMLRPCServerConnection? }

    /// Creates a server on a listening socket; it serves once it is added to an event loop.
    package init(socket: SocketHandle, dispatch: @escaping Dispatch) {
        listener = LoopListener(socket)
        self.dispatch = dispatch
    }

    package var descriptor: Int32 { listener.descriptor }
    package var owner: AnyObject? { listener.owner }
    package var interest: Readiness { listener.interest }
    package var deadline: ContinuousClock.Instant? { listener.deadline }

    package func ready(_ readiness: Readiness, on loop: LoopCore) {
        connections.removeAll { $0.connection?.isFinished ?? true }
        while let accepted = listener.accept() {
            // At the bound the oldest connection is closed.
            if connections.count >= Self.maximumConnections {
                connections.removeFirst().connection?.close()
            }
            let connection = XMLRPCServerConnection(socket: accepted, dispatch: dispatch)
            connections.append(WeakConnection(connection: connection))
            loop.add(connection)
        }
    }

    package func deadlinePassed(on loop: LoopCore) { listener.resume() }
    package func loopWillStop(on loop: LoopCore) { isFinished = true }
}

/// A client's connection to an ``XMLRPCServer``.
final class XMLRPCServerConnection: LoopHandler {
    private let socket: SocketHandle
    private let dispatch: XMLRPCServer.Dispatch
    private var parser = HTTPParser(.requests)
    private var out: [UInt8] = []
    private var sent = 0
    private var endsAfterAnswer = false
    private(set) var isFinished = false
    private(set) var deadline: ContinuousClock.Instant?

    init(socket: SocketHandle, dispatch: @escaping XMLRPCServer.Dispatch) {
        self.socket = socket
        self.dispatch = dispatch
        deadline = .now + XMLRPCServer.idleTime
    }

    var descriptor: Int32 { socket.descriptor }
    var owner: AnyObject? { socket }

    /// Nothing is read while a response is unsent, so a peer cannot make responses accumulate.
    var interest: Readiness { sent < out.count ? .writable : .readable }

    func close() { isFinished = true }

    func ready(_ readiness: Readiness, on loop: LoopCore) {
        if sent < out.count {
            flush()
        } else {
            switch socket.read(into: loop.readBuffer) {
            case .wouldBlock: return
            case .ended, .failed: return close()
            case .moved(let count): parser.feed(UnsafeRawBufferPointer(rebasing: loop.readBuffer[..<count]))
            }
        }
        answer(on: loop)
        deadline = .now + XMLRPCServer.idleTime
    }

    func deadlinePassed(on loop: LoopCore) { close() }
    func loopWillStop(on loop: LoopCore) { close() }

    private func answer(on loop: LoopCore) {
        while !isFinished, sent == out.count {
            if endsAfterAnswer { return close() }
            let message: HTTPMessage?
            do { message = try parser.next() } catch { return refuse(400, "Bad Request") }
            guard let message else { return }
            guard let request = message.request, request.method == "POST" else {
                return refuse(501, "Unsupported method")
            }
            let response: XMLRPCResponse
            do { response = dispatch(try XMLRPCDecoder.call(message.body), loop) } catch {
                response = .fault(code: -32700, text: error.what)
            }
            endsAfterAnswer = !message.isKeepAlive
            out = HTTPMessage.answer(
                status: 200, reason: "OK", body: XMLRPCEncoder.encode(response),
                isKeepAlive: message.isKeepAlive)
            sent = 0
            flush()
        }
    }

    private func refuse(_ status: Int, _ reason: String) {
        out = HTTPMessage.answer(status: status, reason: reason, body: [], isKeepAlive: false)
        sent = 0
        endsAfterAnswer = true
        flush()
        if sent == out.count { close() }
    }

    private func flush() {
        switch out.withUnsafeBytes({ socket.write(UnsafeRawBufferPointer(rebasing: $0[sent...])) }) {
        case .moved(let count): sent += count
        case .wouldBlock: break
        case .ended, .failed: close()
        }
    }
}
