import SystemIO
import Testing
import Threads

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Sockets of the loopback, with peers that behave and peers that do not.
@Suite(.timeLimit(.minutes(1))) struct SocketHandleLoopbackTests {
    private static let patience: Duration = .seconds(30)

    /// Two ends of a TCP connection.
    private func connection() throws -> (ours: SocketHandle, theirs: SocketHandle) {
        let (listener, port) = try SocketHandle.listen(on: .loopback)
        let ours = try SocketHandle.connect(to: .loopback, port: port)
        try #require(!Poller.wait(for: listener.descriptor, .readable, within: Self.patience).isEmpty)
        var accepting = LoopListener(listener)
        let accepted = accepting.accept()
        let theirs = try #require(accepted)
        try #require(Poller.wait(for: ours.descriptor, .writable, within: Self.patience) == .writable)
        try #require(ours.connectFailure == nil)
        return (ours, theirs)
    }

    private func write(_ text: String, to socket: SocketHandle) -> SocketHandle.Outcome {
        Array(text.utf8).withUnsafeBytes { socket.write($0) }
    }

    private enum Arrival: Equatable {
        case text(String)
        case none(SocketHandle.Outcome)
    }

    /// What arrives next, up to ten bytes.
    private func read(_ socket: SocketHandle) -> Arrival {
        _ = Poller.wait(for: socket.descriptor, .readable, within: Self.patience)
        var buffer = [UInt8](repeating: 0, count: 10)
        let outcome = buffer.withUnsafeMutableBytes { socket.read(into: $0) }
        guard case .moved(let count) = outcome else { return .none(outcome) }
        return .text(String(decoding: buffer[..<count], as: UTF8.self))
    }

    @Test(arguments: [true, false]) func `calls wait only where that is asked for, and no other program inherits it`(
        isBlocking: Bool
    ) throws {
        let socket = try #require(
            isBlocking
                ? SocketHandle.makeBlocking(family: AF_UNIX, stream: true)
                : SocketHandle.make(family: AF_UNIX, stream: true))
        #expect(fcntl(socket.descriptor, F_GETFD) & FD_CLOEXEC != 0)
        #expect((fcntl(socket.descriptor, F_GETFL) & O_NONBLOCK == 0) == isBlocking)
    }

    @Test func `a family that does not exist gives the reason in errno`() {
        let (socket, code) = (SocketHandle.make(family: 9999, stream: true), errno)
        #expect(socket == nil)
        #expect(code == EAFNOSUPPORT)
    }

    @Test func `bytes arrive, then the end`() throws {
        let (ours, theirs) = try connection()
        #expect(write("abc", to: ours) == .moved(3))
        ours.finishWriting()
        #expect(read(theirs) == .text("abc"))
        #expect(read(theirs) == .none(.ended))
        // The other direction is still open.
        #expect(write("d", to: theirs) == .moved(1))
        #expect(read(ours) == .text("d"))
    }

    @Test func `reading and writing do not wait`() throws {
        let (ours, theirs) = try connection()
        var byte: UInt8 = 0
        let nothing = withUnsafeMutableBytes(of: &byte) { ours.read(into: $0) }
        #expect(nothing == .wouldBlock)
        let piece = [UInt8](repeating: 7, count: 1 << 20)
        var sent = 0
        // The first that does not fit: a moment later the kernel may have made room again.
        var outcome = piece.withUnsafeBytes { ours.write($0) }
        while case .moved(let count) = outcome {
            sent += count
            outcome = piece.withUnsafeBytes { ours.write($0) }
        }
        #expect(sent > 0)
        #expect(outcome == .wouldBlock)
        withExtendedLifetime(theirs) {}
    }

    @Test func `a peer that resets the connection is a failure of reading and of writing, not a signal`() throws {
        var pair: (ours: SocketHandle, theirs: SocketHandle)? = try connection()
        let ours = try #require(pair).ours
        // Closing with unread bytes and without lingering resets the connection.
        #expect(write("unread", to: ours) == .moved(6))
        var abrupt = linger(l_onoff: 1, l_linger: 0)
        let descriptor = try #require(pair).theirs.descriptor
        #expect(setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &abrupt, socklen_t(MemoryLayout<linger>.size)) == 0)
        pair = nil
        let found = Poller.wait(for: ours.descriptor, .readable, within: Self.patience)
        #expect(!found.isDisjoint(with: .broken))
        #expect(read(ours) == .none(.failed(ECONNRESET)))
        #expect(write("more", to: ours) == .failed(EPIPE))
    }

    @Test func `a port without a listener is refused at once, or by the pending error`() throws {
        var listening: (SocketHandle, port: UInt16)? = try SocketHandle.listen(on: .loopback)
        let port = try #require(listening).port
        listening = nil
        do throws(SocketError) {
            let socket = try SocketHandle.connect(to: .loopback, port: port)
            #expect(!Poller.wait(for: socket.descriptor, .writable, within: Self.patience).isEmpty)
            #expect(socket.pendingError == ECONNREFUSED)
            #expect(socket.pendingError == 0)
        } catch {
            // Linux refuses at once what it knows.
            #expect(error == SocketError(.unreachable, "connection refused"))
        }
    }

    @Test func `other programs inherit no socket`() throws {
        let (ours, theirs) = try connection()
        for socket in [ours, theirs] { #expect(fcntl(socket.descriptor, F_GETFD) & FD_CLOEXEC != 0) }
    }

    @Test func `a listener without pending connections gives none`() throws {
        let (listener, _) = try SocketHandle.listen(on: .loopback)
        var accepting = LoopListener(listener)
        let accepted = accepting.accept()
        #expect(accepted == nil)
        #expect(accepting.interest == .readable)
    }

    /// Two connected Unix sockets whose calls wait.
    private func blockingPair() throws -> (SocketHandle, SocketHandle) {
        var ends: [Int32] = [-1, -1]
        #if canImport(Glibc)
            try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        #else
            try #require(socketpair(AF_UNIX, SOCK_STREAM, 0, &ends) == 0)
        #endif
        return (SocketHandle(ends[0], isBlocking: true), SocketHandle(ends[1], isBlocking: true))
    }

    @Test func `a peer that reads nothing is waited for until the send timeout`() async throws {
        let (ours, theirs) = try blockingPair()
        ours.setSendTimeout(.milliseconds(50))
        let time = await DedicatedThread.run {
            let piece = [UInt8](repeating: 7, count: 1 << 20)
            var begun = ContinuousClock.now
            while case .moved = piece.withUnsafeBytes({ ours.write($0) }) { begun = .now }
            return ContinuousClock.now - begun
        }
        // The kernel counts in ticks of up to ten milliseconds.
        #expect(time ?? .zero >= .milliseconds(40))
        withExtendedLifetime(theirs) {}
    }

    @Test func `ending a socket wakes the thread that reads from it`() async throws {
        let (ours, theirs) = try blockingPair()
        async let outcome = DedicatedThread.run {
            var byte: UInt8 = 0
            return withUnsafeMutableBytes(of: &byte) { ours.read(into: $0) } == .ended
        }
        ours.end()
        #expect(await outcome == true)
        withExtendedLifetime(theirs) {}
    }

    @Test func `it is closed with its last reference, and only then`() throws {
        var pair: (ours: SocketHandle, theirs: SocketHandle)? = try connection()
        let theirs = try #require(pair).theirs
        var second: SocketHandle? = try #require(pair).ours
        pair = nil
        #expect(second.map { write("a", to: $0) } == .moved(1))
        #expect(read(theirs) == .text("a"))
        second = nil
        #expect(read(theirs) == .none(.ended))
    }

    #if os(Linux)
        @Test func `the kernel says how long it had a datagram, once it is asked to`() throws {
            let receiver = try DatagramSocket(bound: .init(.loopback, port: 0))
            let sender = try DatagramSocket(bound: .init(.loopback, port: 0))
            let handle = SocketHandle(dup(receiver.descriptor))
            var buffer = [UInt8](repeating: 0, count: 16)
            func waited() -> (count: Int, waited: Int64?) {
                buffer.withUnsafeMutableBytes { handle.receiveStamped(into: $0) }
            }
            func send() { _ = sender.send([1, 2, 3], to: .init(.loopback, port: receiver.port)) }
            #expect(waited().count == -1)
            send()
            var arrived = waited()
            #expect(arrived.count == 3 && arrived.waited == nil)
            #expect(handle.stampReceipts())
            // What arrives while the kernel begins to stamp is stamped when it is read.
            for _ in 0..<200 {
                send()
                usleep(20_000)
                arrived = waited()
                #expect(arrived.count == 3 && arrived.waited != nil)
                if arrived.waited.map({ $0 >= 20_000_000 }) == true { return }
            }
            Issue.record("\(arrived)")
        }
    #endif
}
