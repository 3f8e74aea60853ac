/// TLS of the connections to a router, with its files and rules. The target `ZenohTLS` has it; a program without it refuses
/// `tls/host:port`.
public protocol ZenohSecurity: AnyObject, Sendable {
    /// Begins a connection as its client. It may read files and block: a client calls it on a thread of its own, one call at
    /// a time.
    ///
    /// - Parameters:
    ///   - host: the name or IPv4 address for which the router's certificate must be.
    ///   - locator: the router in errors.
    /// - Throws: ``ZenohError`` that names the file, or what is missing.
    func connection(to host: String, at locator: String) throws(ZenohError) -> any ZenohTLSConnection
}

/// One end of a connection over TLS: bytes in, bytes out, no I/O.
public protocol ZenohTLSConnection: AnyObject, Sendable {
    /// Takes what was received; nothing at the beginning.
    ///
    /// - Parameters:
    ///   - opened: where what was decrypted is appended, also before an error: what came before the end counts.
    ///   - answer: where what must be sent is appended, also before an error.
    /// - Returns: whether the handshake is complete; ``seal(_:into:)`` may be called then.
    /// - Throws: ``ZenohError`` as soon as the connection is over.
    func receive(
        _ sealed: UnsafeRawBufferPointer, opened: inout [UInt8], answer: inout [UInt8]
    ) throws(ZenohError) -> Bool

    /// Encrypts bytes to be sent, which are appended in the order of the calls.
    ///
    /// - Returns: `false` when the connection is over.
    func seal(_ plain: UnsafeRawBufferPointer, into sealed: inout [UInt8]) -> Bool

    /// Appends what says to the other end that nothing more comes.
    func end(into sealed: inout [UInt8])
}
