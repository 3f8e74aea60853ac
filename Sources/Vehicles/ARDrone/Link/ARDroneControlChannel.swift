internal import SystemIO
internal import UAVLink

/// The TCP connection on which the drone sends its configuration, while it is wanted.
struct ARDroneControlChannel {
    /// What a read has brought.
    enum News {
        case nothing
        /// It is connected: the configuration can be asked for.
        case opened
        case configuration([String: String])
    }

    private let address: IPv4Address
    private let port: UInt16
    private var handle: SocketHandle?
    private var isOpen = false
    private var reader = ARDroneConfigurationReader()
    private var nextAttempt: MonotonicTime?

    private static let attemptPeriod: Duration = .seconds(1)
    private static let mostReads = 32

    init(address: IPv4Address, port: UInt16) {
        self.address = address
        self.port = port
    }

    /// Connects if it is wanted, and ends the connection if not.
    mutating func want(_ isWanted: Bool, now: MonotonicTime) {
        guard isWanted else { return end() }
        guard handle == nil, nextAttempt.map({ $0 <= now }) ?? true else { return }
        nextAttempt = now + Self.attemptPeriod
        // One that cannot be connected is tried again, until it is not wanted any more.
        handle = try? SocketHandle.connect(to: address, port: port)
        (isOpen, reader) = (false, ARDroneConfigurationReader())
    }

    private mutating func end() { (handle, isOpen) = (nil, false) }

    /// Its place in the poller; `nil` if there is no connection.
    func add(to poller: inout Poller) -> Int? { handle.map { poller.add($0.descriptor, writing: !isOpen) } }

    /// Serves a connection that is ready.
    mutating func serve(into buffer: inout [UInt8]) -> News {
        guard let handle else { return .nothing }
        guard isOpen else {
            guard handle.connectFailure == nil else {
                end()
                return .nothing
            }
            isOpen = true
            return .opened
        }
        for _ in 0..<Self.mostReads {
            switch buffer.withUnsafeMutableBytes({ handle.read(into: $0) }) {
            case .moved(let count): if let dump = reader.take(buffer.prefix(count)) { return .configuration(dump) }
            case .wouldBlock: return .nothing
            case .ended, .failed:
                end()
                return .nothing
            }
        }
        return .nothing
    }
}
