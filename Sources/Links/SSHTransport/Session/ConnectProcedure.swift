internal import CLibSSH2
internal import SystemIO
internal import UAVLink

/// Connects, checks the host key and logs in; runs on the session's thread.
struct ConnectProcedure: Sendable {
    let endpoint: SSHEndpoint
    let authentication: [SSHAuthentication]
    let hostKeys: HostKeyPolicy
    let mailbox: SessionMailbox
    let deadline: Deadline
    let onPhase: @Sendable (SSHConnectPhase) -> Void

    func run() throws(LinkError) -> SessionTransport {
        let clock = ConnectClock(deadline, mailbox: mailbox)
        let check = try HostKeyCheck(endpoint, hostKeys)
        onPhase(.reaching)
        let isRelayed = endpoint.relayPort != nil
        let addresses = try AddressResolver.addresses(
            of: isRelayed ? endpoint.relayHost : endpoint.host, port: endpoint.relayPort ?? endpoint.port
        ) {
            waker throws(LinkError) in
            clock.wait(for: waker, until: clock.deadline)
            try clock.check(doing: "looking up \(endpoint.host)")
        }
        let socket = try Dialer.connect(
            to: addresses, endpoint: endpoint, waker: mailbox.waker, deadline: clock.deadline
        ) { () throws(LinkError) in
            mailbox.waker.clear()
            try clock.check(doing: "connecting to \(endpoint.host) port \(endpoint.port)")
        }
        let transport = try SessionTransport(socket: socket, endpoint: endpoint, mailbox: mailbox)
        onPhase(.checkingHostKey)
        try performHandshake(transport, clock, preferring: check.preferredAlgorithms)
        try approveHostKey(transport, check, clock)
        onPhase(.loggingIn)
        try Authenticator(transport, clock: clock).logIn(authentication)
        return transport
    }

    private func performHandshake(_ transport: SessionTransport, _ clock: ConnectClock, preferring algorithms: [String])
        throws(LinkError)
    {
        let known = Self.supported(algorithms, by: transport.session.handle)
        if !known.isEmpty {
            libssh2_session_method_pref(
                transport.session.handle, LIBSSH2_METHOD_HOSTKEY, known.joined(separator: ","))
        }
        var code: Int32 = 0
        do throws(LinkError) {
            _ = try transport.drive(until: clock.deadline, doing: "performing the handshake") { handle in
                code = libssh2_session_handshake(handle, transport.socket.descriptor)
                return code
            }
        } catch {
            throw code == LIBSSH2_ERROR_KEX_FAILURE ? Self.noAgreement(with: endpoint) : error
        }
        guard code == 0 else {
            throw LinkError(
                .protocolViolation,
                "\(endpoint.host) port \(endpoint.port) failed the SSH handshake (\(transport.session.lastError))",
                hint: "is \(endpoint.port) the port of its SSH server?")
        }
    }

    /// The error when the two ends have no algorithm in common. libssh2 does not say of what kind; where it cannot verify what
    /// current servers sign with an RSA host key, that is the likely one.
    static func noAgreement(
        with endpoint: SSHEndpoint, hasRSAWithSHA2: Bool = LibSSH2.hasRSAWithSHA2
    ) -> LinkError {
        let what = "\(endpoint.host) port \(endpoint.port) and this program have no SSH algorithm in common"
        guard !hasRSAWithSHA2 else {
            return LinkError(.protocolViolation, what, hint: "its SSH server is too old, or allows too little")
        }
        return LinkError(
            .protocolViolation,
            "\(what); libssh2 \(LibSSH2.version) cannot verify RSA host keys as current servers sign with them",
            hint:
                "if it has an RSA host key only, give it one of type ed25519 or ecdsa ('sudo ssh-keygen -A' there, then "
                + "restart its sshd), or install libssh2 1.11 or newer here")
    }

    /// The host key algorithms that libssh2 supports, in our order. libssh2 would skip the others itself, but version 1.10
    /// does so with a `memcpy` between overlapping buffers (found by the address sanitizer).
    private static func supported(_ algorithms: [String], by session: OpaquePointer) -> [String] {
        var list: UnsafeMutablePointer<UnsafePointer<CChar>?>?
        let count = libssh2_session_supported_algs(session, LIBSSH2_METHOD_HOSTKEY, &list)
        guard count > 0, let list else { return [] }
        defer { libssh2_free(session, list) }
        let names = Set((0..<Int(count)).compactMap { list[$0].map { String(cString: $0) } })
        return algorithms.filter { names.contains($0) }
    }

    private func approveHostKey(_ transport: SessionTransport, _ check: HostKeyCheck, _ clock: ConnectClock)
        throws(LinkError)
    {
        var length = 0
        var type: Int32 = 0
        guard let blob = libssh2_session_hostkey(transport.session.handle, &length, &type), length > 0 else {
            throw LinkError(.protocolViolation, "\(endpoint.host) presented no host key")
        }
        let key = HostKey(blob: Array(UnsafeRawBufferPointer(start: blob, count: length)))
        guard case .ask(let question) = try check.judge(key) else { return }
        switch hostKeys.unknown {
        case .refuse: throw HostKeyCheck.refusal(question)
        case .acceptNew:
            // A host that is known by another key is not new; this may be an impostor.
            guard question.otherKnownKeys.isEmpty else { throw HostKeyCheck.refusal(question) }
        case .ask(let confirm):
            let accepted = clock.ask { await confirm(question) }
            if let reason = mailbox.stopReason { throw reason }
            guard accepted == true else { throw HostKeyCheck.refusal(question) }
        }
        try check.remember(key)
    }
}
