#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import CLibSSH2
internal import UAVLink

/// The libssh2 library, initialised once per process.
enum LibSSH2 {
    /// Swift runs this initialiser exactly once, also with concurrent callers.
    private static let initialised: Int32 = libssh2_init(0)

    static func initialise() throws(LinkError) {
        guard initialised == 0 else { throw LinkError(.internalFault, "libssh2 failed to initialise (\(initialised))") }
    }

    /// Whether the library can sign with RSA and SHA-2, and verify such signatures of host keys (from 1.11 on): current servers
    /// accept and make no others with RSA.
    static var hasRSAWithSHA2: Bool { libssh2_version(0x010b00) != nil }

    /// The version that is linked, for messages.
    static var version: String { libssh2_version(0).map { String(cString: $0) } ?? "of unknown version" }
}

/// The owner of one `LIBSSH2_SESSION`, which is used by one thread only.
///
/// libssh2 never uses the socket directly: it reads from ``inbound`` and writes to ``outbound``, and the owner's thread
/// transfers the bytes. So libssh2 never stops in the middle of sending a packet; in that state it would accept only the
/// rest of that packet, and channels would block one another.
final class LibSSH2Session {
    let handle: OpaquePointer
    /// Bytes from the server not yet read by libssh2.
    var inbound = ByteQueue()
    /// Bytes for the server not yet written to the socket.
    var outbound = ByteQueue()
    /// Set when the connection has ended; libssh2 learns it from its next read or write.
    var isDisconnected = false
    /// The message of the server's disconnect request.
    private(set) var farewell = ""
    /// Answers keyboard-interactive prompts; `nil` while none are expected.
    var promptResponder: ((SSHPromptRequest) -> [SSHSecret])?

    init() throws(LinkError) {
        try LibSSH2.initialise()
        guard let handle = libssh2_session_init_ex(nil, nil, nil, nil) else {
            throw LinkError(.internalFault, "libssh2 could not allocate a session")
        }
        self.handle = handle
        // Unretained: libssh2 calls back only within calls on this object's handle.
        libssh2_session_abstract(handle)?.pointee = Unmanaged.passUnretained(self).toOpaque()
        uavlink_ssh_set_callbacks(handle, sendBytes, receiveBytes, serverDisconnected)
        libssh2_session_set_blocking(handle, 0)
    }

    deinit {
        isDisconnected = true
        // Without a connection nothing here can wait; the limit only guards against a fault in libssh2.
        var attempts = 0
        while libssh2_session_free(handle) == LIBSSH2_ERROR_EAGAIN, attempts < 1000 { attempts += 1 }
    }

    /// libssh2's message for the newest error.
    var lastError: String {
        var text: UnsafeMutablePointer<CChar>?
        var length: Int32 = 0
        libssh2_session_last_error(handle, &text, &length, 0)
        guard let text, length > 0 else { return "error \(libssh2_session_last_errno(handle))" }
        return String(decoding: UnsafeRawBufferPointer(start: text, count: Int(length)), as: UTF8.self)
    }

    /// Whether `code` means that the whole connection has failed.
    static func isFatal(_ code: Int) -> Bool {
        switch Int32(clamping: code) {
        case LIBSSH2_ERROR_SOCKET_SEND, LIBSSH2_ERROR_SOCKET_RECV, LIBSSH2_ERROR_SOCKET_DISCONNECT,
            LIBSSH2_ERROR_SOCKET_NONE, LIBSSH2_ERROR_BAD_SOCKET, LIBSSH2_ERROR_INVALID_MAC, LIBSSH2_ERROR_DECRYPT,
            LIBSSH2_ERROR_ENCRYPT, LIBSSH2_ERROR_KEX_FAILURE, LIBSSH2_ERROR_KEY_EXCHANGE_FAILURE,
            LIBSSH2_ERROR_SOCKET_TIMEOUT, LIBSSH2_ERROR_ZLIB, LIBSSH2_ERROR_COMPRESS:
            true
        default: false
        }
    }

    static func owner(_ abstract: UnsafeMutablePointer<UnsafeMutableRawPointer?>?) -> LibSSH2Session? {
        guard let pointer = abstract?.pointee else { return nil }
        return Unmanaged<LibSSH2Session>.fromOpaque(pointer).takeUnretainedValue()
    }

    fileprivate func setDisconnectMessage(_ text: String) { farewell = text }
}

private let sendBytes: uavlink_ssh_send = { _, bytes, length, _, abstract in
    guard let session = LibSSH2Session.owner(abstract), let bytes, !session.isDisconnected else { return -Int(EPIPE) }
    session.outbound.append(UnsafeRawBufferPointer(start: bytes, count: length))
    return length
}

private let receiveBytes: uavlink_ssh_receive = { _, buffer, length, _, abstract in
    guard let session = LibSSH2Session.owner(abstract), let buffer else { return 0 }
    if session.inbound.isEmpty { return session.isDisconnected ? 0 : -Int(EAGAIN) }
    return session.inbound.consume { waiting in
        let count = min(waiting.count, length)
        if let source = waiting.baseAddress { buffer.copyMemory(from: source, byteCount: count) }
        return count
    }
}

private let serverDisconnected: uavlink_ssh_disconnect = { _, _, message, length, _, _, abstract in
    guard let session = LibSSH2Session.owner(abstract), let message, length > 0 else { return }
    let bytes = UnsafeRawBufferPointer(start: message, count: min(Int(length), 300))
    session.setDisconnectMessage(String(decoding: bytes, as: UTF8.self))
}
