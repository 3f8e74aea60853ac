internal import UAVLink

extension ControlAuthority {
    /// Durations.
    public struct Times: Hashable, Sendable {
        /// How long steering must be neutral at its start. Setpoints that were delayed arrive in one burst, neutral ones
        /// together with those that ask for motion, and only the pilot's clock knows their age.
        public var neutralLead: Duration = .milliseconds(20)
        /// How long setpoints remain valid without a newer one. 200 ms is four setpoints of a slow joystick (20 Hz), and well
        /// below the 0.5 s after which the vehicle's own tracker times out.
        public var lease: Duration = .milliseconds(200)
        /// Period at which a brake is repeated, in case the connection to the vehicle was interrupted.
        public var brakePeriod: Duration = .milliseconds(50)
        /// How long a brake is repeated; after it the vehicle's own tracker has stopped by itself.
        public var brakeDuration: Duration = .milliseconds(500)

        /// Creates the durations of docs/safety.md.
        public init() {}
    }
}
