import CommandLineKit
import Deployment
import ProgramKit
import ReportKit
import Synchronization
import SystemKit
import UAVLink
import VehicleAccess

/// `uavlink deploy`
enum DeployCommand: Subcommand {
    static let place = Argument.optionalParameter(
        "HOST", .text,
        help:
            "the vehicle's computer as HOST or USER@HOST, or a vehicle of the configuration file; or use --vehicle, --host"
    )
    static let program = Argument.option(
        "program", .path, help: "the companion's program for the vehicle's architecture, instead of one that is found")
    static let service = Argument.flag(
        "service", help: "make it a service of the user; without such services, print the unit for the system")
    static let rollBack = Argument.flag("rollback", help: "go back to the one that was deployed before")
    static let remove = Argument.flag("remove", help: "end it and take away all that deployments have put there")
    static let dryRun = Argument.flag("dry-run", help: "examine the vehicle and print what would be done")
    static let force = Argument.flag(
        "force",
        help:
            "even if the vehicle is armed, its state is not known or a pilot has control authority; never while it flies"
    )

    static let spec = CommandSpec(
        "deploy", summary: "install the companion on the vehicle, without root",
        discussion: """
            Looks at the vehicle over SSH, uploads the companion for its architecture into the user's home, checks it, runs it once,
            points ~/.local/bin/uavlink-companion to it, starts it, and measures one round trip over the channel. What was deployed
            before stays there for --rollback, and stays in use if anything fails. A running companion is restarted, or with --remove
            ended if its program was deployed, but not while the vehicle flies, by radio or otherwise; and while it is armed, its state
            is not known or a pilot has control authority, only with --force. This is looked at again just before, also for a
            companion that was started during the upload; if it is refused then, the deployed one is used from its next start on.
            Warnings are printed also with --quiet.

            The program is searched in this order: --program; $UAVLINK_COMPANIONS/ARCHITECTURE/uavlink-companion;
            ../lib/uavlink/companions/ARCHITECTURE/uavlink-companion from the folder of this program;
            .build/package/ARCHITECTURE/uavlink-companion of its checkout, where 'scripts/package' puts it. ARCHITECTURE is what
            'uname -m' prints on the vehicle: x86_64, aarch64.
            """,
        arguments: [place, program, service, rollBack, remove, dryRun, force],
        exclusive: [[rollBack, remove, service], [program, rollBack], [program, remove]],
        examples: [
            .init("uavlink deploy hexa1", "a vehicle of the configuration file"),
            .init("uavlink deploy mrs@192.168.69.101 --dry-run", "what would be done on another one"),
            .init("uavlink deploy hexa1 --service", "start it with the vehicle's computer from now on"),
            .init("uavlink deploy hexa1 --rollback", "back to the one before"),
        ])

    static func run(_ arguments: ParsedCommand, in session: CommandSession) async throws -> ExitCode {
        let options = DeploymentOptions(
            try action(arguments), isDryRun: try arguments[dryRun], isForced: try arguments[force],
            wantsService: try arguments[service])
        let files = CompanionFiles(
            named: try arguments[program], environment: HostProcess.environment,
            executable: HostProcess.executablePath)
        let deployment = try Deployment(over: session.connector, files: files, timeout: session.timeout)
        let console = session.console
        console.name(session.connector.target)
        let display = DeploymentDisplay(console, isDryRun: options.isDryRun)
        let report: DeploymentReport
        do {
            report = try await deployment.run(options) { display.show($0) }
        } catch {
            display.end()
            if let facts = display.facts {
                let warnings = JSONValue.array(display.warnings.map { .string($0) })
                console.result(.object([.init("ok", false)] + facts.json + [.init("warnings", warnings)]))
            }
            throw error
        }
        await session.connector.close()
        console.result(report.json)
        for line in report.lines { console.result(line.sanitizedLine) }
        return .done
    }

    private static func action(_ arguments: ParsedCommand) throws -> DeploymentOptions.Action {
        if try arguments[rollBack] { return .rollBack }
        return try arguments[remove] ? .remove : .install
    }
}

/// Shows what a deployment tells: steps and warnings as lines, an upload in one line that is overwritten.
private final class DeploymentDisplay: Sendable {
    private let console: Console
    private let isDryRun: Bool
    private let upload: ProgressLine
    private let known = Mutex<HostFacts?>(nil)
    private let warned = Mutex<[String]>([])

    init(_ console: Console, isDryRun: Bool) {
        self.console = console
        self.isDryRun = isDryRun
        upload = ProgressLine("uploading", console)
    }

    /// The vehicle's computer, once it was examined.
    var facts: HostFacts? { known.withLock { $0 } }

    /// The warnings so far, which a failure must not hide.
    var warnings: [String] { warned.withLock { $0 } }

    func show(_ event: DeploymentEvent) {
        switch event {
        case .examined(let facts):
            known.withLock { $0 = facts }
            for line in facts.lines { console.detail(line) }
        // The report of a dry run has them as its result.
        case .step(let step): if !isDryRun { console.progress(step) }
        case .uploaded(let bytes, let total, let rate):
            upload.tell(
                "\(ByteText.megabytes(bytes)) of \(ByteText.megabytes(total)), \(ByteText.megabytes(Int(saturating: rate)))/s"
            )
        case .uploadEnded: upload.end()
        case .warning(let warning):
            warned.withLock { $0.append(warning) }
            console.warning(warning)
        }
    }

    func end() { upload.end() }
}
