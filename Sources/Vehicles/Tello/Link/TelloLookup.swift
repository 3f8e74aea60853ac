internal import Synchronization
internal import SystemIO
internal import Threads
internal import UAVLink

/// Finds the drone's address without blocking a cooperative thread, and within a time.
enum TelloLookup {
    private typealias Answer = Result<DatagramSocket.Endpoint, LinkError>

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
    /// - Throws: ``UAVLink/LinkError`` with `unreachable` if it has none, or none in time; `cancelled`.
    static func endpoint(
        of host: String, port: UInt16, within timeout: Duration
    ) async throws(LinkError) -> DatagramSocket.Endpoint {
        if let address = IPv4Address(host) { return DatagramSocket.Endpoint(address, port: port) }
        let lookup = Lookup()
        let none = LinkError(
            .unreachable, "no IPv4 address was found for '\(host)'", hint: "use the drone's address: 192.168.10.1")
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
                        lookup.finish(.success(try DatagramSocket.Endpoint.lookUp(host, port: port)))
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
