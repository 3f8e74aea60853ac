internal import Synchronization
package import SystemIO
internal import Threads
package import UAVLink

/// Finds a machine's address without blocking a cooperative thread, and within a time.
package enum HostLookup {
    private typealias Answer = Result<IPv4Address, LinkError>

    /// Its first result counts.
    private final class Lookup: Sendable {
        private struct State {
            var continuation: CheckedContinuation<Answer, Never>?
            var answer: Answer?
        }

        private let state = Mutex(State())

        func begin(_ continuation: CheckedContinuation<Answer, Never>) {
            let early = state.withLock { state in
                if state.answer == nil { state.continuation = continuation }
                return state.answer
            }
            if let early { continuation.resume(returning: early) }
        }

        func finish(_ answer: Answer) {
            let continuation: CheckedContinuation<Answer, Never>? = state.withLock { state in
                guard state.answer == nil else { return nil }
                state.answer = answer
                defer { state.continuation = nil }
                return state.continuation
            }
            continuation?.resume(returning: answer)
        }
    }

    /// The address of a host; one in numbers is not looked up.
    ///
    /// - Parameters:
    ///   - host: its name or address.
    ///   - usual: the address that such a machine usually has, for the hint.
    ///   - timeout: the longest time that the caller waits.
    /// - Throws: ``UAVLink/LinkError`` with `unreachable` if it has none, or none in time; `cancelled`.
    package static func address(
        of host: String, usually usual: String, within timeout: Duration
    ) async throws(LinkError) -> IPv4Address {
        if let address = IPv4Address(host) { return address }
        let lookup = Lookup()
        let none = LinkError(
            .unreachable, "no IPv4 address was found for '\(host)'", hint: "use its address, usually \(usual)")
        // A resolver cannot be interrupted: its thread ends by itself, and is not waited for.
        let timer = Task {
            try? await Task.sleep(for: timeout)
            lookup.finish(.failure(none))
        }
        defer { timer.cancel() }
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                lookup.begin(continuation)
                let hasStarted = DedicatedThread.start {
                    do throws(SocketError) {
                        lookup.finish(.success(try DatagramSocket.Endpoint.lookUp(host, port: 0).address))
                    } catch {
                        lookup.finish(.failure(none))
                    }
                }
                if !hasStarted { lookup.finish(.failure(none)) }
            }
        } onCancel: {
            lookup.finish(.failure(LinkError(.cancelled, "the connection was cancelled")))
        }
        return try answer.get()
    }
}
