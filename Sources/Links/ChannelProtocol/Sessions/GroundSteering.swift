internal import UAVLink

/// A ground's setpoints: the one that waits to be sent, which a newer one replaces, and the fates of the others.
struct GroundSteering {
    /// The number of the newest setpoint.
    private(set) var number: UInt64 = 0
    private(set) var sent: UInt64 = 0
    /// The companion's counters of them.
    var counts = SetpointCounts()
    private var waiting: Steering?

    /// Sets the setpoint to send and returns its number.
    mutating func steer(_ setpoint: VelocitySetpoint) -> UInt64 {
        number += 1
        waiting = Steering(number: number, setpoint: setpoint)
        return number
    }

    /// Drops the setpoint that waits.
    mutating func drop() { waiting = nil }

    /// Seals the setpoint that waits and returns the frame's length; 0 when none waits.
    mutating func nextFrame(
        into buffer: UnsafeMutableRawBufferPointer, cipher: FrameCipher, trace: GroundTrace?
    ) -> Int {
        guard let setpoint = waiting else { return 0 }
        waiting = nil
        sent += 1
        let sequence = cipher.nextSequence
        let length = cipher.seal(into: buffer) { setpoint.write(&$0) }
        trace?.sealed(setpoint: setpoint.number, sequence: sequence)
        return length
    }
}
