import FlightControl
import Testing
import UAVLink
import UAVTestKit
@testable import Workspace

/// Flights to places on Earth, which the vehicle converts to its own frame.
extension FlightActionTests {
    @Test(arguments: [true, false])
    func `a goto to a place on Earth is compared by the origin of the world, and what is not known is a warning`(
        isKnown: Bool
    ) async throws {
        let link = try await add(.flying)
        if !isKnown { link.survey.failure = LinkError(.timedOut, "no answer") }
        link.script(.reply(CommandReply(accepted: true, message: "")))
        // Where it hovers: the FakeVehicle knows no such places.
        let place = Vector3(x: 47.397743, y: 8.545594, z: 341.5)
        let workspace = build()
        workspace.presenter.handle(
            .fly(.goTo(GoalInput(reference: .frame(.latitudeLongitude), position: place, headingRadians: 0))))
        let words =
            isKnown
            ? "hexa:uav1: goto arrived at 0.0 0.0 1.5 "
            : "hexa:uav1: goto: it is not known whether the goal was reached: the flight ended at 0.0 0.0 1.5 "
        #expect(await timeSource.fake.run { view.shown.notice != nil })
        let notice = view.shown.notice
        #expect(notice?.text.hasPrefix(words) == true, "\(notice?.text ?? "")")
        #expect(notice?.weight == (isKnown ? .success : .warning))
    }
}
