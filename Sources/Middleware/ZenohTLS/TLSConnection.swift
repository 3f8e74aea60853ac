internal import Synchronization
internal import SystemIO
internal import Zenoh

/// The client's end of a connection over TLS between two streams in memory.
///
/// OpenSSL's object is of one thread at a time, hence the lock; whoever sends keeps the order of what was sealed.
final class TLSConnection: ZenohTLSConnection {
    /// `@unchecked Sendable` because its handles are used under the lock only.
    private struct State: @unchecked Sendable {
        /// The owner of both streams.
        let connection: OpenSSLLibrary.Handle
        let received: OpenSSLLibrary.Handle
        let sealed: OpenSSLLibrary.Handle
        var isComplete = false
        var isOver = false
    }

    /// The most that one record has, bytes.
    private static let largestRecord = 1 << 14

    private let library: OpenSSLLibrary
    private let host: String
    private let locator: String
    private let settings: ZenohTLSSettings
    private let state: Mutex<State>

    init(to host: String, at locator: String, _ context: TLSContext) throws(ZenohError) {
        let library = context.library
        self.library = library
        self.host = host
        self.locator = locator
        settings = context.settings
        guard let connection = library.new(context.handle) else { throw TLSFailure.memory }
        guard let received = library.newStream(library.memory()) else {
            library.free(connection)
            throw TLSFailure.memory
        }
        guard let sealed = library.newStream(library.memory()) else {
            _ = library.freeStream(received)
            library.free(connection)
            throw TLSFailure.memory
        }
        library.setStreams(connection, received, sealed)
        state = Mutex(State(connection: connection, received: received, sealed: sealed))
        library.beClient(connection)
        try Self.expect(host, library, connection, settings)
    }

    deinit {
        state.withLock { state in
            _ = library.takeNames(of: state.connection)
            library.free(state.connection)
        }
    }

    /// Sets for whom the router's certificate must be, and names that to a router with several.
    private static func expect(
        _ host: String, _ library: OpenSSLLibrary, _ connection: OpenSSLLibrary.Handle, _ settings: ZenohTLSSettings
    ) throws(ZenohError) {
        let rules = library.rules(connection)
        guard library.setFlags(rules, OpenSSLNumber.partialChain) == 1 else { throw TLSFailure.memory }
        library.setNameFlags(rules, OpenSSLNumber.strictNames)
        let isAddress = IPv4Address(host) != nil
        if settings.verifiesName {
            // One that begins with a dot would stand for all hosts below it.
            let isName = !host.hasPrefix(".")
            let isSet = isAddress ? library.setAddress(rules, host) : library.setName(rules, host, host.utf8.count)
            guard isSet == 1, isName else {
                throw ZenohError(.invalidConfiguration, "'\(host)' cannot be the name in a certificate")
            }
        }
        guard !isAddress else { return }
        let isNamed = host.withCString {
            library.control(connection, OpenSSLNumber.setServerName, 0, UnsafeMutableRawPointer(mutating: $0)) == 1
        }
        guard isNamed else { throw TLSFailure.memory }
    }

    func receive(
        _ sealed: UnsafeRawBufferPointer, opened: inout [UInt8], answer: inout [UInt8]
    ) throws(ZenohError) -> Bool {
        try state.withLock { state throws(ZenohError) -> Bool in
            // Errors of others on this thread would be taken for ours.
            library.clearErrors()
            if !sealed.isEmpty {
                let count = library.put(state.received, sealed.baseAddress, Int32(clamping: sealed.count))
                guard count == sealed.count else { throw TLSFailure.memory }
            }
            defer { library.drain(state.sealed, into: &answer) }
            guard try completes(&state) else { return false }
            while try open(&state, into: &opened) {}
            return true
        }
    }

    private func completes(_ state: inout State) throws(ZenohError) -> Bool {
        if state.isComplete { return true }
        let result = library.handshake(state.connection)
        guard result == 1 else {
            try checkWaiting(result, &state)
            return false
        }
        state.isComplete = true
        return true
    }

    /// Decrypts one record; `false` when there is none.
    private func open(_ state: inout State, into opened: inout [UInt8]) throws(ZenohError) -> Bool {
        let connection = state.connection
        let count = withUnsafeTemporaryAllocation(byteCount: Self.largestRecord, alignment: 16) { buffer in
            let count = library.read(connection, buffer.baseAddress, Int32(buffer.count))
            if count > 0 { opened.append(contentsOf: buffer[..<Int(count)]) }
            return count
        }
        if count <= 0 { try checkWaiting(count, &state) }
        return count > 0
    }

    /// Returns when more must be received first.
    ///
    /// - Throws: ``ZenohError`` for any other result.
    private func checkWaiting(_ result: Int32, _ state: inout State) throws(ZenohError) {
        let outcome = library.outcome(state.connection, result)
        guard outcome != OpenSSLNumber.wantsRead else { return }
        state.isOver = true
        guard outcome != OpenSSLNumber.peerHasEnded else {
            throw ZenohError(.connectionLost, "the router closed the connection")
        }
        let failure = TLSFailure(
            verdict: library.verdict(state.connection), code: library.nextError(),
            names: library.takeNames(of: state.connection), host: host, settings: settings
        ).inWords(library)
        throw TLSFailure.named(failure, locator)
    }

    func seal(_ plain: UnsafeRawBufferPointer, into sealed: inout [UInt8]) -> Bool {
        guard !plain.isEmpty else { return true }
        return state.withLock { state in
            guard state.isComplete, !state.isOver else { return false }
            library.clearErrors()
            // A stream in memory takes all at once.
            let count = library.write(state.connection, plain.baseAddress, Int32(clamping: plain.count))
            library.drain(state.sealed, into: &sealed)
            state.isOver = count != plain.count
            return !state.isOver
        }
    }

    func end(into sealed: inout [UInt8]) {
        state.withLock { state in
            guard state.isComplete, !state.isOver else { return }
            state.isOver = true
            library.clearErrors()
            _ = library.shutdown(state.connection)
            library.drain(state.sealed, into: &sealed)
        }
    }
}
