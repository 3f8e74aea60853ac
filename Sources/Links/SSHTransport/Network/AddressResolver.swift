internal import Synchronization
internal import SystemIO
internal import Threads
internal import UAVLink

/// Resolves host names with a deadline.
enum AddressResolver {
    private enum Answer: Sendable {
        case addresses([AddressLookup.Address])
        case failure(AddressLookup.Failure)
    }

    private final class Question: Sendable {
        let answer = Mutex<Answer?>(nil)
        let waker: Waker
        init(waker: Waker) { self.waker = waker }
    }

    /// All addresses of `host`, IPv6 and IPv4, in the system's order of preference.
    ///
    /// `getaddrinfo` has no timeout and cannot be cancelled, so it runs on a dedicated thread. After the deadline its result
    /// is discarded; the thread ends when the system's resolver returns.
    static func addresses(of host: String, port: UInt16, waiting: (Waker) throws(LinkError) -> Void)
        throws(LinkError) -> [AddressLookup.Address]
    {
        guard !host.isEmpty, !host.utf8.contains(0), host.utf8.count <= longestName else {
            throw LinkError(.invalidInput, "'\(host)' is not a valid host name")
        }
        if case .addresses(let addresses) = ask(host, port: port, numericOnly: true) { return addresses }
        let question = Question(waker: try .make())
        let hasStarted = DedicatedThread.start {
            let answer = ask(host, port: port, numericOnly: false)
            question.answer.withLock { $0 = answer }
            question.waker.wake()
        }
        guard hasStarted else { throw .noThread }
        while true {
            switch question.answer.withLock({ $0 }) {
            case nil:
                try waiting(question.waker)
            case .addresses(let addresses):
                return addresses
            case .failure(let failure):
                throw LinkError(
                    .unreachable, "cannot resolve the host '\(host)' (\(failure))",
                    hint: host.filter { $0 == ":" }.count == 1
                        ? "give the port on its own: --port"
                        : "check the spelling, and that it is in DNS, mDNS or /etc/hosts; or use an IP address")
            }
        }
    }

    /// The longest name in DNS.
    private static let longestName = 253

    private static func ask(_ host: String, port: UInt16, numericOnly: Bool) -> Answer {
        do throws(AddressLookup.Failure) {
            return .addresses(try AddressLookup.addresses(of: host, port: port, numericOnly: numericOnly))
        } catch { return .failure(error) }
    }
}
