/// What a link knows about a setpoint when ``UAVLink/steer(_:)`` returns.
public struct SteeringReceipt: Hashable, Sendable {
    /// The session that numbers it, counted from 1 over the link's life; 1 over a link without sessions.
    public var session: Int
    /// Counts the setpoints of the session from 1; without meaning if the setpoint had expired (``sentAt`` is `nil`).
    public var number: UInt64
    /// When it was handed on to the network or the vehicle, on this machine's clock, which does not mean that it arrives;
    /// `nil` if it was not: it had expired, or it waits for the network, where a newer one replaces it.
    public var sentAt: MonotonicTime?

    /// A receipt for a setpoint of a session.
    public init(session: Int = 1, number: UInt64, sentAt: MonotonicTime?) {
        self.session = session
        self.number = number
        self.sentAt = sentAt
    }
}
