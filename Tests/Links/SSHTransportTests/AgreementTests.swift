import Testing
import UAVLink

@testable import SSHTransport

/// What is said when a server and libssh2 have no algorithm in common.
@Suite struct AgreementTests {
    private let endpoint = SSHEndpoint(host: "vehicle", port: 2222, user: "mrs")

    @Test func `without RSA and SHA-2 the way out is another host key`() {
        let error = ConnectProcedure.noAgreement(with: endpoint, hasRSAWithSHA2: false)
        #expect(error.code == .protocolViolation)
        #expect(error.what.hasPrefix("vehicle port 2222 and this program have no SSH algorithm in common; libssh2 1."))
        #expect(error.hint.contains("ed25519 or ecdsa") && error.hint.contains("1.11"))
    }

    @Test func `with both it is not blamed on the host key`() {
        let error = ConnectProcedure.noAgreement(with: endpoint, hasRSAWithSHA2: true)
        #expect(error.what == "vehicle port 2222 and this program have no SSH algorithm in common")
        #expect(!error.hint.contains("host key"))
    }
}
