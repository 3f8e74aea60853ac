internal import MachineLink
package import UAVLink

extension TelloLink: FlightPlanLink {
    /// Sends a command of the drone's own protocol, which UAVLink may have none for, under the same rules: one move at a
    /// time, never repeated; ranges are checked before.
    ///
    /// - Parameter plan: the flight plan of which it is a step, by its number; `nil` for none.
    /// - Throws: ``UAVLink/LinkError`` as ``perform(_:within:)``; `notInCommand` once the plan was ended.
    package func perform(
        _ command: TelloCommand, ofPlan plan: UInt64?, within timeout: Duration
    ) async throws(LinkError) -> CommandReply {
        try await core.perform("'\(command.text)'") { client, call, now in
            client.perform(command, ofPlan: plan, for: call, within: timeout, now: now)
        }
    }

    /// Whether the drone takes a move now: none is on its way, and no late answer may still come.
    package var isReadyForStep: Bool { core.client { $0.isReadyForStep } }

    /// Begins a flight plan; see ``TelloClient/beginPlan(now:)``.
    package func beginPlan() throws(LinkError) -> UInt64 {
        try core.change { (client, now) throws(LinkError) in try client.beginPlan(now: now) }
    }

    /// See ``UAVLink/FlightPlanLink``.
    package var pilotStates: PilotStates { PilotStates(mode) }

    /// See ``UAVLink/FlightPlanLink``.
    package func editPlan(_ isEdited: Bool) {
        // A link that was closed meanwhile has nothing to fly a plan with.
        try? core.change { client, now in client.editPlan(isEdited, now: now) }
    }

    /// Ends a flight plan, if it has not ended yet.
    package func endPlan(_ number: UInt64) {
        // A link that was closed meanwhile flies no plan.
        try? core.change { client, now in client.endPlan(number, now: now) }
    }
}
