internal import Foundation

/// Certificates of a test's own, made by the openssl program; `Tests/Peers/certificates.sh` says which.
public struct TestCertificates: Sendable {
    private let folder: TemporaryFolder

    /// Makes them.
    public init() async throws {
        folder = try TemporaryFolder()
        let script = BuiltPrograms.repository + "/Tests/Peers/certificates.sh"
        let maker = try ChildProcess(["/bin/sh", script, folder.path])
        let status = try await maker.exit()
        guard status == 0 else { throw ProcessFailure("no certificates: \(maker.errors)") }
    }

    /// The path of one of the files.
    public func file(_ name: String) -> String { folder.file(name) }

    /// Copies one of the files, and returns the copy's name.
    public func copy(_ name: String, mode: Int) throws -> String {
        let copy = "\(String(mode, radix: 8))-\(name)"
        let text = try String(contentsOfFile: file(name), encoding: .utf8)
        try folder.write(text, to: copy, mode: mode)
        return copy
    }

    /// How a router of `eclipse-zenoh` is told to listen over TLS: port and settings, for the peers' command lines.
    ///
    /// - Parameters:
    ///   - certificate: of the router, without `.pem`.
    ///   - wantsClients: whether clients must have a certificate of the authority `ca`.
    public func arguments(port: UInt16, certificate: String = "router", wantsClients: Bool = false) -> [String] {
        let group = "transport/link/tls/"
        let files = [
            "\(group)listen_certificate=\"\(file(certificate + ".pem"))\"",
            "\(group)listen_private_key=\"\(file("router.key"))\"",
        ]
        let clients = ["\(group)enable_mtls=true", "\(group)root_ca_certificate=\"\(file("ca.pem"))\""]
        return ["\(port)"] + files + (wantsClients ? clients : [])
    }
}
