internal import Zenoh

/// Why a connection over TLS ended, in words for users.
struct TLSFailure {
    /// What OpenSSL says of the router's certificate (`X509_V_ERR_...`).
    var verdict: Int
    /// The first error that it reports.
    var code: UInt
    /// For which hosts the certificate is, if it is for another.
    var names: String?
    var host: String
    var settings: ZenohTLSSettings

    /// An error with the name of the router.
    static func named(_ error: ZenohError, _ locator: String) -> ZenohError {
        ZenohError(error.code, "no session with the Zenoh router at \(locator): \(error.what)", hint: error.hint)
    }

    static let memory = ZenohError(.systemFailure, "OpenSSL cannot get memory")

    /// The reason in an error's number: of 1.1 and 3, those of TLS have 12 bits.
    static func reason(_ error: UInt) -> Int { Int(error & 0xFFF) }

    private static func text(_ error: UInt, _ library: OpenSSLLibrary) -> String {
        library.reason(error).map { String(cString: $0) } ?? "error \(error)"
    }

    /// A file that OpenSSL cannot use.
    static func unreadable(_ what: String, _ library: OpenSSLLibrary) -> ZenohError {
        let error = library.nextError()
        let isForeign = error == 0 || OpenSSLNumber.noCertificate.contains(reason(error))
        let fault = isForeign ? "has no certificate" : "is damaged (\(text(error, library)))"
        return ZenohError(
            .invalidConfiguration, "\(what) \(fault)",
            hint: "it must have certificates in PEM form, which begin with '-----BEGIN CERTIFICATE-----'")
    }

    /// A private key that OpenSSL cannot use. Of its content nothing is said.
    static func unusableKey(_ key: String) -> ZenohError {
        ZenohError(
            .invalidConfiguration, "'\(key)' has no private key that can be used with its certificate",
            hint: "it must be in PEM form, without a passphrase, and the key of that certificate")
    }

    /// The error; a connection's own.
    func inWords(_ library: OpenSSLLibrary) -> ZenohError {
        if verdict != OpenSSLNumber.Verdict.good { return refusal(library) }
        let reason = Self.reason(code)
        let text = Self.text(code, library)
        switch reason {
        case OpenSSLNumber.wrongVersionNumber:
            return ZenohError(
                .unreachable, "what answers there does not speak TLS",
                hint: "does the router listen on 'tls/' at that port, or on 'tcp/'?")
        case OpenSSLNumber.alert + 116:
            return ZenohError(.untrusted, "the router requires a client certificate", hint: Self.ownHint)
        // bad, unsupported, revoked, expired, unknown certificate; unknown authority; access denied
        case OpenSSLNumber.alert + 42...OpenSSLNumber.alert + 46, OpenSSLNumber.alert + 48...OpenSSLNumber.alert + 49:
            let own = settings.certificateFile.map { "the certificate '\($0)'" } ?? "a client without a certificate"
            return ZenohError(.untrusted, "it does not accept \(own) (\(text))", hint: Self.ownHint)
        // handshake failure: TLS 1.2 has no alert of its own for a missing certificate
        case OpenSSLNumber.alert + 40 where settings.certificateFile == nil:
            return ZenohError(.untrusted, "it refused the handshake (\(text))", hint: Self.ownHint)
        default: return ZenohError(.protocolViolation, "TLS failed (\(code == 0 ? "no reason given" : text))")
        }
    }

    private static let ownHint =
        "give 'router-client-certificate' and 'router-client-key' in the profile, from an authority that the router trusts"

    /// The router's certificate is not accepted.
    private func refusal(_ library: OpenSSLLibrary) -> ZenohError {
        switch verdict {
        case OpenSSLNumber.Verdict.expired:
            return ZenohError(
                .untrusted, "its certificate, or its authority's, has expired",
                hint: "renew it there; is this computer's date right?")
        case OpenSSLNumber.Verdict.notYetValid:
            return ZenohError(
                .untrusted, "its certificate, or its authority's, is not valid yet",
                hint: "is this computer's date right?")
        case let verdict where OpenSSLNumber.Verdict.untrusted.contains(verdict):
            let hint =
                settings.authorityFile.map { "is '\($0)' the certificate of the authority that signed the router's?" }
                ?? "give the authority's certificate: 'router-ca' in the profile, or --router-ca"
            return ZenohError(.untrusted, "its certificate is from an unknown authority", hint: hint)
        case let verdict where OpenSSLNumber.Verdict.otherName.contains(verdict):
            return ZenohError(
                .untrusted, "its certificate is not for '\(host)'\(names.map { ", but for \($0)" } ?? "")",
                hint: "name the router by a host of its certificate, or give it one for this host")
        default:
            let text = library.verdictText(verdict).map { String(cString: $0) } ?? "error \(verdict)"
            return ZenohError(.untrusted, "its certificate is not accepted (\(text))")
        }
    }
}
