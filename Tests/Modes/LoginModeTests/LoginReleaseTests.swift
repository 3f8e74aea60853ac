import FlightControl
import LoginMode
import ModeKit
import ModeTestKit
import SSHTransport
import Testing
import UAVLink
import UAVTestKit
import VehicleAccess

@MainActor
@Suite("The end of a log-in")
struct LoginReleaseTests {
    @Test("what an attempt says that was cancelled is not taken for the next one's")
    func staleNews() async {
        let rig = await LoginRig(FakeOpener(.openLate(talkingLink()), .hang([.began(.reach)])))
        await rig.fillIn()
        await rig.do(.logIn)
        // The first one notices that it was cancelled, and tells of it, when the second is under way already.
        await rig.do(.cancel, .logIn)
        #expect(rig.opener.cancelled == 1)
        #expect(rig.state.isLoggingIn)
        #expect(rig.view.steps == [.underWay, .pending, .pending, .pending, .pending])
        await rig.detach()
    }

    @Test("a detached log-in is let go of, and what it had begun is cancelled and closed")
    func release() async {
        let link = talkingLink()
        let opener = FakeOpener(.openLate(link))
        weak var presenter: LoginPresenter?
        weak var view: FakeLoginView?
        let timeSource = FakeTimeSource()
        let fleet = Fleet(timeSource: timeSource)
        do {
            let itsView = FakeLoginView()
            view = itsView
            let instance = LoginBuilder(
                .init(fleet: fleet, store: FakeStore(), opener: opener, companions: { [] }, timeSource: timeSource)
            ).build(on: FakeStage()) {
                presenter = $0
                itsView.presenter = $0
                return itsView
            }
            await settle()
            presenter?.handle(.edit(.address, "10.0.0.7"))
            presenter?.handle(.logIn)
            await settle()
            #expect(presenter != nil)
            // One looks for vehicles here, one counts the seconds.
            #expect(timeSource.pauses == 2)
            #expect(opener.requests.count == 1)
            instance.detach()
        }
        await settle()
        #expect(opener.cancelled == 1)
        #expect(!link.quality.isConnected)
        #expect(fleet.vehicles.isEmpty)
        #expect(timeSource.pauses == 0)
        #expect(presenter == nil)
        #expect(view == nil)
    }

    @Test("a question that stands at the end is answered with no")
    func releaseWithQuestion() async {
        let rig = await LoginRig(
            FakeOpener(.ask(.init(host: "h", keyType: "t", fingerprint: "f"), talkingLink())))
        await rig.fillIn()
        await rig.do(.logIn)
        #expect(rig.state.dialog != nil)
        await rig.detach()
        #expect(rig.fleet.vehicles.isEmpty)
    }
}
