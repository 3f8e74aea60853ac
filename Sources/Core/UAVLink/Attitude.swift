/// How a body lies in the air, radians.
public struct Attitude: Hashable, Sendable {
    /// Right side down positive.
    public var rollRadians: Double
    /// Nose up positive.
    public var pitchRadians: Double
    /// Counter-clockwise positive, from where the machine was switched on: no heading in ENU.
    public var yawRadians: Double

    /// An attitude.
    public init(rollRadians: Double, pitchRadians: Double, yawRadians: Double) {
        self.rollRadians = rollRadians
        self.pitchRadians = pitchRadians
        self.yawRadians = yawRadians
    }

    /// In whole degrees, in words for display.
    public var text: String {
        func degrees(_ radians: Double) -> String {
            Int(exactly: Heading.degrees(radians: radians).rounded()).map { "\($0)°" } ?? "?"
        }
        return "roll \(degrees(rollRadians)), pitch \(degrees(pitchRadians)), yaw \(degrees(yawRadians))"
    }
}
