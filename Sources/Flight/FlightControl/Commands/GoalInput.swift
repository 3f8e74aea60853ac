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

    /// Whether the vehicle's current heading is needed: for a goto that the machine has, unless it follows no headings.
    package func needsHeading(of machine: VehicleCapabilities) -> Bool {
        guard case .frame = reference, headingRadians == nil else { return false }
        return machine.followsHeadings && machine.refusal(of: command(heading: 0), vehicle: "") == nil
    }

    /// The command; a missing heading is taken from the telemetry, and is 0 for a machine that follows none.
    ///
    /// - Throws: ``LinkError`` with ``LinkError/Code/unsupported`` if the machine has no such goto, with
    ///   ``LinkError/Code/invalidInput`` if the heading is needed and not known.
    package func command(
        knowing telemetry: Telemetry?, of machine: VehicleCapabilities = .mrs
    ) throws(LinkError) -> Command {
        // What the machine has not is not asked for in a better form.
        if let lack = machine.refusal(of: command(heading: 0), vehicle: telemetry?.vehicle ?? "") { throw lack }
        let heading: Double
        switch (headingRadians, reference) {
        case (let given?, _): heading = given
        case (nil, .relative), (nil, .body): heading = 0
        case (nil, .frame) where !machine.followsHeadings: heading = 0
        case (nil, .frame):
            guard let present = telemetry?.pose?.value.headingRadians else {
                throw LinkError(
                    .invalidInput, "the vehicle's heading is not known yet",
                    hint: "give the heading as the fourth number, in degrees")
            }
            heading = present
        }
        return command(heading: heading)
    }

    private func command(heading: Double) -> Command {
        .goTo(.init(reference, position: position, headingRadians: heading))
    }
}

extension VehicleCapabilities {
    /// Whether the heading of a goto means anything to it: it turns to headings, or says which one it has.
    fileprivate var followsHeadings: Bool { commands.contains(.heading) || telemetry.contains(.pose) }
}
