internal import Authority
internal import ChannelProtocol
internal import SocketTransport
public import UAVLink

extension Companion {
    /// Configuration of a companion.
    public struct Configuration: Sendable {
        /// The vehicle's name, for example `uav1`.
        public var vehicle: String
        /// How long setpoints remain valid without a newer one, before the vehicle is braked.
        public var lease: Duration = ControlAuthority<SessionID>.Times().lease
        /// Where its count of stops begins: greater than any that a companion of this vehicle had before (``stopCount(startedAt:)``).
        public var firstStop: UInt64 = 0
        /// Timeout of the backend for a command: the slowest service of the real stack, take-off, takes 0.3 s.
        public var commandTimeout: Duration = .seconds(10)
        /// Pause between attempts to connect the backend.
        public var reconnectPause: Duration = .seconds(1)
        /// Timeout of one such attempt.
        public var connectTimeout: Duration = .seconds(5)
        /// Timeout of the first attempt, for which commands wait: a companion started for this very command reaches its
        /// vehicle within 0.1 s; the rest covers a busy computer. After it the reason is known.
        public var firstConnectTimeout: Duration = .seconds(2)

        /// Creates the defaults for a vehicle.
        public init(vehicle: String) { self.vehicle = vehicle }

        /// The count with which a companion begins that starts at `now`: milliseconds, so a companion that ended before had counted less
        /// unless its grounds gave a thousand stops a second. After a restart of the computer it may be less than what grounds know
        /// of: a companion takes a number that it has not counted for one of another companion.
        public static func stopCount(startedAt now: MonotonicTime) -> UInt64 {
            UInt64(clamping: now.nanoseconds / 1_000_000)
        }
    }
}
