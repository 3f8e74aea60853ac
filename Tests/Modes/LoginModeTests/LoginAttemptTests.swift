import ModeKit
import ModeTestKit
import FlightControl
import LoginMode
import SSHTransport
import Testing
import UAVLink
import UAVTestKit
@testable import VehicleAccess

@MainActor
@Suite("Logging in")
struct LoginAttemptTests {
    private static let refused = LinkError(
        .authentication, "mrs@10.0.0.7 refused the log-in: tried password (refused)", hint: "is the user name right?")

    @Test("a log-in passes its steps, and goes on to the menu with the vehicle in the fleet")
    func success() async {
        let link = talkingLink()
        let progress: [ConnectProgress] = [
            .began(.reach), .done(.reach), .began(.hostKey), .done(.hostKey), .began(.logIn), .done(.logIn),
            .began(.companion), .done(.companion), .opened(.udp),
        ]
        let rig = await LoginRig(FakeOpener(.open(progress, link)))
        await rig.fillIn()
        await rig.do(.edit(.vehicle, "3"), .logIn)
        #expect(rig.stage.opened == [.menu])
        #expect(rig.fleet.vehicles.map(\.title) == ["10.0.0.7:uav3"])
        #expect(rig.fleet.selected?.link === link)
        #expect(rig.view.steps == [.done, .done, .done, .done, .done])
        #expect(rig.stage.notices.map(\.text) == ["logged in to 10.0.0.7:uav3 over udp"])
        let request = rig.opener.requests.first
        #expect(request?.profile.host == "10.0.0.7")
        #expect(request?.profile.user == "mrs")
        #expect(request?.password?.withBytes { Array($0) } == Array("pass-word".utf8))
        // A vehicle in the fleet is not closed with the screen, and the password is forgotten.
        await rig.detach()
        #expect(link.quality.isConnected)
        #expect(rig.state.form.password.text.isEmpty || rig.state.isLoggingIn)
        await link.close()
    }

    @Test("why it is not the first link is reported and kept")
    func story() async {
        let link = talkingLink(.tcp)
        let failure = LinkError(.timedOut, "no answer from the companion")
        let rig = await LoginRig(
            FakeOpener(
                .open(
                    [
                        .trying(.udp), .began(.companion), .failed(.companion, failure), .abandoned(.udp, failure),
                        .trying(.tcp), .began(.companion), .done(.companion), .opened(.tcp),
                    ], link)))
        await rig.fillIn()
        await rig.do(.logIn)
        #expect(rig.fleet.selected?.linkSelectionReason == "udp: no answer from the companion")
        #expect(rig.state.steps?.all[3].word == "tcp (udp: no answer from the companion)")
        #expect(rig.state.steps?.all[3].state == .done)
        await rig.fleet.removeAll()
    }

    @Test("that nothing arbitrates control over it is reported and kept")
    func fallback() async {
        let link = talkingLink(.ssh)
        let failure = LinkError(.companionMissing, "no such file")
        let fallback = LinkFallback(.ssh, [LinkFailure(.udp, failure, hadTicket: false)])
        let rig = await LoginRig(
            FakeOpener(
                .open(
                    [
                        .trying(.udp), .began(.companion), .failed(.companion, failure), .abandoned(.udp, failure),
                        .fellBack(fallback), .trying(.ssh), .began(.ros), .done(.ros), .opened(.ssh),
                    ], link)))
        await rig.fillIn()
        await rig.do(.logIn)
        #expect(rig.fleet.selected?.linkSelectionReason == "no control authority over ssh (udp and tcp: no such file)")
        await rig.fleet.removeAll()
    }

    @Test("a wrong password opens a dialog, and every field stays as it was, the password too")
    func wrongPassword() async {
        let progress: [ConnectProgress] = [
            .began(.reach), .done(.reach), .began(.logIn), .failed(.logIn, Self.refused),
        ]
        let rig = await LoginRig(FakeOpener(.fail(progress, Self.refused), .open([.opened(.udp)], talkingLink())))
        await rig.fillIn()
        let form = rig.state.form
        await rig.do(.logIn)
        #expect(rig.state.dialog?.title == "The log-in was refused")
        #expect(rig.state.dialog?.paragraphs == [Self.refused.what])
        #expect(rig.state.dialog?.advice == "check user and password")
        #expect(rig.view.steps[2] == .failed)
        #expect(rig.state.form == form)
        #expect(!rig.state.isLoggingIn)
        // Behind the dialog nothing happens.
        await rig.do(.logIn, .edit(.address, "x"))
        #expect(rig.opener.requests.count == 1)
        await rig.do(.cancel)
        #expect(rig.state.dialog == nil)
        #expect(rig.state.form == form)
        await rig.do(.logIn)
        #expect(rig.stage.opened == [.menu])
        await rig.fleet.removeAll()
    }

    @Test(
        "what failed is said with what to do",
        arguments: [
            (LinkError.Code.unreachable, "The vehicle cannot be reached"),
            (.hostKeyChanged, "The host key has changed"), (.timedOut, "Timed out"),
            (.companionMissing, "No companion on the vehicle"), (.companionUnavailable, "The companion cannot be used"),
            (.rosMasterUnreachable, "ROS does not answer"),
        ])
    func failures(_ code: LinkError.Code, _ title: String) async {
        let rig = await LoginRig(FakeOpener(.fail([.began(.reach)], LinkError(code, "what", hint: "what to do"))))
        await rig.fillIn()
        let form = rig.state.form
        await rig.do(.logIn)
        #expect(rig.state.dialog == LoginDialog(title: title, paragraphs: ["what"], advice: "what to do"))
        #expect(rig.state.form == form)
        #expect(rig.fleet.vehicles.isEmpty)
        // There is nothing to say yes to: a changed key is not to be trusted here.
        await rig.do(.yes)
        #expect(rig.state.dialog == nil)
        #expect(rig.opener.requests.count == 1)
    }

    @Test func `a companion that was typed and is not there is corrected in the form, not in a profile`() async {
        let error = LinkError(
            .companionMissing, "'/opt/x' is not installed on the vehicle",
            hint: "correct its path, 'companion' in the profile")
        let rig = await LoginRig(FakeOpener(.fail([.began(.reach)], error)))
        await rig.fillIn()
        await rig.do(.edit(.companion, "/opt/x"), .logIn)
        #expect(rig.state.dialog?.title == "The companion cannot be run")
        #expect(rig.state.dialog?.paragraphs == ["'/opt/x' is not installed on the vehicle"])
        #expect(rig.state.dialog?.advice == "correct the field Companion of the form; empty: the usual program")
    }

    @Test("a refusal says what to check, whether a password was typed or asked for")
    func refusedKeys() async {
        let rig = await LoginRig(FakeOpener(.fail([], Self.refused)))
        await rig.fillIn(password: "")
        await rig.do(.logIn)
        #expect(rig.opener.requests.first?.password == nil)
        #expect(rig.state.dialog?.advice.hasPrefix("check user and password") == true)
    }

    @Test("Esc cancels in each step", arguments: ConnectStage.allCases)
    func cancelling(_ stage: ConnectStage) async {
        let rig = await LoginRig(FakeOpener(.hang([.began(stage)])))
        await rig.fillIn()
        let form = rig.state.form
        await rig.do(.logIn)
        #expect(rig.state.isLoggingIn)
        #expect(rig.state.steps?.all.first { $0.stage == stage }?.state == .underWay)
        await rig.do(.cancel)
        #expect(!rig.state.isLoggingIn)
        #expect(rig.opener.cancelled == 1)
        #expect(rig.state.dialog == nil)
        #expect(rig.state.form == form)
        #expect(rig.stage.opened.isEmpty)
        // And one can begin anew, without the end of the last one beside it.
        #expect(rig.stage.notices.map(\.text) == ["the log-in was cancelled"])
        await rig.do(.logIn)
        #expect(rig.opener.requests.count == 2)
        #expect(rig.stage.notices.last?.text == "logging in again")
        #expect(rig.state.isLoggingIn)
        await rig.detach()
    }

    @Test("a link that opens just when it is cancelled is closed")
    func lateLink() async {
        let link = talkingLink()
        let rig = await LoginRig(FakeOpener(.openLate(link)))
        await rig.fillIn()
        await rig.do(.logIn)
        await rig.do(.cancel)
        #expect(rig.fleet.vehicles.isEmpty)
        #expect(!link.quality.isConnected)
        #expect(rig.stage.opened.isEmpty)
    }

    @Test("Esc while the first telemetry is awaited closes the link")
    func cancelTelemetry() async {
        let link = silentLink()
        let rig = await LoginRig(FakeOpener(.open([.opened(.udp)], link)))
        await rig.fillIn()
        await rig.do(.logIn)
        #expect(rig.view.steps.last == .underWay)
        await rig.do(.cancel)
        #expect(!link.quality.isConnected)
        #expect(rig.fleet.vehicles.isEmpty)
    }

    @Test func `what failed, and why the links before were not used, is among the messages, whole`() async {
        let unreachable = LinkError(.unreachable, "no route to host 10.0.0.7, port 22")
        let progress: [ConnectProgress] = [
            .began(.reach), .done(.reach), .began(.hostKey), .done(.hostKey), .trying(.udp), .began(.companion),
            .abandoned(.udp, LinkError(.timedOut, "no answer from the companion")),
            .trying(.tcp), .began(.companion), .failed(.companion, unreachable),
        ]
        let rig = await LoginRig(FakeOpener(.fail(progress, unreachable)))
        await rig.fillIn()
        await rig.do(.logIn)
        #expect(
            rig.stage.notices.last
                == Notice(
                    .error,
                    "the log-in failed: no route to host 10.0.0.7, port 22; udp: no answer from the companion "
                        + "(network: done; host key: done; companion: failed)"))
        await rig.detach()
    }

    @Test("when no telemetry comes the user decides", arguments: [true, false])
    func noTelemetry(_ goesOn: Bool) async {
        let link = silentLink()
        let rig = await LoginRig(FakeOpener(.open([.opened(.udp)], link)))
        await rig.fillIn()
        await rig.do(.logIn)
        await rig.timeSource.beat(.seconds(11))
        #expect(rig.state.dialog?.title == "No telemetry: log in anyway?")
        #expect(rig.view.steps.last == .failed)
        await rig.do(goesOn ? .yes : .cancel)
        #expect(rig.fleet.vehicles.count == (goesOn ? 1 : 0))
        #expect(link.quality.isConnected == goesOn)
        #expect(rig.stage.opened == (goesOn ? [.menu] : []))
        await rig.fleet.removeAll()
    }

    @Test("two vehicles are logged in at once; the same one twice is only selected")
    func twoVehicles() async {
        let rig = await LoginRig(
            FakeOpener(.open([.opened(.udp)], talkingLink()), .open([.opened(.udp)], talkingLink())))
        await rig.fillIn(address: "a")
        await rig.do(.logIn)
        await rig.detach()
        let second = LoginBuilder(
            .init(
                fleet: rig.fleet, store: FakeStore(), opener: rig.opener, companions: { [] }, timeSource: rig.timeSource
            ))
        var presenter: LoginPresenter?
        let instance = second.build(on: rig.stage) {
            presenter = $0
            return rig.view
        }
        await settle()
        presenter?.handle(.edit(.address, "b"))
        presenter?.handle(.logIn)
        await settle()
        #expect(rig.fleet.vehicles.map(\.title) == ["a:uav1", "b:uav1"])
        #expect(rig.fleet.selected?.title == "b:uav1")
        instance.detach()
        let third = second.build(on: rig.stage) {
            presenter = $0
            return rig.view
        }
        await settle()
        presenter?.handle(.edit(.address, "a"))
        presenter?.handle(.logIn)
        await settle()
        #expect(rig.fleet.vehicles.count == 2)
        #expect(rig.fleet.selected?.title == "a:uav1")
        #expect(rig.opener.requests.count == 2)
        third.detach()
        await rig.fleet.removeAll()
    }
}
