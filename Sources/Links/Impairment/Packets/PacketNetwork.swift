internal import Synchronization
internal import SystemIO
internal import Threads
internal import UAVLink

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// An impaired network that loses IP packets: the kernel's own TCP meets the losses, at both ends.
///
/// A network device of this program (TUN) hands each packet to a thread here, which delays, loses, duplicates and reorders it as an
/// ``Impairment`` says, and hands it back. It takes Linux and CAP_NET_ADMIN. Without the privilege ``ImpairedRelay``
/// delays streams, but cannot lose anything of them.
public final class PacketNetwork: Sendable {
    /// What has passed, and what has not.
    public struct Counts: Hashable, Sendable {
        /// Packets that have arrived from clients, and those to them.
        public var packetsUp = 0
        /// Packets that have arrived at clients.
        public var packetsDown = 0
        /// Their bytes, those of the IP headers among them.
        public var bytesUp = 0
        /// Their bytes, those of the IP headers among them.
        public var bytesDown = 0
        /// Packets of both directions that were lost.
        public var lost = 0
    }

    struct Orders: Sendable {
        var up = Impairment.none
        var down = Impairment.none
        /// Number of changes of `up` and `down`.
        var changes: UInt64 = 0
        var isDark = false
        var stops = false
        var failure: String?
        var counts = Counts()
    }

    /// What the thread shares with the owner.
    private final class Shared: Sendable { let orders = Mutex(Orders()) }
    private let shared = Shared()
    private let waker: Waker
    /// The address of this computer behind the impairment: a service on port p of 127.0.0.1 is on port p of it, over TCP and UDP.
    public let address: String

    /// Creates a network through which this computer reaches its own services.
    ///
    /// - Throws: ``PacketNetworkError`` with the reason: not Linux, no CAP_NET_ADMIN, no device.
    public convenience init(seed: UInt64 = 1) throws(PacketNetworkError) {
        try self.init(seed: seed, number: nil)
    }

    /// As ``init(seed:)``, with a device of that number.
    convenience init(seed: UInt64, number: UInt8?) throws(PacketNetworkError) {
        if let reason = Privilege.missing { throw PacketNetworkError(reason) }
        let (device, addresses) = try Self.newDevice(number)
        try device.setUp(address: addresses.own, prefix: PacketAddresses.prefix)
        try device.routeLoopback()
        // What rules route elsewhere before the main table is asked would leave this computer, to whoever has the address.
        guard PacketRoutes.source(towards: addresses.far) == addresses.own.description else {
            throw PacketNetworkError(
                "\(addresses.far) is routed past \(device.name): a rule of this computer's routing has it ('ip rule')")
        }
        try self.init(.one(device, addresses), address: "\(addresses.far)", seed: seed)
    }

    /// Creates a network between two devices, usually of different network namespaces, which are given their addresses by the
    /// caller. Up is from `near` to `far`.
    ///
    /// - Throws: ``PacketNetworkError`` if the system has no thread for it.
    public convenience init(
        between near: PacketDevice, and far: PacketDevice, seed: UInt64 = 1
    ) throws(PacketNetworkError) {
        try self.init(.two(near: near, far: far), address: "", seed: seed)
    }

    private init(_ devices: PacketLoop.Devices, address: String, seed: UInt64) throws(PacketNetworkError) {
        self.address = address
        do throws(SocketError) { waker = try Waker() } catch { throw PacketNetworkError(error.what) }
        let (shared, waker) = (shared, waker)
        let hasStarted = DedicatedThread.start {
            let loop = PacketLoop(devices, seed: seed, waker: waker)
            while shared.orders.withLock({ loop.pass(&$0) }) { loop.wait() }
        }
        guard hasStarted else { throw PacketNetworkError("no thread for an impaired network") }
    }

    deinit { stop() }

    /// Why this process cannot have one; `nil` if it can. Found out by creating one.
    public static let missing: String? = {
        do throws(PacketNetworkError) {
            try PacketNetwork().stop()
            return nil
        } catch {
            return error.what
        }
    }()

    /// The impairment of each direction, from now on.
    public func impair(up: Impairment, down: Impairment) {
        order { orders in
            (orders.up, orders.down) = (up, down)
            orders.changes += 1
        }
    }

    /// While dark, everything is lost.
    public func setDark(_ isDark: Bool) { order { $0.isDark = isDark } }

    /// What has passed until now.
    public var counts: Counts { shared.orders.withLock { $0.counts } }

    /// Why nothing passes any more: the device was removed, or set down; `nil` as long as it works. Noticed within 0.2 s.
    public var failure: String? { shared.orders.withLock { $0.failure } }

    /// Ends it; the device is removed soon after.
    public func stop() { order { $0.stops = true } }

    private func order(_ change: (inout Orders) -> Void) {
        shared.orders.withLock { change(&$0) }
        waker.wake()
    }

    // MARK: Devices

    /// The number of the next device. Each has other addresses than the last: the kernel remembers what it has learned of
    /// the way to an address (`tcp_metrics`), and that would be the impairment before this one.
    private static let next = Mutex(UInt8(truncatingIfNeeded: getpid() &* 37))

    private static func newDevice(
        _ wanted: UInt8?
    ) throws(PacketNetworkError) -> (PacketDevice, PacketAddresses) {
        let routes = PacketRoutes.own
        var failure = PacketNetworkError("no network device")
        for _ in 0..<32 {
            let number =
                wanted
                ?? next.withLock { next in
                    next &+= 1
                    return next
                }
            let addresses = PacketAddresses(number: number)
            if let owner = routes.owner(of: addresses) {
                failure = PacketNetworkError(
                    "the addresses of 198.19.0.0/16 that it takes are routed to the network device \(owner) already")
                continue
            }
            do throws(PacketNetworkError) {
                return (try PacketDevice(name: "uavlab\(number)"), addresses)
            } catch { failure = error }
        }
        throw failure
    }
}

/// What the kernel lets this process do.
private enum Privilege {
    /// The bit of CAP_NET_ADMIN (capabilities(7)).
    private static let networkAdministration = 12

    /// Why it may not make network devices; `nil` if it may. It is the capability that counts, not who the user is.
    static var missing: String? {
        #if os(Linux)
            guard let mask = effective, mask >> networkAdministration & 1 == 1 else {
                return
                    "losing IP packets takes the capability CAP_NET_ADMIN: run as root, or in a network namespace of yours"
            }
            return nil
        #else
            return "IP packets can be lost on Linux only"
        #endif
    }

    private static var effective: UInt64? {
        let file = open("/proc/self/status", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var buffer = [UInt8](repeating: 0, count: 8192)
        let count = read(file, &buffer, buffer.count)
        guard count > 0 else { return nil }
        let line = String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n").first {
            $0.hasPrefix("CapEff:")
        }
        return line?.split(whereSeparator: \.isWhitespace).last.flatMap { UInt64($0, radix: 16) }
    }
}
