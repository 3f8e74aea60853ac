#if os(Linux)
    import Glibc
    import Impairment
    import IntegrationKit
    import Statistics
    import Synchronization
    import Threads
    import UAVLink

    /// A radio between ground and vehicle beside the cable: each packet is delayed, lost and held back as an `Impairment` says.
    ///
    /// A network device of either network (tun) hands its packets to a thread here. So it is the kernel's own TCP that meets the
    /// losses, at both ends.
    final class Radio: Sendable {
        /// From the block that is kept for measurements of networks (RFC 2544).
        static let nearAddress = "198.18.1.1"
        /// The vehicle's end.
        static let farAddress = "198.18.1.2"

        /// Packets of one direction that are under way.
        private struct Way {
            var path: ImpairedPath<SeededRandom>
            /// In the order of their arrival.
            var packets: [(at: MonotonicTime, bytes: [UInt8])] = []

            mutating func add(_ bytes: [UInt8], at now: MonotonicTime) -> Bool {
                let arrivals = path.arrivals(ofDatagram: bytes.count, at: now)
                for at in arrivals {
                    let place = packets.lastIndex { $0.at <= at }.map { $0 + 1 } ?? 0
                    packets.insert((at, bytes), at: place)
                }
                return !arrivals.isEmpty
            }

            mutating func arrived(by now: MonotonicTime) -> [[UInt8]] {
                let count = packets.firstIndex { $0.at > now } ?? packets.count
                defer { packets.removeFirst(count) }
                return packets[..<count].map(\.bytes)
            }
        }

        private struct State {
            var isDark = false
            var stops = false
            var carriedUp = 0
            var lost = 0
        }

        /// What the thread shares with the test.
        private final class Shared: Sendable { let state = Mutex(State()) }
        private let shared: Shared

        /// Runs `body` with a radio and ends it whatever `body` does.
        static func with(
            _ impairment: String, in networks: SeparateNetworks, _ body: (Radio) async throws -> Void
        ) async throws {
            let radio = try await Radio(try Impairment(impairment), in: networks)
            do {
                try await body(radio)
                radio.stop()
            } catch {
                radio.stop()
                throw error
            }
        }

        private init(_ impairment: Impairment, in networks: SeparateNetworks) async throws {
            let near = try await networks.inside(.near) { try Self.device() }
            let far: Int32
            do { far = try await networks.inside(.far) { try Self.device() } } catch {
                close(near)
                throw error
            }
            shared = Shared()
            let shared = shared
            guard DedicatedThread.start({ Self.relay(near, far, impairment, shared) }) else {
                close(near)
                close(far)
                throw ProcessFailure("no thread for a radio")
            }
            do {
                try await Self.configure(.near, Self.nearAddress, Self.farAddress, networks)
                try await Self.configure(.far, Self.farAddress, Self.nearAddress, networks)
            } catch {
                stop()
                throw error
            }
        }

        /// While dark, everything is lost.
        func setDark(_ isDark: Bool) { shared.state.withLock { $0.isDark = isDark } }

        /// Bytes from the ground that have arrived, those of the headers among them.
        var carriedUp: Int { shared.state.withLock { $0.carriedUp } }

        /// Packets of both directions that were lost.
        var lost: Int { shared.state.withLock { $0.lost } }

        private func stop() { shared.state.withLock { $0.stops = true } }

        // MARK: Devices

        private static let name = "radio"
        /// `TUNSETIFF`, and its flags `IFF_TUN | IFF_NO_PI`: packets without anything in front of them (linux/if_tun.h).
        private static let setInterface: UInt = 0x4004_54CA
        private static let kind: UInt16 = 0x1001
        /// The longest packet: the devices' maximum transmission unit is 1500.
        private static let longest = 2048

        /// A device of the calling thread's network.
        private static func device() throws -> Int32 {
            let descriptor = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else { throw ProcessFailure("/dev/net/tun: errno \(errno)") }
            // struct ifreq: the name in 16 bytes, and the flags.
            var request = [UInt8](repeating: 0, count: 40)
            request.replaceSubrange(0..<name.utf8.count, with: name.utf8)
            withUnsafeBytes(of: kind) { request.replaceSubrange(16..<18, with: $0) }
            guard ioctl(descriptor, setInterface, &request) == 0 else {
                close(descriptor)
                throw ProcessFailure("no tun device: errno \(errno)")
            }
            return descriptor
        }

        private static func configure(
            _ end: SeparateNetworks.End, _ own: String, _ other: String, _ networks: SeparateNetworks
        ) async throws {
            // What most computers use; one that ignores losses (BBR) would hide them. Where it is not to be had, as it is.
            let script = """
                set -e
                { echo reno >/proc/sys/net/ipv4/tcp_congestion_control; } 2>/dev/null || true
                ip addr add \(own) peer \(other) dev \(name)
                ip link set \(name) up
                """
            let shell = try ChildProcess(
                networks.entering(end) + ["/bin/sh", "-c", script],
                environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"])
            guard try await shell.exit() == 0 else { throw ProcessFailure("the radio's address: \(shell.errors)") }
        }

        // MARK: The thread

        private static func relay(_ near: Int32, _ far: Int32, _ impairment: Impairment, _ shared: Shared) {
            let clock = SystemMonotonicClock()
            let start = clock.now
            var up = Way(path: ImpairedPath(impairment, start: start, random: SeededRandom(seed: 1)))
            var down = Way(path: ImpairedPath(impairment, start: start, random: SeededRandom(seed: 2)))
            while true {
                let (stops, isDark) = shared.state.withLock { ($0.stops, $0.isDark) }
                guard !stops else { break }
                var lost = 0
                for bytes in packets(of: near) where isDark || !up.add(bytes, at: clock.now) { lost += 1 }
                for bytes in packets(of: far) where isDark || !down.add(bytes, at: clock.now) { lost += 1 }
                let now = clock.now
                var carried = 0
                for bytes in up.arrived(by: now) {
                    carried += bytes.count
                    _ = write(far, bytes, bytes.count)
                }
                for bytes in down.arrived(by: now) { _ = write(near, bytes, bytes.count) }
                shared.state.withLock { state in
                    state.carriedUp += carried
                    state.lost += lost
                }
                wait(near, far, isBusy: !up.packets.isEmpty || !down.packets.isEmpty)
            }
            close(near)
            close(far)
        }

        private static func packets(of device: Int32) -> [[UInt8]] {
            var buffer = [UInt8](repeating: 0, count: longest)
            var packets: [[UInt8]] = []
            while case let count = read(device, &buffer, buffer.count), count > 0 {
                packets.append(Array(buffer[..<count]))
            }
            return packets
        }

        /// Waits for a packet: a millisecond at most if some are under way, else until orders are looked at again.
        private static func wait(_ near: Int32, _ far: Int32, isBusy: Bool) {
            var entries = [near, far].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            poll(&entries, nfds_t(entries.count), isBusy ? 1 : 20)
        }
    }
#endif
