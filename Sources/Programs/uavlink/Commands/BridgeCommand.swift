import CommandLineKit
import Companion
import CompanionControl
import MachineBridge
import ProgramKit
import Secrets
import SystemKit
import UAVLink
import VehicleAccess

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// `uavlink bridge`
enum BridgeCommand: Subcommand {
    static let bind = Argument.option(
        "bind", ValueKind.text.called("ADDRESS"), default: "::", defaultText: "::",
        help: "the address to listen on, :: for all; the channel accepts only peers with a key from the control socket")
    static let udpPort = Argument.option(
        "udp-port", .integer(in: 0...65_535), default: 0, defaultText: "any free port", help: "UDP port of the channel")
    static let tcpPort = Argument.option(
        "tcp-port", .integer(in: 0...65_535), default: 0, defaultText: "any free port", help: "TCP port of the channel")
    static let lease = Argument.option(
        "lease", .duration(in: .milliseconds(50) ... .milliseconds(500)), default: .milliseconds(200),
        defaultText: "200ms",
        help: "lease: how long setpoints remain valid without a newer one; then the machine is braked")

    static let spec = CommandSpec(
        "bridge", summary: "run a companion in front of a machine with its own protocol",
        discussion: """
            On a computer in the Wi-Fi of an AR.Drone or a Tello: grounds elsewhere fly it over the sealed channel, with control
            authority, lease and telemetry, as a vehicle with a companion. They log in to this computer over SSH, with
            'companion: uavlink' in the profile; terminals of the same user here reach it by --vehicle local, without which a
            vehicle of the configuration may be meant. It runs until Ctrl-C (exit code 130) or SIGTERM (143); what flies then
            hovers, and is left to its own failsafe.
            """,
        arguments: [bind, udpPort, tcpPort, lease],
        leftOut: [
            VehicleOptions.host, VehicleOptions.port, VehicleOptions.user, VehicleOptions.identity,
            VehicleOptions.passwordFile, VehicleOptions.acceptNewHostKey, VehicleOptions.timeout, VehicleOptions.record,
            VehicleOptions.format, VehicleOptions.ros, VehicleOptions.router, VehicleOptions.routerCA,
            VehicleOptions.domain,
        ],
        examples: [
            .init("uavlink --link ardrone://192.168.1.1 bridge", "beside the drone; leave it running"),
            .init("uavlink --vehicle local --uav ardrone status", "in another terminal there"),
        ])

    static func run(_ arguments: ParsedCommand, in session: CommandSession) async throws -> ExitCode {
        let profile = session.connector.profile
        guard let machine = profile.link.machine else {
            throw UsageError(
                "'uavlink bridge' needs the address of a machine",
                hint: "give it with --link: ardrone://192.168.1.1 or tello://192.168.10.1")
        }
        let environment = HostProcess.environment
        var settings = MachineBridge.Settings(to: machine, vehicle: profile.vehicle)
        settings.bindAddress = try arguments[bind]
        settings.udpPort = UInt16(clamping: try arguments[udpPort])
        settings.tcpPort = UInt16(clamping: try arguments[tcpPort])
        settings.lease = try arguments[lease]
        // Written asynchronously: the channel's thread logs too.
        let log = CompanionLog()
        let service = try await MachineBridge(
            settings, link: try session.connector.make(.direct),
            runtime: try RuntimeDirectory(environment: environment),
            manager: ServiceManager(environment: environment), hangs: abortHanging, log: log)
        session.console.progress("a companion for \(profile.target) is ready; Ctrl-C ends it")
        // Without the name it would be the default vehicle of the configuration.
        let local = "--vehicle \(VehicleProfile.localName) --uav \(profile.vehicle)"
        session.console.progress("in another terminal: uavlink \(local) status")
        let ending = await service.run()
        log.say("ended")
        log.flush()
        if case .backendEnded(let reason) = ending { throw LinkError(.closed, reason) }
        // Another program may have asked it to end.
        return Task.isCancelled ? .interrupted : .done
    }

    /// Ends a bridge whose channel hangs: the machine's own failsafe is all that is left then, and the locks are free again.
    private static func abortHanging() {
        let clock = SystemMonotonicClock()
        // What hangs may be the log, which is written asynchronously.
        clock.block(until: clock.now + .milliseconds(200))
        abort()
    }
}

/// `uavlink bootstrap`: what a ground runs over SSH where a bridge runs.
enum BootstrapCommand: Subcommand {
    static let spec = CommandSpec(
        "bootstrap", summary: "print a ticket for a new session with the bridge that runs here",
        discussion: """
            Called by 'uavlink' over SSH, with 'companion: uavlink' in its profile. The ticket holds a new session key: it is
            printed to standard output only, with --json as 'ticket' of the object. It starts nothing: see 'uavlink bridge'.
            """,
        arguments: [BridgeCommand.bind], leftOut: VehicleOptions.ofConnection)

    static func run(_ arguments: ParsedCommand, in session: CommandSession) async throws -> ExitCode {
        let vehicle = session.connector.profile.vehicle
        let launcher = CompanionLauncher(
            runtime: try RuntimeDirectory(environment: HostProcess.environment), vehicle: vehicle)
        do throws(LinkError) {
            let ticket = try launcher.ask(.ticket, within: session.timeout)
            // Written as it lies in memory that is wiped: a ticket has no character that JSON writes otherwise.
            let (before, after) = session.console.isJSON ? ("{\"ok\": true, \"ticket\": \"", "\"}\n") : ("", "\n")
            StandardStream.output.write(before)
            _ = ticket.withBytes { StandardStream.output.write($0) }
            StandardStream.output.write(after)
            return .done
        } catch {
            guard error.code == .companionMissing else { throw error }
            throw LinkError(
                .companionUnavailable, "no bridge for \(vehicle) runs on this computer",
                hint: "start it there: uavlink --link MACHINE://ADDRESS --uav \(vehicle) bridge")
        }
    }
}
