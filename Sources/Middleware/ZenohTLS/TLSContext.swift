internal import SystemIO
internal import SystemKit
internal import Zenoh

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The owner of an `SSL_CTX`: the rules of one connection, and the files they are from.
final class TLSContext {
    let library: OpenSSLLibrary
    let settings: ZenohTLSSettings
    let handle: OpenSSLLibrary.Handle

    /// The most bytes of a file of certificates: all authorities that Debian trusts take 220 kB.
    private static let largestFile = 4 << 20

    /// Reads the files of the settings; blocks.
    init(_ settings: ZenohTLSSettings, _ library: OpenSSLLibrary) throws(ZenohError) {
        self.library = library
        self.settings = settings
        library.clearErrors()
        guard let handle = library.newContext(library.method()) else { throw TLSFailure.memory }
        self.handle = handle
        guard library.controlContext(handle, OpenSSLNumber.setMinimumVersion, OpenSSLNumber.version12, nil) == 1 else {
            throw ZenohError(.systemFailure, "OpenSSL on this machine has no TLS 1.2")
        }
        _ = library.setOptions(handle, OpenSSLNumber.noTicket | OpenSSLNumber.noRenegotiation)
        // An encrypted key is an error: OpenSSL's own way is a question on the terminal.
        library.setPassphrase(handle) { _, _, _, _ in 0 }
        // Keeps a certificate with another name, of which the error then tells the names. It decides nothing.
        library.setVerify(handle, OpenSSLNumber.verifyPeer) { isGood, store in
            if isGood == 0, let library = try? OpenSSLLibrary.loaded.get() { library.noteCertificate(in: store) }
            return isGood
        }
        try loadAuthorities()
        try loadOwnCertificate()
    }

    deinit { library.freeContext(handle) }

    private func loadAuthorities() throws(ZenohError) {
        guard let file = settings.authorityFile else {
            guard library.loadUsualAuthorities(handle) == 1 else { throw TLSFailure.memory }
            return
        }
        try Self.check(certificates: file)
        guard library.loadAuthorities(handle, file, nil) == 1 else {
            throw TLSFailure.unreadable("the certificate file of the authority '\(file)'", library)
        }
    }

    private func loadOwnCertificate() throws(ZenohError) {
        switch (settings.certificateFile, settings.keyFile) {
        case (nil, nil): return
        case (let certificate?, let key?):
            try Self.check(certificates: certificate)
            guard library.useCertificate(handle, certificate) == 1 else {
                throw TLSFailure.unreadable("the certificate file '\(certificate)'", library)
            }
            try Self.check(key: key)
            guard library.useKey(handle, key, OpenSSLNumber.pem) == 1 else {
                throw TLSFailure.unusableKey(key)
            }
            guard library.checkKey(handle) == 1 else {
                throw ZenohError(
                    .invalidConfiguration, "the private key '\(key)' is not that of the certificate '\(certificate)'")
            }
        case (let certificate?, nil):
            throw ZenohError(
                .invalidConfiguration, "the certificate '\(certificate)' is given without its private key",
                hint: "give both")
        case (nil, let key?):
            throw ZenohError(
                .invalidConfiguration, "the private key '\(key)' is given without its certificate", hint: "give both")
        }
    }

    /// Says more than OpenSSL does of a file that cannot be read.
    private static func check(certificates path: String) throws(ZenohError) {
        do throws(SmallFile.Failure) { _ = try SmallFile.readRegular(path, limit: largestFile) } catch {
            throw ZenohError(
                .invalidConfiguration, "the certificate file '\(path)' cannot be read (\(error))",
                hint: "check its path and mode")
        }
    }

    /// As ``check(certificates:)``, without reading the key into memory of our own.
    private static func check(key path: String) throws(ZenohError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else {
            throw ZenohError(
                .invalidConfiguration, "the private key '\(path)' cannot be read (\(SystemError.text(errno)))",
                hint: "check its path and mode")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw ZenohError(.invalidConfiguration, "the private key '\(path)' is not a regular file")
        }
        // A group of its own may share it, as Debian's 'ssl-cert'.
        guard status.st_mode & 0o007 == 0 else {
            throw ZenohError(
                .invalidConfiguration, "others can read the private key '\(path)'", hint: "chmod 600 it")
        }
    }
}

extension OpenSSLLibrary {
    /// Where a connection keeps what ``noteCertificate(in:)`` found; of those that OpenSSL leaves to programs, the first.
    private static let kept: Int32 = 0

    /// Keeps the certificate that is being verified for the connection, in place of an earlier one.
    fileprivate func noteCertificate(in store: Handle?) {
        guard let connection = verifiedData(store, place()), let certificate = verified(store) else { return }
        let owner = OpaquePointer(connection)
        guard data(owner, Self.kept) == nil, keepCertificate(certificate) == 1 else { return }
        if setData(owner, Self.kept, UnsafeMutableRawPointer(certificate)) != 1 { freeCertificate(certificate) }
    }

    /// Releases the certificate that was kept, and returns for which hosts it is, as OpenSSL writes that; `nil` for none.
    func takeNames(of connection: Handle) -> String? {
        guard let found = data(connection, Self.kept) else { return nil }
        let certificate = OpaquePointer(found)
        _ = setData(connection, Self.kept, nil)
        defer { freeCertificate(certificate) }
        let place = findExtension(certificate, OpenSSLNumber.alternativeNames, -1)
        guard place >= 0, let names = certificateExtension(certificate, place), let text = newStream(memory()) else {
            return nil
        }
        defer { _ = freeStream(text) }
        guard printExtension(text, names, 0, 0) == 1 else { return nil }
        var bytes: [UInt8] = []
        drain(text, into: &bytes)
        return String(decoding: bytes.prefix(200), as: UTF8.self)
    }
}
