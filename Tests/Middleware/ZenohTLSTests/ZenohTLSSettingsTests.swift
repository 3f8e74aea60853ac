import Testing
import Zenoh

@testable import ZenohTLS

@Suite("settings of TLS") struct ZenohTLSSettingsTests {
    @Test func `they have the names of Zenoh's own configuration`() throws {
        let settings = try ZenohTLSSettings(
            override: """
                mode="client"; transport/link/tls/root_ca_certificate = "/etc/my ca.pem" ;
                transport/link/tls/connect_certificate='/c.pem';transport/link/tls/connect_private_key="/c.key";
                transport/link/tls/enable_mtls=true;transport/link/tls/verify_name_on_connect=false;
                transport/link/tls/listen_certificate="/x";connect/endpoints=["tls/a:1"]
                """)
        var expected = ZenohTLSSettings()
        expected.authorityFile = "/etc/my ca.pem"
        (expected.certificateFile, expected.keyFile) = ("/c.pem", "/c.key")
        expected.verifiesName = false
        #expect(settings == expected)
    }

    @Test(arguments: [
        "", "mode=\"client\"", "transport/link/tls/root_ca_certificate=null", "transport/link/tls=null",
        "transport/link/tls/verify_name_on_connect=true", "transport/shared_memory/enabled=true",
        // Without enable_mtls Zenoh uses no certificate of its own.
        #"transport/link/tls/connect_certificate="/c.pem""#,
    ])
    func `without any they are the usual ones, which verify everything`(_ text: String) throws {
        let settings = try ZenohTLSSettings(override: text)
        #expect(settings == ZenohTLSSettings())
        #expect(settings.verifiesName)
    }

    @Test(arguments: [
        "transport/link/tls/root_ca_certificate", "transport/link/tls/root_ca_certificate=/ca.pem",
        #"transport/link/tls/root_ca_certificate="""#, #"transport/link/tls/root_ca_certificate="/ca.pem"#,
        "transport/link/tls/verify_name_on_connect=no", "transport/link/tls/verify_name_on_connect=\"false\"",
        #"transport/link/tls={root_ca_certificate:"/ca.pem"}"#, #"transport/link={tls:{}}"#,
        "transport/link/tls/enable_mtls=true",
        #"transport/link/tls/enable_mtls=true;transport/link/tls/connect_certificate="/c.pem""#,
        "transport/link/tls/root_ca_certificate_base64=\"AA==\"",
    ])
    func `what cannot be read is an error, never a connection with other rules`(_ text: String) {
        let error = #expect(throws: ZenohError.self) { try ZenohTLSSettings(override: text) }
        #expect(error?.code == .invalidConfiguration)
        #expect(error?.hint.isEmpty == false)
    }

    @Test(arguments: [
        "transport/link/tls/connect_private_key_base64=\"c2VjcmV0\"", "transport/link/tls/connect_private_key=c2VjcmV0",
        "transport/link/tls={connect_private_key_base64:\"c2VjcmV0\"}",
        "transport={link:{tls:{connect_private_key_base64:\"c2VjcmV0\"}}}", "transport/link/tls/enable_mtls=c2VjcmV0",
    ])
    func `a key that stands in the settings is not repeated`(_ settings: String) {
        let error = #expect(throws: ZenohError.self) { try ZenohTLSSettings(override: settings) }
        #expect(error?.description.contains("c2VjcmV0") == false)
    }

    @Test func `nothing is sent before the other end's answer, and nonsense is no answer`() throws {
        let connection = try OpenSSLSecurity().connection(to: "router.example", at: "tls/router.example:7447")
        var (opened, answer): ([UInt8], [UInt8]) = ([], [])
        let none = UnsafeRawBufferPointer(start: nil, count: 0)
        let isComplete = try connection.receive(none, opened: &opened, answer: &answer)
        #expect(!isComplete)
        // A handshake's record with a ClientHello that names the host.
        #expect(answer.starts(with: [22, 3, 1]) && answer.count > 5 && answer[5] == 1)
        #expect(String(decoding: answer, as: UTF8.self).contains("router.example"))
        var sealed: [UInt8] = []
        let isSealed = [UInt8](repeating: 1, count: 8).withUnsafeBytes { connection.seal($0, into: &sealed) }
        #expect(!isSealed)
        connection.end(into: &sealed)
        #expect(sealed.isEmpty)
        let error = #expect(throws: ZenohError.self) {
            try Array("HTTP/1.1 400 Bad Request\r\n".utf8).withUnsafeBytes {
                _ = try connection.receive($0, opened: &opened, answer: &answer)
            }
        }
        #expect(
            error?.what == "no session with the Zenoh router at tls/router.example:7447: "
                + "what answers there does not speak TLS")
        #expect(opened.isEmpty)
    }
}
