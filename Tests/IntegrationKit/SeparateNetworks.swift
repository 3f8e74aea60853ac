#if os(Linux)
    internal import Foundation
    internal import Glibc

    /// Two network namespaces of a test's own, joined by a cable that the test can cut: what is sent into it then vanishes without a
    /// word, as when a radio is out of range.
    ///
    /// This machine's own networks do not change. The namespaces belong to processes of ``ChildProcess``, so they are gone at the
    /// latest when the test process is.
    public final class SeparateNetworks: Sendable {
        /// One of the two.
        public enum End: Sendable {
            /// Has the address ``SeparateNetworks/nearAddress`` and a loopback.
            case near
            /// Has the address ``SeparateNetworks/farAddress``.
            case far
        }

        /// From the block that is kept for measurements of networks (RFC 2544).
        public static let nearAddress = "198.18.0.1"
        /// The other end of the cable.
        public static let farAddress = "198.18.0.2"

        private let holder: ChildProcess
        private let processes: (near: Int32, far: Int32)

        /// Why there can be none here; `nil` if there can.
        public static let missing: String? = {
            guard getuid() == 0 else { return "network namespaces need root" }
            let trial = "unshare --net -- /bin/sh -c 'ip link add near type veth peer name far && command -v nsenter'"
            return system("PATH=\(path) \(trial) >/dev/null 2>&1") == 0
                ? nil : "network namespaces, veth, 'ip' or 'nsenter' are missing"
        }()

        /// Runs `body` with such networks and removes them whatever `body` does.
        ///
        /// - Parameter ownProcess: that this process runs nothing but `body` (an exit test). Threads that are created
        ///   ``inside(_:_:)`` a network stay in it, and where they wake tasks, so do the threads that are created for those:
        ///   whatever these start or bind later, for other tests too, is in that network.
        /// - Throws: also a ``ProcessFailure`` if such threads are left in a process that is not its own.
        public static func with<Value: Sendable>(
            ownProcess: Bool = false, _ body: (SeparateNetworks) async throws -> Value
        ) async throws -> Value {
            let networks = try await SeparateNetworks()
            do {
                let value = try await body(networks)
                await networks.holder.stop()
                guard !ownProcess else { return value }
                // Of one that has been told to end, the thread ends soon after.
                guard await eventually(within: .seconds(3), { strayThreads.isEmpty }) else {
                    throw ProcessFailure("threads \(strayThreads) stay in a separate network: this takes an exit test")
                }
                return value
            } catch {
                await networks.holder.stop()
                throw error
            }
        }

        /// The threads of this process that are in another network than its first.
        public static var strayThreads: [String] {
            ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []).filter {
                // One that has just ended has none.
                guard let its = network(ofFile: "/proc/self/task/\($0)") else { return false }
                return its != ownNetwork
            }
        }

        /// The network of the calling thread, as the system names it.
        public static var currentNetwork: String? { network(ofFile: "/proc/thread-self") }

        /// That of the process's first thread, which never enters another.
        public static var ownNetwork: String? { network(ofFile: "/proc/self") }

        private static func network(ofFile path: String) -> String? {
            try? FileManager.default.destinationOfSymbolicLink(atPath: path + "/ns/net")
        }

        private init() async throws {
            holder = try ChildProcess(
                ["/usr/bin/unshare", "--net", "--", "/bin/sh", "-c", Self.script], environment: ["PATH": Self.path])
            let line = try await holder.line(containing: "joined ", within: .seconds(20))
            let numbers = line.split(separator: " ").compactMap { Int32($0) }
            guard numbers.count == 2 else { throw ProcessFailure("no separate networks: \(line)") }
            processes = (near: numbers[0], far: numbers[1])
        }

        /// Runs `body` on a thread in one of the networks: to it belong the sockets that are created there.
        public func inside<Value: Sendable>(
            _ end: End, _ body: @escaping @Sendable () throws -> Value
        ) async throws -> Value {
            let process = end == .near ? processes.near : processes.far
            return try await withCheckedThrowingContinuation { (answer: CheckedContinuation<Value, any Error>) in
                ChildProcess.detach {
                    let result: Result<Value, any Error> = Result {
                        let home = try Self.network(of: "self")
                        try Self.enter(Self.network(of: "\(process)"))
                        let result = Result { try body() }
                        // Who is resumed may be given a new thread, which would be in this one's network, and serve other
                        // tests too.
                        try Self.enter(home)
                        return try result.get()
                    }
                    answer.resume(with: result)
                }
            }
        }

        /// The beginning of a command line whose program runs in one of the networks.
        public func entering(_ end: End) -> [String] {
            let process = end == .near ? processes.near : processes.far
            return ["/usr/bin/nsenter", "--target", "\(process)", "--net", "--"]
        }

        /// Cuts the cable, for good.
        public func cut() async throws {
            holder.send(line: "cut")
            try await holder.line(containing: "cut", within: .seconds(20))
        }

        /// The network of a process; "self" has that of this one's first thread.
        private static func network(of process: String) throws -> Int32 {
            let descriptor = open("/proc/\(process)/ns/net", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw ProcessFailure("no network of process \(process): errno \(errno)") }
            return descriptor
        }

        /// Takes the calling thread into a network, and closes the descriptor.
        private static func enter(_ network: Int32) throws {
            defer { close(network) }
            // Swift does not import it.
            guard let symbol = dlsym(nil, "setns") else { throw ProcessFailure("no setns") }
            let setNamespace = unsafeBitCast(symbol, to: (@convention(c) (Int32, Int32) -> Int32).self)
            guard setNamespace(network, newNetwork) == 0 else { throw ProcessFailure("setns: errno \(errno)") }
        }

        /// `CLONE_NEWNET`.
        private static let newNetwork: Int32 = 0x4000_0000
        private static let path = "/usr/sbin:/usr/bin:/sbin:/bin"

        /// Runs in the near network. The far end goes down, not the near one: this side learns nothing of it but that its cable has no
        /// signal, and keeps its routes.
        private static let script = """
            set -e
            unshare --net -- sleep 86400 &
            far=$!
            while [ "$(readlink /proc/$far/ns/net)" = "$(readlink /proc/$$/ns/net)" ]; do sleep 0.01; done
            ip link add near type veth peer name far netns $far
            ip addr add \(nearAddress)/30 dev near
            ip link set lo up
            ip link set near up
            nsenter -t $far -n ip addr add \(farAddress)/30 dev far
            nsenter -t $far -n ip link set far up
            echo "joined $$ $far"
            read -r order
            nsenter -t $far -n ip link set far down
            echo "cut"
            read -r order
            """
    }
#endif
