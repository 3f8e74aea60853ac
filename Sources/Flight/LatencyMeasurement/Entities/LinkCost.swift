/// What a link cost in its turns under one condition, from the end of the warm-up on.
package struct LinkCost: Hashable, Sendable {
    /// Packets and bytes of both directions.
    package struct Traffic: Hashable, Sendable {
        /// To the vehicle.
        package var packetsUp: Int
        package var bytesUp: Int
        /// From the vehicle.
        package var packetsDown: Int
        package var bytesDown: Int

        package init(packetsUp: Int = 0, bytesUp: Int = 0, packetsDown: Int = 0, bytesDown: Int = 0) {
            (self.packetsUp, self.bytesUp, self.packetsDown, self.bytesDown) =
                (packetsUp, bytesUp, packetsDown, bytesDown)
        }

        static func + (one: Self, other: Self) -> Self {
            Self(
                packetsUp: one.packetsUp &+ other.packetsUp, bytesUp: one.bytesUp &+ other.bytesUp,
                packetsDown: one.packetsDown &+ other.packetsDown, bytesDown: one.bytesDown &+ other.bytesDown)
        }

        static func - (one: Self, other: Self) -> Self {
            Self(
                packetsUp: one.packetsUp &- other.packetsUp, bytesUp: one.bytesUp &- other.bytesUp,
                packetsDown: one.packetsDown &- other.packetsDown, bytesDown: one.bytesDown &- other.bytesDown)
        }
    }

    /// A value with what it is of, or why it is not known.
    package enum Known<Value: Hashable & Sendable>: Hashable, Sendable {
        case value(Value, of: String)
        case unknown(String)
    }

    /// How long its turns took, seconds.
    package var seconds: Double
    /// Processor time of this whole process in those turns, nanoseconds, and how often it waited for something.
    package var groundNanoseconds: Int64
    package var groundWakeUps: Int
    /// Processor time on the vehicle in those turns, nanoseconds.
    package var vehicleNanoseconds: Known<Int64>
    /// How often the companion's threads waited for something in those turns.
    package var vehicleWakeUps: Known<Int64>
    /// What went over the network in those turns.
    package var traffic: Known<Traffic>

    package init(
        seconds: Double, groundNanoseconds: Int64, groundWakeUps: Int, vehicleNanoseconds: Known<Int64>,
        vehicleWakeUps: Known<Int64>, traffic: Known<Traffic>
    ) {
        self.seconds = seconds
        self.groundNanoseconds = groundNanoseconds
        self.groundWakeUps = groundWakeUps
        self.vehicleNanoseconds = vehicleNanoseconds
        self.vehicleWakeUps = vehicleWakeUps
        self.traffic = traffic
    }

    /// Processors that this end used on average; 0 for turns without length.
    package func share(_ nanoseconds: Int64) -> Double { seconds > 0 ? Double(nanoseconds) / 1e9 / seconds : 0 }

    /// So many each second.
    package func rate(_ count: Int) -> Double { seconds > 0 ? Double(count) / seconds : 0 }
}

extension LinkCost.Known {
    /// The value; `nil` if it is not known.
    package var value: Value? { if case .value(let value, _) = self { value } else { nil } }
    /// What it is of, or why it is not known.
    package var text: String {
        switch self {
        case .value(_, let text): text
        case .unknown(let reason): reason
        }
    }
}
