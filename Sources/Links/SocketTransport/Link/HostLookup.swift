internal import ChannelProtocol
internal import Synchronization
internal import UAVLink
internal import Threads

/// Resolves hosts without blocking a cooperative thread, with a timeout.
enum HostLookup {
    private struct State {
        var continuation: CheckedContinuation<[SocketAddress], Never>?
        var isOver = false
    }

    private final class Lookup: Sendable {
        let state = Mutex(State())

        func begin(_ continuation: CheckedContinuation<[SocketAddress], Never>) -> Bool {
            state.withLock { state in
                if !state.isOver { state.continuation = continuation }
                return !state.isOver
            }
        }

        func finish(_ addresses: [SocketAddress]) {
            let continuation = state.withLock { state in
                state.isOver = true
                defer { state.continuation = nil }
                return state.continuation
            }
            continuation?.resume(returning: addresses)
        }
    }

    /// - Throws: ``LinkError`` with `unreachable` when the host has no address, or none in time.
    static func addresses(of host: String, port: UInt16, within timeout: Duration) async throws(LinkError)
        -> [SocketAddress]
    {
        let known = SocketAddress.resolve(host: host, port: port, numeric: true)
        if !known.isEmpty { return known }
        let lookup = Lookup()
        // The resolver cannot be interrupted: its thread ends by itself, and is not waited for after the deadline.
        let timer = Task {
            try? await Task.sleep(for: timeout)
            lookup.finish([])
        }
        defer { timer.cancel() }
        let found = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard lookup.begin(continuation) else { return continuation.resume(returning: []) }
                let started = DedicatedThread.start { lookup.finish(SocketAddress.resolve(host: host, port: port)) }
                if !started { lookup.finish([]) }
            }
        } onCancel: {
            lookup.finish([])
        }
        if Task.isCancelled { throw LinkError(.cancelled, "the connection was cancelled") }
        guard !found.isEmpty else {
            throw LinkError(
                .unreachable, "no address was found for '\(host)'", hint: "check the name, or use its IP address")
        }
        return found
    }
}
