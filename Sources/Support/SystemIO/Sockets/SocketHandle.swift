internal import CSystemIO

#if canImport(Glibc)
    package import Glibc
#else
    package import Darwin
#endif

/// The sole owner of a socket, which other programs do not inherit and whose writing raises no signal. It is closed with the
/// last reference, so no thread can write to a descriptor number that has been reused for another connection.
package final class SocketHandle: Sendable {
    /// The result of a read or write.
    package enum Outcome: Equatable {
        /// That many bytes were read or written.
        case moved(Int)
        /// Nothing could be read or written now.
        case wouldBlock
        /// The peer has closed the connection.
        case ended
        /// The connection has failed with that `errno`.
        case failed(Int32)
    }

    /// The descriptor, for `poll` and other calls; open for as long as this object.
    package let descriptor: Int32
    private let owned: OwnedDescriptor

    /// Takes an open socket, closed on exec, which nothing else closes from now on.
    ///
    /// - Parameter isBlocking: whether its calls wait; they have no end of their own then.
    package init(_ descriptor: Int32, isBlocking: Bool = false) {
        self.descriptor = descriptor
        owned = OwnedDescriptor(descriptor)
        if !isBlocking { owned.makeNonBlocking() }
        #if !canImport(Glibc)
            set(SOL_SOCKET, SO_NOSIGPIPE, 1)
        #endif
    }

    // MARK: Creation

    /// Creates a non-blocking socket of that family, stream or datagram; `nil`, with the reason in `errno`, when the system
    /// refuses.
    package static func make(family: Int32, stream: Bool) -> SocketHandle? {
        make(family: family, stream: stream, isBlocking: false)
    }

    /// As ``make(family:stream:)``, with calls that wait.
    package static func makeBlocking(family: Int32, stream: Bool) -> SocketHandle? {
        make(family: family, stream: stream, isBlocking: true)
    }

    private static func make(family: Int32, stream: Bool, isBlocking: Bool) -> SocketHandle? {
        #if canImport(Glibc)
            let kind = Int32(stream ? SOCK_STREAM.rawValue : SOCK_DGRAM.rawValue)
        #else
            let kind = stream ? SOCK_STREAM : SOCK_DGRAM
        #endif
        let descriptor = system_io_socket(family, kind)
        return descriptor >= 0 ? SocketHandle(descriptor, isBlocking: isBlocking) : nil
    }

    /// The next pending connection of a listening socket; `nil`, with the reason in `errno`, when there is none.
    ///
    /// - Parameters:
    ///   - isBlocking: whether the calls of the connection wait.
    ///   - address: where the peer's address is written, with the size there is for it; the size of the address afterwards.
    package func acceptPeer(
        isBlocking: Bool = false, address: UnsafeMutablePointer<sockaddr>? = nil,
        _ size: UnsafeMutablePointer<socklen_t>? = nil
    ) -> SocketHandle? {
        let accepted = system_io_accept(descriptor, address, size)
        return accepted >= 0 ? SocketHandle(accepted, isBlocking: isBlocking) : nil
    }

    // MARK: Receipts

    /// Has the kernel stamp each datagram when it receives it; `false` where it does not.
    package func stampReceipts() -> Bool { system_io_stamp_receipts(descriptor) == 0 }

    /// Reads a datagram, as `recvfrom`.
    ///
    /// - Returns: its size, negative with the reason in `errno`; and how long the kernel has had it, nanoseconds, `nil` unless
    ///   ``stampReceipts()`` has succeeded.
    package func receiveStamped(
        into buffer: UnsafeMutableRawBufferPointer, from address: UnsafeMutablePointer<sockaddr>? = nil,
        _ size: UnsafeMutablePointer<socklen_t>? = nil
    ) -> (count: Int, waited: Int64?) {
        var waited: Int64 = -1
        let count = system_io_receive(descriptor, buffer.baseAddress, buffer.count, address, size, &waited)
        return (count, waited >= 0 ? waited : nil)
    }

    // MARK: Options

    /// Sets an option to a number; best effort: without it a connection is slower, or its loss is noticed later.
    package func set(_ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        _ = setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Ends writing that has waited for `timeout`, on a socket that waits; connecting too.
    package func setSendTimeout(_ timeout: Duration) {
        // Zero means no end.
        let parts = max(timeout, .microseconds(1)).components
        var limit = timeval(
            tv_sec: Int(clamping: parts.seconds), tv_usec: .init(clamping: parts.attoseconds / 1_000_000_000_000))
        _ = setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    /// Why a pending connection has failed, as `errno` (`SO_ERROR`); 0 if it has not. Asking clears it.
    package var pendingError: Int32 {
        var value: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &value, &size) == 0 ? value : errno
    }

    // MARK: Reading and writing

    /// Reads what has arrived, at most as much as the buffer holds; one that waits, waits for the first byte.
    package func read(into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
        while true {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count > 0 { return .moved(count) }
            if count == 0 { return .ended }
            if errno != EINTR { return Self.failure(errno) }
        }
    }

    /// Writes as many of the bytes as the socket accepts now; one that waits, waits until its send timeout.
    package func write(_ bytes: UnsafeRawBufferPointer) -> Outcome {
        while true {
            let count = send(descriptor, bytes.baseAddress, bytes.count, Self.sendFlags)
            if count >= 0 { return .moved(count) }
            if errno != EINTR { return Self.failure(errno) }
        }
    }

    /// Closes the sending direction.
    package func finishWriting() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    /// Ends the connection, or listening, in both directions: calls that wait return. The descriptor stays open.
    package func end() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

    private static func failure(_ code: Int32) -> Outcome {
        code == EAGAIN || code == EWOULDBLOCK ? .wouldBlock : .failed(code)
    }

    #if canImport(Glibc)
        // A write to a connection that the peer has closed returns an error instead of raising SIGPIPE.
        private static let sendFlags = Int32(MSG_NOSIGNAL)
    #else
        private static let sendFlags: Int32 = 0
    #endif
}
