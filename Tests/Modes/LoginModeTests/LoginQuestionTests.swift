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
@Suite("Logging in: questions of the server")
struct LoginQuestionTests {
    private static let key = HostKeyQuestion(host: "10.0.0.7", keyType: "ssh-ed25519", fingerprint: "SHA256:abc")

    @Test("an unknown host key is shown and asked for; trusted, the log-in goes on")
    func acceptedKey() async {
        let rig = await LoginRig(FakeOpener(.ask(Self.key, talkingLink())))
        await rig.fillIn()
        await rig.do(.logIn)
        #expect(rig.state.dialog?.yes != nil)
        let shown = rig.state.dialog?.paragraphs.joined() ?? ""
        #expect(shown.contains("ssh-ed25519") && shown.contains("SHA256:abc"))
        #expect(rig.fleet.vehicles.isEmpty)
        await rig.do(.yes)
        #expect(rig.state.dialog == nil)
        #expect(rig.fleet.vehicles.count == 1)
        await rig.fleet.removeAll()
    }

    @Test("a refused host key ends with the form as it was, without a further dialog")
    func refusedKey() async {
        let link = talkingLink()
        let rig = await LoginRig(FakeOpener(.ask(Self.key, link)))
        await rig.fillIn()
        let form = rig.state.form
        await rig.do(.logIn, .cancel)
        #expect(rig.state.dialog == nil)
        #expect(!rig.state.isLoggingIn)
        #expect(rig.state.form == form)
        #expect(!link.quality.isConnected)
        #expect(rig.fleet.vehicles.isEmpty)
    }

    @Test("what the server prompts for is asked in dialogs, hidden or not, and sent as typed")
    func prompts() async {
        let opener = FakeOpener(.prompt(said: ["Welcome."], [("Code:", false), ("Colour:", true)], talkingLink()))
        let rig = await LoginRig(opener)
        await rig.fillIn()
        await rig.do(.logIn)
        let dialog = rig.state.dialog
        #expect(dialog?.paragraphs == ["Welcome.", "Code:"] && dialog?.entry?.isHidden == true)
        // Yes is no answer to it.
        await rig.do(.yes)
        #expect(rig.state.dialog == dialog && rig.opener.answers.isEmpty)
        await rig.do(.answer(TypedPassword("123 456")))
        #expect(rig.state.dialog?.paragraphs == ["Colour:"] && rig.state.dialog?.entry?.isHidden == false)
        #expect(rig.state.dialog?.entry?.number != dialog?.entry?.number)
        await rig.do(.answer(TypedPassword("blue")))
        #expect(rig.opener.answers == ["123 456", "blue"])
        #expect(rig.state.dialog == nil && rig.fleet.vehicles.count == 1)
        #expect(!rig.stage.notices.contains { $0.text.contains("123 456") })
        await rig.fleet.removeAll()
    }

    @Test func `an empty password field is asked about in a dialog, a filled one is not`() async {
        for (typed, isAsked) in [("", true), ("pass-word", false)] {
            let prompts = [
                (text: "passphrase of /k:", echoes: false), (text: "password of mrs@10.0.0.7:", echoes: false),
            ]
            let rig = await LoginRig(FakeOpener(.prompt(said: [], prompts, talkingLink())))
            await rig.fillIn(password: typed)
            await rig.do(.logIn)
            #expect(rig.opener.givesSecrets == [isAsked])
            #expect(rig.state.dialog?.title == "The key is encrypted" && rig.state.dialog?.entry?.isHidden == true)
            await rig.do(.answer(TypedPassword("")))
            #expect(rig.state.dialog?.title == "The server asks")
            await rig.do(.answer(TypedPassword("secret")))
            #expect(rig.opener.answers == ["", "secret"] && rig.fleet.vehicles.count == 1)
            await rig.fleet.removeAll()
        }
    }

    @Test func `of the simulator in this program the address says that it is not used`() async {
        let rig = await LoginRig()
        await rig.do(.choose(rig.state.choices.firstIndex(of: .simulator) ?? 0), .focus(.address))
        #expect(rig.state.help.contains("needs no address"))
        await rig.do(.choose(rig.state.choices.count - 1), .focus(.address))
        #expect(rig.state.help.contains("name or address"))
    }

    @Test("Esc at a prompt of the server ends the log-in, with the form as it was")
    func declinedPrompt() async {
        let rig = await LoginRig(FakeOpener(.prompt(said: [], [("Code:", false)], talkingLink())))
        await rig.fillIn()
        let form = rig.state.form
        await rig.do(.logIn)
        #expect(rig.state.dialog?.entry != nil)
        await rig.do(.cancel)
        #expect(rig.opener.answers == [nil])
        #expect(rig.state.dialog == nil && !rig.state.isLoggingIn && rig.state.form == form)
        #expect(rig.stage.notices.last?.text == "the log-in was cancelled")
        #expect(rig.fleet.vehicles.isEmpty)
    }
}
