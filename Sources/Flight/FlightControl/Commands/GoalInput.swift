package import UAVLink

/// A goto as entered by the user: without a heading the vehicle keeps its current one.
package struct GoalInput: Hashable, Sendable {
    /// What position and heading refer to.
    package var reference: Command.Destination.Reference
    /// Metres; degrees for x and y in ``FrameName/latitudeLongitude``.
    package var position: Vector3
    /// Radians; `nil` keeps the current heading.
    package var headingRadians: Double?

    package init(reference: Command.Destination.Reference, position: Vector3, headingRadians: Double? = nil) {
        self.reference = reference
        self.position = position
        self.headingRadians = headingRadians
    }

    /// Whether the vehicle's current heading is needed.
    package var needsHeading: Bool {
        if case .frame = reference { headingRadians == nil } else { false }
    }

    /// The command; a missing heading is taken from the telemetry.
    ///
    /// - Throws: ``LinkError`` with ``LinkError/Code/invalidInput`` if the heading is needed and not known.
    package func command(knowing telemetry: Telemetry?) throws(LinkError) -> Command {
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
