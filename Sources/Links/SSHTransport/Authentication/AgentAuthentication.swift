#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import CLibSSH2
internal import UAVLink

/// One public key authentication with an agent's key: libssh2 builds the request, the agent signs it.
final class AgentAuthentication {
    private let agent: AgentClient
    private let identity: AgentClient.Identity
    private let isRSA: Bool
    private var failure: LinkError?

    init(_ agent: AgentClient, _ identity: AgentClient.Identity) {
        self.agent = agent
        self.identity = identity
        isRSA = identity.key.type == "ssh-rsa"
    }

    func run(user: String, drive: ((OpaquePointer) -> Int32) throws(LinkError) -> Int32) throws(LinkError) -> Bool {
        let blob = requestBlob
        var context: UnsafeMutableRawPointer? = Unmanaged.passUnretained(self).toOpaque()
        let code = try withExtendedLifetime(self) { () throws(LinkError) in
            try drive { handle in libssh2_userauth_publickey(handle, user, blob, blob.count, signature, &context) }
        }
        if let failure { throw failure }
        return code == 0
    }

    /// The public key blob as sent in the request.
    ///
    /// libssh2 takes the signature algorithm from the first field of the key blob. In RSA keys that is `ssh-rsa`, which
    /// means SHA-1 and is refused by current servers. With `rsa-sha2-256` there, libssh2 requests an algorithm that the
    /// agent supports, and OpenSSH accepts the blob as an RSA key.
    private var requestBlob: [UInt8] {
        guard isRSA else { return identity.blob }
        var writer = WireWriter()
        writer.string("rsa-sha2-256")
        return writer.bytes + identity.blob.dropFirst(4 + "ssh-rsa".utf8.count)
    }

    fileprivate func sign(_ data: [UInt8]) -> [UInt8]? {
        do throws(LinkError) {
            return try agent.sign(data, with: identity, flags: isRSA ? Self.rsaWithSHA256 : 0)
        } catch {
            failure = error
            return nil
        }
    }

    /// SSH_AGENT_RSA_SHA2_256.
    private static let rsaWithSHA256: UInt32 = 2
}

private func signature(
    _ session: OpaquePointer?, _ out: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?,
    _ outLength: UnsafeMutablePointer<Int>?, _ data: UnsafePointer<UInt8>?, _ length: Int,
    _ context: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> Int32 {
    guard let data, let owner = context?.pointee else { return -1 }
    let logIn = Unmanaged<AgentAuthentication>.fromOpaque(owner).takeUnretainedValue()
    guard let bytes = logIn.sign(Array(UnsafeBufferPointer(start: data, count: length))), !bytes.isEmpty,
        // libssh2 releases it with free(): the session was created without a custom allocator.
        let copy = malloc(bytes.count)
    else { return -1 }
    bytes.withUnsafeBytes { if let source = $0.baseAddress { copy.copyMemory(from: source, byteCount: $0.count) } }
    out?.pointee = copy.assumingMemoryBound(to: UInt8.self)
    outLength?.pointee = bytes.count
    return 0
}
