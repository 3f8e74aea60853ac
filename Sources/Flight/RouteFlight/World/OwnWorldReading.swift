internal import FlightControl
internal import UAVLink

extension TrajectoryFlight {
    /// Reads the vehicle's own world: its border, heights and obstacles. What was read before is fetched again only if it has changed,
    /// and stays if the vehicle does not answer, with a warning (``VehicleWorldFile/outdated``).
    ///
    /// - Returns: ``ownWorld``; not knowing it is no error, and the reason stands in it.
    @discardableResult
    package func readWorld() async -> OwnWorld {
        let before = ownWorld.file
        guard let survey = link.capabilities.survey else {
            ownWorld = .unknown("the \(link.kind.rawValue) link cannot be asked for it")
            return ownWorld
        }
        do throws(LinkError) {
            let told = try await survey.world(knowing: before?.fingerprint ?? 0, within: limits.world)
            let answeredAt = clock.now
            ownWorld = await OwnWorld.decoded(told, before: before)
            worldReadAt = answeredAt
        } catch {
            let why = error.description.sanitizedLine
            guard var file = before, let worldReadAt else {
                ownWorld = .unknown(why)
                return ownWorld
            }
            file.outdated =
                "the vehicle's own world is known only as it was"
                + " \(FlightControl.Figures.span(clock.now - worldReadAt)) before the last question for it, which failed:"
                + " \(why)"
            ownWorld = .known(file)
        }
        return ownWorld
    }
}
