internal import SystemIO
internal import Zenoh

/// OpenSSL, loaded when a connection over TLS is first made: few programs need one. The functions used take handles, integers
/// and texts only and are the same in 1.1 and 3, so no header is needed.
struct OpenSSLLibrary: Sendable {
    typealias Handle = OpaquePointer
    typealias Text = UnsafePointer<CChar>
    typealias VerifyCallback = @convention(c) (Int32, Handle?) -> Int32
    typealias PassphraseCallback =
        @convention(c) (UnsafeMutablePointer<CChar>?, Int32, Int32, UnsafeMutableRawPointer?) -> Int32

    // The context of connections.
    let method: @Sendable @convention(c) () -> Handle?
    let newContext: @Sendable @convention(c) (Handle?) -> Handle?
    let freeContext: @Sendable @convention(c) (Handle?) -> Void
    let controlContext: @Sendable @convention(c) (Handle?, Int32, Int, UnsafeMutableRawPointer?) -> Int
    let setOptions: @Sendable @convention(c) (Handle?, UInt64) -> UInt64
    let setVerify: @Sendable @convention(c) (Handle?, Int32, VerifyCallback?) -> Void
    let setPassphrase: @Sendable @convention(c) (Handle?, PassphraseCallback?) -> Void
    let loadAuthorities: @Sendable @convention(c) (Handle?, Text?, Text?) -> Int32
    let loadUsualAuthorities: @Sendable @convention(c) (Handle?) -> Int32
    let useCertificate: @Sendable @convention(c) (Handle?, Text?) -> Int32
    let useKey: @Sendable @convention(c) (Handle?, Text?, Int32) -> Int32
    let checkKey: @Sendable @convention(c) (Handle?) -> Int32

    // A connection.
    let new: @Sendable @convention(c) (Handle?) -> Handle?
    let free: @Sendable @convention(c) (Handle?) -> Void
    let setStreams: @Sendable @convention(c) (Handle?, Handle?, Handle?) -> Void
    let beClient: @Sendable @convention(c) (Handle?) -> Void
    let control: @Sendable @convention(c) (Handle?, Int32, Int, UnsafeMutableRawPointer?) -> Int
    let handshake: @Sendable @convention(c) (Handle?) -> Int32
    let read: @Sendable @convention(c) (Handle?, UnsafeMutableRawPointer?, Int32) -> Int32
    let write: @Sendable @convention(c) (Handle?, UnsafeRawPointer?, Int32) -> Int32
    let shutdown: @Sendable @convention(c) (Handle?) -> Int32
    let outcome: @Sendable @convention(c) (Handle?, Int32) -> Int32
    let verdict: @Sendable @convention(c) (Handle?) -> Int
    let rules: @Sendable @convention(c) (Handle?) -> Handle?
    let place: @Sendable @convention(c) () -> Int32
    let setData: @Sendable @convention(c) (Handle?, Int32, UnsafeMutableRawPointer?) -> Int32
    let data: @Sendable @convention(c) (Handle?, Int32) -> UnsafeMutableRawPointer?

    // What must be true of the other end's certificate.
    let setFlags: @Sendable @convention(c) (Handle?, UInt) -> Int32
    let setNameFlags: @Sendable @convention(c) (Handle?, UInt32) -> Void
    let setName: @Sendable @convention(c) (Handle?, Text?, Int) -> Int32
    let setAddress: @Sendable @convention(c) (Handle?, Text?) -> Int32
    let verdictText: @Sendable @convention(c) (Int) -> Text?
    let verifiedData: @Sendable @convention(c) (Handle?, Int32) -> UnsafeMutableRawPointer?
    let verified: @Sendable @convention(c) (Handle?) -> Handle?
    let keepCertificate: @Sendable @convention(c) (Handle?) -> Int32
    let freeCertificate: @Sendable @convention(c) (Handle?) -> Void
    let findExtension: @Sendable @convention(c) (Handle?, Int32, Int32) -> Int32
    let certificateExtension: @Sendable @convention(c) (Handle?, Int32) -> Handle?
    let printExtension: @Sendable @convention(c) (Handle?, Handle?, UInt, Int32) -> Int32

    // Streams in memory, and errors.
    let memory: @Sendable @convention(c) () -> Handle?
    let newStream: @Sendable @convention(c) (Handle?) -> Handle?
    let freeStream: @Sendable @convention(c) (Handle?) -> Int32
    let put: @Sendable @convention(c) (Handle?, UnsafeRawPointer?, Int32) -> Int32
    let take: @Sendable @convention(c) (Handle?, UnsafeMutableRawPointer?, Int32) -> Int32
    let waiting: @Sendable @convention(c) (Handle?) -> Int
    let nextError: @Sendable @convention(c) () -> UInt
    let clearErrors: @Sendable @convention(c) () -> Void
    let reason: @Sendable @convention(c) (UInt) -> Text?

    /// The library, or why it cannot be loaded; loaded on first use and never unloaded.
    static let loaded: Result<OpenSSLLibrary, ZenohError> = Result { () throws(DynamicLibrary.Failure) in
        try OpenSSLLibrary()
    }.mapError { ZenohError(.invalidConfiguration, "there is no TLS: \($0)") }

    /// Functions of libcrypto are found through libssl, which depends on it.
    private static let source = DynamicLibrary.Source(
        "OpenSSL", debianPackage: "libssl3", firstVersion: "1.1.0",
        linux: ["libssl.so.3", "libssl.so.1.1", "libssl.so"],
        darwin: ["/opt/homebrew/opt/openssl@3/lib/libssl.3.dylib", "/usr/local/opt/openssl@3/lib/libssl.3.dylib"])

    private init() throws(DynamicLibrary.Failure) {
        let library = try DynamicLibrary(Self.source)
        method = try library.function("TLS_client_method")
        newContext = try library.function("SSL_CTX_new")
        freeContext = try library.function("SSL_CTX_free")
        controlContext = try library.function("SSL_CTX_ctrl")
        setOptions = try library.function("SSL_CTX_set_options")
        setVerify = try library.function("SSL_CTX_set_verify")
        setPassphrase = try library.function("SSL_CTX_set_default_passwd_cb")
        loadAuthorities = try library.function("SSL_CTX_load_verify_locations")
        loadUsualAuthorities = try library.function("SSL_CTX_set_default_verify_paths")
        useCertificate = try library.function("SSL_CTX_use_certificate_chain_file")
        useKey = try library.function("SSL_CTX_use_PrivateKey_file")
        checkKey = try library.function("SSL_CTX_check_private_key")
        new = try library.function("SSL_new")
        free = try library.function("SSL_free")
        setStreams = try library.function("SSL_set_bio")
        beClient = try library.function("SSL_set_connect_state")
        control = try library.function("SSL_ctrl")
        handshake = try library.function("SSL_do_handshake")
        read = try library.function("SSL_read")
        write = try library.function("SSL_write")
        shutdown = try library.function("SSL_shutdown")
        outcome = try library.function("SSL_get_error")
        verdict = try library.function("SSL_get_verify_result")
        rules = try library.function("SSL_get0_param")
        place = try library.function("SSL_get_ex_data_X509_STORE_CTX_idx")
        setData = try library.function("SSL_set_ex_data")
        data = try library.function("SSL_get_ex_data")
        setFlags = try library.function("X509_VERIFY_PARAM_set_flags")
        setNameFlags = try library.function("X509_VERIFY_PARAM_set_hostflags")
        setName = try library.function("X509_VERIFY_PARAM_set1_host")
        setAddress = try library.function("X509_VERIFY_PARAM_set1_ip_asc")
        verdictText = try library.function("X509_verify_cert_error_string")
        verifiedData = try library.function("X509_STORE_CTX_get_ex_data")
        verified = try library.function("X509_STORE_CTX_get0_cert")
        keepCertificate = try library.function("X509_up_ref")
        freeCertificate = try library.function("X509_free")
        findExtension = try library.function("X509_get_ext_by_NID")
        certificateExtension = try library.function("X509_get_ext")
        printExtension = try library.function("X509V3_EXT_print")
        memory = try library.function("BIO_s_mem")
        newStream = try library.function("BIO_new")
        freeStream = try library.function("BIO_free")
        put = try library.function("BIO_write")
        take = try library.function("BIO_read")
        waiting = try library.function("BIO_ctrl_pending")
        nextError = try library.function("ERR_get_error")
        clearErrors = try library.function("ERR_clear_error")
        reason = try library.function("ERR_reason_error_string")
    }

    /// Takes what is in a stream in memory.
    func drain(_ stream: Handle, into bytes: inout [UInt8]) {
        let count = waiting(stream)
        guard count > 0, count <= Int(Int32.max) else { return }
        let start = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: count))
        let taken = bytes.withUnsafeMutableBytes { take(stream, $0.baseAddress?.advanced(by: start), Int32(count)) }
        bytes.removeLast(count - max(0, Int(taken)))
    }
}

/// Numbers of OpenSSL's headers, the same in 1.1 and 3.
enum OpenSSLNumber {
    // ssl.h, tls1.h
    static let setMinimumVersion: Int32 = 123
    static let version12 = 0x0303
    static let setServerName: Int32 = 55
    static let verifyPeer: Int32 = 1
    static let pem: Int32 = 1
    static let wantsRead: Int32 = 2
    static let peerHasEnded: Int32 = 6
    static let noTicket: UInt64 = 1 << 14
    static let noRenegotiation: UInt64 = 1 << 30
    /// Reasons of errors: what an alert of the other end is, less its number.
    static let alert = 1000
    static let wrongVersionNumber = 267
    // x509_vfy.h, x509v3.h, obj_mac.h
    /// A trusted certificate ends the chain, whoever signed it: as with Zenoh's own library.
    static let partialChain: UInt = 0x80000
    /// `*.a.b` stands for `x.a.b` and not for `xy*.a.b`; the subject's common name is no host, as with Zenoh's own library.
    static let strictNames: UInt32 = 0x4 | 0x20
    static let alternativeNames: Int32 = 85
    /// What was wrong with a certificate.
    enum Verdict {
        static let good = 0
        static let notYetValid = 9
        static let expired = 10
        static let untrusted: Set = [2, 18, 19, 20, 21]
        static let otherName: Set = [62, 64]
    }
    // pemerr.h, x509err.h: reasons why a file has no certificate
    static let noCertificate: Set = [108, 135, 136]
}
