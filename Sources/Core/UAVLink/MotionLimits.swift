/// The vehicle's current limits of speed, acceleration and jerk, from its constraint manager.
public struct MotionLimits: Hashable, Sendable {
    /// Limits along one direction.
    public struct Limits: Hashable, Sendable {
        /// m/s, or rad/s.
        public var speed: Double
        /// m/s^2, or rad/s^2.
        public var acceleration: Double
        /// m/s^3, or rad/s^3.
        public var jerk: Double

        /// Limits along one direction.
        public init(speed: Double, acceleration: Double, jerk: Double) {
            self.speed = speed
            self.acceleration = acceleration
            self.jerk = jerk
        }
    }

    /// In the horizontal plane, in any direction.
    public var horizontal: Limits
    /// Upwards.
    public var ascending: Limits
    /// Downwards.
    public var descending: Limits
    /// Heading.
    public var heading: Limits

    /// Motion limits.
    public init(horizontal: Limits, ascending: Limits, descending: Limits, heading: Limits) {
        self.horizontal = horizontal
        self.ascending = ascending
        self.descending = descending
        self.heading = heading
    }

    /// The flight stack's default constraints "medium": horizontal 4 m/s, 2 m/s^2; vertical 2 m/s, 1 m/s^2; heading
    /// 1 rad/s, 1 rad/s^2; jerk 40 m/s^3 and 20 rad/s^3.
    public static let medium = Self(
        horizontal: Limits(speed: 4, acceleration: 2, jerk: 40), ascending: Limits(speed: 2, acceleration: 1, jerk: 40),
        descending: Limits(speed: 2, acceleration: 1, jerk: 40), heading: Limits(speed: 1, acceleration: 1, jerk: 20))
}
