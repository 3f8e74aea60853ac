import FlightControl
import LoginMode
import ModeKit
import ModeTestKit
import Synchronization
import Testing
import UAVLink
import UAVTestKit

@testable import VehicleAccess

/// An installer that does as a test says.
final class FakeInstaller: CompanionInstaller {
    private struct State {
        var installed = 0
        var failure: LinkError?
    }

    private let hasProgram: Bool
    private let warnings: [String]
    private let state: Mutex<State>

    init(hasProgram: Bool = true, failure: LinkError? = nil, warnings: [String] = []) {
        self.hasProgram = hasProgram
        self.warnings = warnings
        state = Mutex(State(failure: failure))
    }

    var installed: Int { state.withLock { $0.installed } }

    func canInstall() async -> Bool { hasProgram }

    func install(
        for request: LoginRequest, userPrompt: any UserPrompt, within timeout: Duration,
        tell: @escaping @Sendable (String) -> Void
    ) async throws(LinkError) -> [String] {
        tell("uploading 1.0 MB of 8.0 MB")
        let failure = state.withLock { state in
            state.installed += 1
            return state.failure
        }
        if let failure { throw failure }
        return warnings
    }
}

@MainActor
@Suite("Logging in: installing the companion")
struct LoginInstallTests {
    private static let missing = LinkError(.companionMissing, "'uavlink-companion' is not installed", hint: "deploy it")
    private static let fallback: [ConnectProgress] = [
        .trying(.udp), .began(.companion), .failed(.companion, missing), .abandoned(.udp, missing),
        .fellBack(LinkFallback(.ssh, [LinkFailure(.udp, missing, hadTicket: false)])), .trying(.ssh), .began(.ros),
        .done(.ros), .opened(.ssh),
    ]

    /// A link whose companion has another version.
    private static func otherVersion() -> FakeLink {
        let link = talkingLink()
        var quality = LinkQuality()
        quality.companionVersion = "99.0.0"
        link.setQuality(quality)
        return link
    }

    private func rig(_ installer: FakeInstaller?, _ scripts: FakeOpener) async -> LoginRig {
        let rig = await LoginRig(scripts, installer: installer)
        await rig.fillIn()
        await rig.do(.logIn)
        return rig
    }

    @Test func `a vehicle without a companion gets it with one key, and the log-in goes on`() async {
        let installer = FakeInstaller()
        let rig = await rig(installer, FakeOpener(.fail([], Self.missing), .open([.opened(.udp)], talkingLink())))
        #expect(rig.state.dialog?.title == "Install the companion?" && rig.state.dialog?.yes == "install it and log in")
        #expect(rig.state.dialog?.paragraphs == [Self.missing.what])
        #expect(installer.installed == 0)
        await rig.do(.yes)
        #expect(installer.installed == 1 && rig.opener.requests.count == 2)
        #expect(rig.stage.opened == [.menu] && rig.fleet.selected?.link.kind == .udp)
        await rig.fleet.removeAll()
    }

    @Test func `no ends the log-in where there is no other link`() async {
        let installer = FakeInstaller()
        let rig = await rig(installer, FakeOpener(.fail([], Self.missing)))
        await rig.do(.cancel)
        #expect(installer.installed == 0 && rig.state.dialog == nil && !rig.state.isLoggingIn)
        #expect(rig.fleet.vehicles.isEmpty)
        await rig.detach()
    }

    @Test(arguments: [true, false])
    func `over ssh only, the user decides`(installs: Bool) async {
        let installer = FakeInstaller()
        let bypass = talkingLink(.ssh)
        let rig = await rig(
            installer, FakeOpener(.open(Self.fallback, bypass), .open([.opened(.udp)], talkingLink())))
        #expect(rig.state.dialog?.no == "log in over ssh")
        await rig.do(installs ? .yes : .cancel)
        #expect(installer.installed == (installs ? 1 : 0))
        #expect(rig.fleet.selected?.link.kind == (installs ? .udp : .ssh))
        #expect(bypass.quality.isConnected != installs)
        #expect(rig.stage.opened == [.menu])
        await rig.fleet.removeAll()
    }

    @Test func `an installation that fails is said, and the form stays`() async {
        let installer = FakeInstaller(
            failure: LinkError(.companionUnavailable, "the home is mounted noexec", hint: "mount it without"))
        let rig = await rig(installer, FakeOpener(.fail([], Self.missing)))
        let form = rig.state.form
        await rig.do(.yes)
        #expect(rig.state.dialog?.paragraphs == ["the home is mounted noexec"] && rig.state.dialog?.yes == nil)
        #expect(rig.state.form == form && !rig.state.isLoggingIn && rig.fleet.vehicles.isEmpty)
        await rig.detach()
    }

    @Test(arguments: [true, false])
    func `a link that works stays until the companion does`(isInstalled: Bool) async {
        let refusal = LinkError(.companionUnavailable, "the home is mounted noexec", hint: "mount it without")
        let installer = FakeInstaller(failure: isInstalled ? nil : refusal)
        let bypass = talkingLink(.ssh)
        let blocked = LinkError(.timedOut, "no answer over udp")
        let rig = await rig(installer, FakeOpener(.open(Self.fallback, bypass), .fail([.trying(.udp)], blocked)))
        await rig.do(.yes)
        #expect(installer.installed == 1 && rig.stage.opened == [.menu])
        #expect(rig.fleet.selected?.link === bypass && bypass.quality.isConnected)
        let text =
            isInstalled ? "is installed, but the link to it failed: no answer over udp" : "noexec; mount it without"
        #expect(rig.stage.notices.last?.weight == .warning)
        #expect(rig.stage.notices.last?.text.contains(text) == true, "\(rig.stage.notices)")
        await rig.fleet.removeAll()
    }

    @Test func `a companion of another version that cannot be replaced is used again`() async {
        let installer = FakeInstaller(failure: LinkError(.companionUnavailable, "uav1 is armed"))
        let old = Self.otherVersion()
        let again = Self.otherVersion()
        let rig = await rig(installer, FakeOpener(.open([.opened(.udp)], old), .open([.opened(.udp)], again)))
        await rig.do(.yes)
        #expect(!old.quality.isConnected && rig.fleet.selected?.link === again && rig.stage.opened == [.menu])
        #expect(rig.stage.notices.last?.text == "the companion was not installed: uav1 is armed")
        await rig.fleet.removeAll()
    }

    @Test func `without any link left both failures are said`() async {
        let installer = FakeInstaller(failure: LinkError(.companionUnavailable, "uav1 is armed"))
        let lost = LinkError(.unreachable, "no route to 10.0.0.7")
        let rig = await rig(installer, FakeOpener(.open([.opened(.udp)], Self.otherVersion()), .fail([], lost)))
        await rig.do(.yes)
        let said = rig.state.dialog?.paragraphs.first ?? ""
        #expect(said.contains("no route") && said.contains("was not installed: uav1 is armed"), "\(said)")
        #expect(rig.fleet.vehicles.isEmpty && !rig.state.isLoggingIn)
        await rig.detach()
    }

    @Test func `what a deployment warns of is shown when it has ended`() async {
        let installer = FakeInstaller(warnings: ["whether uav1 flies is not known", "the profile names another"])
        let rig = await rig(installer, FakeOpener(.fail([], Self.missing), .open([.opened(.udp)], talkingLink())))
        await rig.do(.yes)
        let text = "whether uav1 flies is not known; the profile names another"
        #expect(rig.stage.notices.last == Notice(.warning, text, scope: .vehicle))
        await rig.fleet.removeAll()
    }

    /// What a vehicle tells that is armed or flies, with height and state as its sensors have them.
    private static func telemetry(_ state: FlightState, height: Double) -> Telemetry {
        let now = FakeClock().now
        var telemetry = Telemetry(vehicle: "uav1")
        telemetry.flight = Sample(
            FlightStatus(
                state: state, isArmed: state != .disarmed, isOffboard: false, isOutputEnabled: false,
                isFlyingNormally: false), at: now)
        telemetry.heightAboveGroundMetres = Sample(height, at: now)
        return telemetry
    }

    @Test(arguments: [(FlightState.armed, 0.0), (.armed, 8), (.flying, 8), (.unknown, 8)])
    func `nothing is offered while the vehicle is armed or flies`(state: FlightState, height: Double) async {
        for (progress, kind) in [(Self.fallback, LinkKind.ssh), ([.opened(.udp)], .udp)] {
            let installer = FakeInstaller()
            let link = silentLink(kind)
            var quality = LinkQuality()
            quality.companionVersion = kind == .udp ? "99.0.0" : nil
            link.setQuality(quality)
            link.publish(Self.telemetry(state, height: height))
            let rig = await rig(installer, FakeOpener(.open(progress, link)))
            #expect(rig.state.dialog == nil && installer.installed == 0)
            #expect(rig.fleet.selected?.link === link && rig.stage.opened == [.menu])
            await rig.fleet.removeAll()
        }
    }

    @Test func `a companion that uses another channel is replaced`() async {
        let installer = FakeInstaller()
        let error = LinkError(.versionMismatch, "the companion uses channel version 9", hint: "deploy")
        let rig = await rig(installer, FakeOpener(.fail([], error), .open([.opened(.tcp)], talkingLink(.tcp))))
        #expect(rig.state.dialog?.paragraphs.first == error.what)
        await rig.do(.yes)
        #expect(installer.installed == 1 && rig.fleet.selected?.link.kind == .tcp)
        await rig.fleet.removeAll()
    }

    @Test(arguments: [true, false])
    func `another version can be flown with, or replaced`(installs: Bool) async {
        let installer = FakeInstaller()
        let rig = await rig(
            installer, FakeOpener(.open([.opened(.udp)], Self.otherVersion()), .open([.opened(.udp)], talkingLink())))
        #expect(rig.state.dialog?.paragraphs.first?.contains("version 99.0.0") == true)
        #expect(rig.state.dialog?.no == "log in with the one there")
        await rig.do(installs ? .yes : .cancel)
        #expect(installer.installed == (installs ? 1 : 0) && rig.opener.requests.count == (installs ? 2 : 1))
        #expect(rig.fleet.vehicles.count == 1 && rig.stage.opened == [.menu])
        await rig.fleet.removeAll()
    }

    @Test func `without a program to install nothing is offered`() async {
        for installer in [FakeInstaller(hasProgram: false), nil] {
            let failing = await rig(installer, FakeOpener(.fail([], Self.missing)))
            #expect(failing.state.dialog?.title == "No companion on the vehicle" && failing.state.dialog?.yes == nil)
            await failing.detach()
            let other = await rig(installer, FakeOpener(.open([.opened(.udp)], Self.otherVersion())))
            #expect(other.stage.opened == [.menu])
            await other.fleet.removeAll()
        }
    }

    @Test func `where the profile names a program nothing is offered, since it would be used on`() async {
        let installer = FakeInstaller()
        let rig = await LoginRig(FakeOpener(.fail([], Self.missing)), installer: installer)
        await rig.fillIn()
        await rig.do(.edit(.companion, "/opt/companion"), .logIn)
        #expect(rig.state.dialog?.title == "The companion cannot be run" && rig.state.dialog?.yes == nil)
        await rig.detach()
    }

    @Test func `on this machine nothing is offered`() async {
        let installer = FakeInstaller()
        let rig = await LoginRig(FakeOpener(.fail([], Self.missing)), here: ["uav1"], installer: installer)
        await rig.do(.logIn)
        #expect(rig.opener.requests.count == 1)
        #expect(rig.state.dialog?.yes == nil && installer.installed == 0)
        await rig.detach()
    }
}
