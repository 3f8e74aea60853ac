/// What a link knows about a setpoint when ``UAVLink/steer(_:)`` returns.
public struct SteeringReceipt: Hashable, Sendable {
    /// The session that numbers it, counted from 1 over the link's life; 1 over a link without sessions.
    public var session: Int
    /// Counts the setpoints of the session from 1; without meaning if the setpoint had expired (``sentAt`` is `nil`).
    public var number: UInt64
    /// When it was handed on to the network or the vehicle, on this machine's clock, which does not mean that it arrives;
    /// `nil` if it was not: it had expired, or it waits for the network, where a newer one replaces it.
    public var sentAt: MonotonicTime?
    /// Whether it is followed: it was sent, or the machine's control loop sends it within some 30 ms unless a newer one replaces it.
    /// A setpoint that is not was dropped, and renews no lease.
    public var isTaken: Bool

    /// A receipt for a setpoint of a session.
    ///
    /// - Parameter isTaken: `nil`: if it was sent.
    public init(session: Int = 1, number: UInt64, sentAt: MonotonicTime?, isTaken: Bool? = nil) {
        self.session = session
        self.number = number
        self.sentAt = sentAt
        self.isTaken = isTaken ?? (sentAt != nil)
    }
}
