import FlightControl
import LoginMode
import ModeKit
import Foundation
import IntegrationKit
import SSHTransport
import Testing
import UAVLink
import VehicleAccess

/// The log-in of the front end, without its screen, against a real `sshd` and a real companion with a simulated vehicle.
@MainActor
@Suite(
    .enabled(if: SSHServer.isAvailable && TemporaryUser.canBeMade, "sshd, and root to make a user for it, are needed"),
    .timeLimit(.minutes(MachinePace.minutes(3))))
struct FrontEndLogInTests {
    @MainActor
    private final class WritingView: LoginView {
        var presenter: LoginPresenter?
        private(set) var shown = LoginScreenState()
        /// The steps as they went, each once.
        private(set) var steps: [String] = []

        func show(_ state: LoginScreenState) {
            shown = state
            for step in state.steps?.all ?? [] where step.state != .pending {
                let line = "\(step.stage) \(step.state)"
                if !steps.contains(line) { steps.append(line) }
            }
        }

        func forgetSteps() { steps = [] }
    }

    @MainActor
    private final class WritingStage: Stage {
        var opened: [Mode] = []
        func open(_ mode: Mode) { opened.append(mode) }
        func goBack() {}
        func quit() {}
        func say(_ notice: Notice) {}
    }

    /// A companion that any user of this machine can start, in a folder of its own.
    private struct CompanionForAll {
        let folder = try? TemporaryFolder()

        /// - Returns: the path of the program.
        func install(for user: String) throws -> String {
            let folder = try #require(folder)
            let files = FileManager.default
            try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
            try files.copyItem(atPath: BuiltPrograms.path("uavlink-companion"), toPath: folder.path + "/program")
            let runtime = folder.path + "/run"
            try files.createDirectory(
                atPath: runtime, withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700, .ownerAccountName: user])
            return try folder.write(
                """
                #!/bin/sh
                test "$1" = bootstrap && set -- "$@" --backend simulated
                export UAVLINK_RUNTIME_DIR=\(runtime)
                exec \(folder.path)/program "$@"

                """, to: "companion", mode: 0o755)
        }
    }

    private func build(
        _ fleet: Fleet, _ server: SSHServer, on stage: WritingStage, preset: VehicleProfile?
    ) -> (ModeInstance, WritingView) {
        let view = WritingView()
        let instance = LoginBuilder(
            .init(
                fleet: fleet, configuration: ConfigurationFile(path: server.folder.path + "/c.yaml", environment: [:]),
                environment: ["HOME": server.folder.path, "UAVLINK_RUNTIME_DIR": server.folder.path],
                preset: preset.map { LoginPreset(profile: $0, logsInImmediately: false) })
        ).build(on: stage) { presenter in
            view.presenter = presenter
            return view
        }
        return (instance, view)
    }

    @Test func `a wrong password, then the right one, then the stored one`() async throws {
        try await TemporaryUser.with { user in
            try await withSSHServer(options: ["PasswordAuthentication yes"]) { server in
                try await logIn(user, server)
            }
        }
    }

    private func logIn(_ user: TemporaryUser, _ server: SSHServer) async throws {
        let companion = CompanionForAll()
        var profile = VehicleProfile(name: "127.0.0.1")
        profile.host = "127.0.0.1"
        profile.port = Int(server.port)
        profile.user = user.name
        profile.companion = try companion.install(for: user.name)
        // Other tests have masters with a vehicle of that name on this computer, among which none would be picked.
        profile.rosMaster = "http://localhost:11311"
        profile.knownHosts = server.folder.path + "/hosts-of-this-test"
        try server.folder.write("# Mine\nvehicles:\n", to: "c.yaml")
        let (fleet, stage) = (Fleet(), WritingStage())
        let (instance, view) = build(fleet, server, on: stage, preset: profile)
        let presenter = try #require(view.presenter)

        presenter.handle(.editPassword(TypedPassword("not the password")))
        presenter.handle(.edit(.saveAs, "hall"))
        presenter.handle(.logIn)
        #expect(await eventually { view.shown.dialog != nil })
        #expect(view.shown.dialog?.yes != nil, "\(view.shown)")
        #expect(view.shown.dialog?.paragraphs.joined().contains("SHA256:") == true)
        presenter.handle(.yes)
        #expect(await eventually { !view.shown.isLoggingIn && view.shown.dialog != nil })
        #expect(view.shown.dialog?.title == "The log-in was refused", "\(view.shown)")
        #expect(
            view.steps == [
                "reach underWay", "reach done", "hostKey underWay", "hostKey done", "logIn underWay", "logIn failed",
            ])
        #expect(view.shown.form.password.text == "not the password")
        #expect(view.shown.form.user == user.name)
        #expect(fleet.vehicles.isEmpty && stage.opened.isEmpty)

        presenter.handle(.cancel)
        presenter.handle(.editPassword(TypedPassword(user.password)))
        presenter.handle(.toggleStoring)
        view.forgetSteps()
        presenter.handle(.logIn)
        #expect(await eventually { !stage.opened.isEmpty || view.shown.dialog != nil })
        #expect(view.shown.dialog == nil, "\(view.shown)")
        #expect(stage.opened == [.menu])
        #expect(
            view.steps == [
                "reach underWay", "reach done", "hostKey underWay", "hostKey done", "logIn underWay", "logIn done",
                "companion underWay", "companion done", "ros underWay", "ros done",
            ])
        #expect(fleet.selected?.link.kind == .udp)
        #expect(fleet.selected?.link.latestTelemetry?.pose != nil)
        #expect(fleet.selected?.profile.name == "hall")
        instance.detach()
        await fleet.removeAll()

        let (again, saved) = build(fleet, server, on: stage, preset: nil)
        #expect(await eventually { saved.shown.choices.contains { $0.title == "hall" } })
        #expect(await eventually { saved.shown.form.usesStoredPassword }, "\(saved.shown)")
        saved.presenter?.handle(.logIn)
        #expect(await eventually { stage.opened.count == 2 || saved.shown.dialog != nil })
        #expect(saved.shown.dialog == nil, "\(saved.shown)")
        // The companion would wait for a while for another ground; it ends with its user.
        let session = try await fleet.selected?.connector?.session(within: .patient(seconds: 20))
        let stopped = try await session?.run(profile.companion + " stop", within: .patient(seconds: 20))
        #expect(stopped?.exitStatus == 0, "\(stopped?.errorText ?? "no session")")
        again.detach()
        await fleet.removeAll()
    }
}
