package import Tello
package import UAVLink

/// What flies a plan: a Tello, or a fake of the tests.
package protocol PlanVehicle: Sendable {
    /// The edition of its SDK.
    var version: TelloVersion { get }
    /// Its battery, percent; `nil` if it is not known. To ask is also to use the link, so that the drone is kept from landing
    /// by itself.
    var batteryPercent: Double? { get }
    /// Whether it takes a move now: nothing is on its way, and no late answer may still come.
    var isReadyForStep: Bool { get }
    /// A plan begins, on the ground.
    func beginPlan() throws(LinkError) -> UInt64
    /// A plan has ended.
    func endPlan(_ number: UInt64)
    /// Sends a step; it is refused once the plan was ended.
    func perform(_ command: TelloCommand, ofPlan plan: UInt64?, within timeout: Duration) async throws(LinkError)
        -> CommandReply
    /// Stops or lands the drone, which ends the plan.
    func perform(_ command: Command, within timeout: Duration) async throws(LinkError) -> CommandReply
}

extension TelloLink: PlanVehicle {
    /// See ``PlanVehicle``.
    package var batteryPercent: Double? { latestTelemetry?.battery?.value.remaining.map { $0 * 100 } }
}

extension PlanVehicle {
    /// The edition of its SDK, for display.
    package var sdk: String { version.text }
}

extension PlanCheck {
    /// The first edition of the SDK that knows all its commands, for display; `nil` if none does.
    package var neededSDK: String? { needs?.text }
}

extension LinkCapabilities {
    /// What flies plans over the link; `nil` where it offers none.
    package var planVehicle: (any PlanVehicle)? { plans as? any PlanVehicle }
}
