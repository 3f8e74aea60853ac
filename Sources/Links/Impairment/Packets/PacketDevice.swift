internal import SystemIO

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Why IP packets cannot be carried.
public struct PacketNetworkError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One line: what could not be done, and why.
    public let what: String

    /// The text of ``what``.
    public var description: String { what }

    init(_ what: String) { self.what = what }

    init(_ what: String, errno number: Int32) { self.what = "\(what): \(SystemError.text(number))" }
}

/// A network device of this program (TUN): what the kernel routes into it is read here, and what is written here the
/// kernel receives.
///
/// It is the sole owner; the kernel removes the device when the last reference is gone. Linux only: elsewhere none can be created.
public final class PacketDevice: Sendable {
    /// The device's name, such as `uavlab0`.
    public let name: String
    let descriptor: Int32
    private let owned: OwnedDescriptor

    /// The longest packet, bytes, and more than the maximum transmission unit of the devices, 1500.
    static let longest = 2048

    /// Creates a device in the network of the calling thread, without an address.
    ///
    /// - Throws: ``PacketNetworkError``: not Linux, no privilege (CAP_NET_ADMIN), no `/dev/net/tun`, or the name is taken.
    public init(name: String) throws(PacketNetworkError) {
        #if os(Linux)
            let number = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC)
            guard number >= 0 else { throw PacketNetworkError("/dev/net/tun cannot be opened", errno: errno) }
            owned = OwnedDescriptor(number)
            var request = Self.request(name)
            withUnsafeBytes(of: Self.kind) { request.replaceSubrange(16..<18, with: $0) }
            guard ioctl(number, Self.setInterface, &request) == 0 else {
                throw PacketNetworkError("no network device \(name)", errno: errno)
            }
            (self.name, descriptor) = (name, number)
        #else
            throw PacketNetworkError("network devices of a program (TUN) are made on Linux only")
        #endif
    }

    /// Gives it an address in a network of so many bits, and sets it up.
    func setUp(address: IPv4Octets, prefix: UInt32) throws(PacketNetworkError) {
        #if os(Linux)
            try set(0x8916, address.bytes, "an address of \(name)")
            try set(0x891C, IPv4Octets(~UInt32(0) << (32 - min(prefix, 32))).bytes, "the network of \(name)")
            var request = Self.request(name)
            // IFF_UP | IFF_RUNNING.
            withUnsafeBytes(of: UInt16(0x41)) { request.replaceSubrange(16..<18, with: $0) }
            try call(0x8914, &request, "setting \(name) up")
        #endif
    }

    /// Has packets to and from 127.0.0.1 pass through it: services that listen on the loopback only are reached.
    func routeLoopback() throws(PacketNetworkError) {
        let file = open("/proc/sys/net/ipv4/conf/\(name)/route_localnet", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { throw PacketNetworkError("route_localnet of \(name)", errno: errno) }
        defer { close(file) }
        guard write(file, "1\n", 2) == 2 else { throw PacketNetworkError("route_localnet of \(name)", errno: errno) }
    }

    /// Why it carries nothing any more: it was removed or set down; `nil` if it does.
    func whyDown() -> String? {
        #if os(Linux)
            var request = Self.request(name)
            do throws(PacketNetworkError) { try call(0x8913, &request, "the network device \(name) is gone") } catch {
                return error.what
            }
            return request[16] & 1 == 1 ? nil : "the network device \(name) was set down"
        #else
            return nil
        #endif
    }

    /// Reads the next packet into a buffer.
    ///
    /// - Returns: its length; `nil` when there is none now.
    /// - Throws: ``PacketNetworkError`` when the device is gone.
    func read(into buffer: inout [UInt8]) throws(PacketNetworkError) -> Int? {
        while true {
            #if canImport(Glibc)
                let count = Glibc.read(descriptor, &buffer, buffer.count)
            #else
                let count = Darwin.read(descriptor, &buffer, buffer.count)
            #endif
            if count > 0 { return count }
            let number = errno
            if count < 0, number == EINTR { continue }
            if count == 0 || number == EAGAIN || number == EWOULDBLOCK { return nil }
            throw PacketNetworkError("the network device \(name) is gone", errno: number)
        }
    }

    /// Hands a packet to the kernel.
    ///
    /// - Returns: whether it took it; it does not when it has no memory for it.
    /// - Throws: ``PacketNetworkError`` when the device is gone.
    func send(_ packet: [UInt8]) throws(PacketNetworkError) -> Bool {
        while true {
            let count = write(descriptor, packet, packet.count)
            if count >= 0 { return true }
            let number = errno
            if number == EINTR { continue }
            // What the kernel finds wrong with one packet is not the device's end.
            guard [EIO, EBADF, ENODEV, Self.badState].contains(number) else { return false }
            throw PacketNetworkError("the network device \(name) is gone", errno: number)
        }
    }

    // MARK: Requests

    /// `EBADFD` of Linux: the device of the descriptor was removed.
    private static let badState: Int32 = 77
    /// `TUNSETIFF`, and its flags `IFF_TUN | IFF_NO_PI`: packets without anything in front of them (linux/if_tun.h).
    private static let setInterface: UInt = 0x4004_54CA
    private static let kind: UInt16 = 0x1001

    /// `struct ifreq`: the name in 16 bytes, and what is asked or set in the next.
    private static func request(_ name: String) -> [UInt8] {
        var request = [UInt8](repeating: 0, count: 40)
        let text = name.utf8.prefix(15)
        request.replaceSubrange(0..<text.count, with: text)
        return request
    }

    #if os(Linux)
        private func set(_ code: UInt, _ address: [UInt8], _ what: String) throws(PacketNetworkError) {
            var request = Self.request(name)
            // struct sockaddr_in: the family, no port, the address.
            withUnsafeBytes(of: UInt16(truncatingIfNeeded: AF_INET)) { request.replaceSubrange(16..<18, with: $0) }
            request.replaceSubrange(20..<24, with: address)
            try call(code, &request, what)
        }

        private func call(_ code: UInt, _ request: inout [UInt8], _ what: String) throws(PacketNetworkError) {
            guard let control = SocketHandle.make(family: AF_INET, stream: false) else {
                throw PacketNetworkError("no socket", errno: errno)
            }
            guard ioctl(control.descriptor, code, &request) == 0 else { throw PacketNetworkError(what, errno: errno) }
        }
    #endif
}
