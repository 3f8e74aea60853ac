#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import Synchronization
internal import SystemIO
internal import Threads
internal import UAVLink

/// One resolved address of a host.
struct SocketAddress: Sendable {
    let family: Int32
    let bytes: [UInt8]
    /// The numeric address, for messages.
    let text: String
}

/// Resolves host names with a deadline.
enum AddressResolver {
    private enum Answer: Sendable {
        case addresses([SocketAddress])
        case failure(Int32)
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
        throws(LinkError) -> [SocketAddress]
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
            case .failure(let code):
                throw LinkError(
                    .unreachable, "cannot resolve the host '\(host)' (\(String(cString: gai_strerror(code))))",
                    hint: "check the spelling, and that it is in DNS, mDNS or /etc/hosts; or use an IP address")
            }
        }
    }

    /// The longest name in DNS.
    private static let longestName = 253

    private static func ask(_ host: String, port: UInt16, numericOnly: Bool) -> Answer {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        #if canImport(Glibc)
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            hints.ai_socktype = SOCK_STREAM
        #endif
        hints.ai_flags = AI_NUMERICSERV | (numericOnly ? AI_NUMERICHOST : 0)
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &list)
        guard code == 0 else { return .failure(code) }
        defer { freeaddrinfo(list) }
        var addresses: [SocketAddress] = []
        var next = list
        while let entry = next?.pointee {
            if let address = entry.ai_addr {
                let bytes = Array(UnsafeRawBufferPointer(start: address, count: Int(entry.ai_addrlen)))
                addresses.append(
                    SocketAddress(family: entry.ai_family, bytes: bytes, text: numericText(address, entry.ai_addrlen)))
            }
            next = entry.ai_next
        }
        return addresses.isEmpty ? .failure(EAI_NONAME) : .addresses(addresses)
    }

    private static func numericText(_ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> String {
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        guard getnameinfo(address, length, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0 else {
            return "?"
        }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
