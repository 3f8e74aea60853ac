import Testing

@testable import Zenoh

@Suite struct ZenohConfigurationTests {
    private final class NoTLS: ZenohSecurity {
        func connection(
            to host: String, at locator: String
        ) throws(ZenohError) -> any ZenohTLSConnection { throw .noSession }
    }

    @Test func `a locator says whether the connection is over TLS`() throws {
        let security = NoTLS()
        let secure = try ZenohConfiguration(locator: "tls/uav1.local:7448", security: security)
        #expect(secure.host == "uav1.local" && secure.port == 7448)
        #expect(secure.security != nil && secure.locator == "tls/uav1.local:7448")
        let plain = try ZenohConfiguration(locator: "tcp/uav1.local:7448", security: security)
        #expect(plain.security == nil && plain.locator == "tcp/uav1.local:7448")
    }

    @Test func `a program without TLS refuses it, and never connects without it`() {
        let error = #expect(throws: ZenohError.self) { try ZenohConfiguration(locator: "tls/10.0.0.7:7447") }
        #expect(error?.code == .invalidConfiguration)
        #expect(
            error?.what == "'tls/10.0.0.7:7447' is a connection over TLS, which this program does not have")
    }

    @Test(arguments: ["tls/", "tls/a", "tls/:1", "tls/a:0", "tls/[::1]:7447", "quic/a:1", "tls/a:1#verify=no"])
    func `what is no locator is refused`(_ locator: String) {
        #expect(throws: ZenohError.self) {
            try ZenohConfiguration(locator: locator, security: NoTLS())
        }
    }
}
