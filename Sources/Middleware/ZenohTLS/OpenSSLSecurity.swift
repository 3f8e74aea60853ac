public import Zenoh

/// TLS of OpenSSL, for a ground's connections to a router.
///
/// TLS 1.2 at least. The router's certificate is always verified: its authority, its time, and its name unless the settings
/// say otherwise.
public final class OpenSSLSecurity: ZenohSecurity {
    private let settings: ZenohTLSSettings

    /// Nothing is loaded or read before the first connection.
    public init(_ settings: ZenohTLSSettings = ZenohTLSSettings()) { self.settings = settings }

    /// See ``Zenoh/ZenohSecurity``. The files are read for each connection: what was corrected counts at once.
    public func connection(to host: String, at locator: String) throws(ZenohError) -> any ZenohTLSConnection {
        do throws(ZenohError) {
            let library = try OpenSSLLibrary.loaded.get()
            return try TLSConnection(to: host, at: locator, TLSContext(settings, library))
        } catch { throw TLSFailure.named(error, locator) }
    }
}
