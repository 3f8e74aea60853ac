public import UAVLink

/// A goto as a person types it: the heading may be left out, then the vehicle keeps the one it has.
public struct GoalInput: Hashable, Sendable {
    /// How position and heading are meant.
    public var reference: Command.Destination.Reference
    /// Metres, but degrees for x and y in ``FrameName/latitudeLongitude``.
    public var position: Vector3
    /// Radians; absent: keep the present one.
    public var headingRadians: Double?

    /// A goto as a person types it.
    public init(reference: Command.Destination.Reference, position: Vector3, headingRadians: Double? = nil) {
        self.reference = reference
        self.position = position
        self.headingRadians = headingRadians
    }

    /// Whether the vehicle's present heading is needed.
    public var needsHeading: Bool {
        if case .frame = reference { headingRadians == nil } else { false }
    }

    /// The command, with the heading filled in from what the vehicle last said.
    ///
    /// - Throws: ``LinkError`` with ``LinkError/Code/invalidInput`` when the heading is needed and not known.
    public func command(knowing telemetry: Telemetry?) throws(LinkError) -> Command {
        let heading: Double
        switch (headingRadians, reference) {
        case (let given?, _): heading = given
        case (nil, .relative), (nil, .body): heading = 0
        case (nil, .frame):
            guard let present = telemetry?.pose?.value.headingRadians else {
                throw LinkError(
                    .invalidInput, "the vehicle's heading is not known yet",
                    hint: "give the heading as the fourth number, in degrees")
            }
            heading = present
        }
        return .goTo(.init(reference, position: position, headingRadians: heading))
    }
}
