import FlightControl
import ModeKit
import Workspace
import Synchronization
import Testing
import UAVLink
import UAVTestKit
import VehicleAccess

/// Taking and releasing control authority.
extension WorkspaceTests {
    @Test("without control authority, or when it is not known, that is said")
    func withoutAuthority() async throws {
        let workspace = build()
        workspace.presenter.handle(.takeCommand)
        #expect(view.shown.notice?.text == "no vehicle is logged in")
        fleet.add(profile: VehicleProfile(name: "hexa"), link: try await connected())
        workspace.presenter.handle(.takeCommand)
        #expect(view.shown.notice?.text.hasSuffix("has no control authority") == true)
        fleet.add(profile: VehicleProfile(name: "hexa"), link: PilotedLink(clock: timeSource.fake, status: nil))
        workspace.presenter.handle(.takeCommand)
        #expect(view.shown.notice?.text == "no control authority status received yet")
        #expect(view.shown.confirmation == nil)
    }

    @Test("control authority that no pilot has is taken at once, and released by the same key unless it is used")
    func takeAndGiveBack() async throws {
        let link = PilotedLink(clock: timeSource.fake, status: ControlStatus())
        fleet.add(profile: VehicleProfile(name: "hexa"), link: link)
        let workspace = build()
        workspace.presenter.handle(.takeCommand)
        await settle()
        #expect(link.wishes == [.take(name: ControlAuthorityClient.ownName)])
        #expect(view.shown.notice?.text == "you have control authority over hexa:uav1")
        link.set(pilot: "bob", isYou: true, isSteering: true)
        workspace.presenter.handle(.takeCommand)
        await settle()
        #expect(link.wishes.count == 1)
        link.set(pilot: "bob", isYou: true)
        workspace.presenter.handle(.takeCommand)
        await settle()
        #expect(link.wishes.last == .release(reason: "by the user"))
    }

    @Test func `what another pilot's authority refuses is not asked, and said with the key that takes over`()
        async throws
    {
        let link = PilotedLink(clock: timeSource.fake, status: ControlStatus())
        link.set(pilot: "anna@laptop", isYou: false)
        fleet.add(profile: VehicleProfile(name: "hexa"), link: link)
        let workspace = build()
        workspace.presenter.handle(.fly(.landHome))
        #expect(view.shown.confirmation == nil)
        #expect(view.shown.notice?.text == "anna@laptop has control of hexa:uav1; F12 takes over")
        link.set(pilot: "anna@laptop", isYou: true)
        workspace.presenter.handle(.fly(.landHome))
        #expect(view.shown.confirmation != nil)
    }

    @Test("from another pilot command is taken after a question that names him, with a reason")
    func takeOver() async throws {
        let link = PilotedLink(clock: timeSource.fake, status: ControlStatus())
        link.set(pilot: "anna@laptop", isYou: false, isSteering: true)
        await timeSource.fake.run(for: .seconds(12))
        fleet.add(profile: VehicleProfile(name: "hexa"), link: link)
        let workspace = build()
        workspace.presenter.refresh()
        #expect(view.shown.vehicle?.isControlledByOther == true)
        workspace.presenter.handle(.takeCommand)
        let question = try #require(view.shown.confirmation)
        #expect(question.question == .takeCommand && question.reason?.isEmpty == false)
        #expect(
            question.text.hasPrefix(
                "anna@laptop has had control of hexa:uav1 for 12.0 s and is steering: the vehicle will stop"))
        // A plain yes is not one, nor is one without a reason.
        workspace.presenter.handle(.confirm)
        workspace.presenter.handle(.confirmWithReason("  "))
        #expect(view.shown.notice?.text.contains("enter a reason") == true && view.shown.confirmation != nil)
        workspace.presenter.handle(.decline)
        workspace.presenter.handle(.confirmWithReason("late"))
        await settle()
        #expect(link.wishes.isEmpty && view.shown.confirmation == nil)
        workspace.presenter.handle(.takeCommand)
        workspace.presenter.handle(.confirmWithReason(String(repeating: "ä", count: 200)))
        await settle()
        #expect(
            link.wishes == [
                .takeOver(name: ControlAuthorityClient.ownName, reason: String(repeating: "ä", count: 128))
            ])
        #expect(view.shown.notice?.weight == .success)
    }

    @Test("a pilot who came while the question was open is asked about anew")
    func anotherPilotMeanwhile() async throws {
        let link = PilotedLink(clock: timeSource.fake, status: ControlStatus())
        link.set(pilot: "anna", isYou: false)
        fleet.add(profile: VehicleProfile(name: "hexa"), link: link)
        let workspace = build()
        workspace.presenter.handle(.takeCommand)
        link.set(pilot: "carl", isYou: false)
        workspace.presenter.handle(.confirmWithReason("it is my turn"))
        await settle()
        #expect(link.wishes.isEmpty)
        #expect(view.shown.confirmation?.text.hasPrefix("carl has had control") == true)
        // No pilot any more: then it is taken.
        link.set(ControlStatus())
        workspace.presenter.handle(.confirmWithReason("it is my turn"))
        await settle()
        #expect(link.wishes.count == 1)
    }

    @Test("that the other pilot has lost control is said in the open question, and so is that one has it again")
    func lostMeanwhile() async throws {
        let link = PilotedLink(clock: timeSource.fake, status: ControlStatus())
        link.set(pilot: "anna", isYou: false)
        fleet.add(profile: VehicleProfile(name: "hexa"), link: link)
        let workspace = build()
        workspace.presenter.handle(.takeCommand)
        link.set(ControlStatus())
        workspace.presenter.refresh()
        #expect(view.shown.confirmation?.text.hasPrefix("anna has lost control of hexa:uav1: nobody has it") == true)
        link.set(pilot: "carl", isYou: false)
        workspace.presenter.refresh()
        #expect(view.shown.confirmation?.text.hasPrefix("carl has had control") == true)
        link.set(ControlStatus())
        workspace.presenter.refresh()
        workspace.presenter.handle(.confirmWithReason("it is my turn"))
        await settle()
        #expect(link.wishes.count == 1 && view.shown.confirmation == nil)
    }

    @Test("a companion that refuses is quoted")
    func refusedCommand() async throws {
        let link = PilotedLink(clock: timeSource.fake, status: ControlStatus(), refusal: "the companion is ending")
        fleet.add(profile: VehicleProfile(name: "hexa"), link: link)
        let workspace = build()
        workspace.presenter.handle(.takeCommand)
        await settle()
        #expect(view.shown.notice == Notice(.error, "hexa:uav1: the companion is ending"))
    }
}
