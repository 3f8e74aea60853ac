/// The files and rules of a connection over TLS: what `transport/link/tls` is in Zenoh's own configuration.
public struct ZenohTLSSettings: Hashable, Sendable {
    /// The certificates of the authorities that are trusted, a PEM file (`root_ca_certificate`); `nil` for those that this
    /// machine trusts.
    public var authorityFile: String?
    /// Our certificate, for a router that asks for one, a PEM file (`connect_certificate`).
    public var certificateFile: String?
    /// Its private key, a PEM file without a passphrase (`connect_private_key`).
    public var keyFile: String?
    /// Whether the router's certificate must be for the host that was given (`verify_name_on_connect`). It must be from a
    /// trusted authority in any case.
    public var verifiesName = true

    /// The usual settings: what this machine trusts.
    public init() {}
}
