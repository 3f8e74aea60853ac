import CommandLineKit
import Doctor
import MRS
import ReportKit
import SystemKit
import UAVLink
import VehicleAccess

/// `uavlink doctor`
enum DoctorCommand: Subcommand {
    static let spec = CommandSpec(
        "doctor", summary: "check this set-up and print the command that fixes each problem",
        discussion: """
            Checks the path to the vehicle step by step: reachability, host key, log-in, companion and its version, where ROS
            was found on the vehicle, ROS master and names there, and each link with its round trip and clock offset; the rates
            of the vehicle's topics, compared with what is usual for it, and the clock of its stamps; and what makes links
            slower than they could be: Wi-Fi power saving, small packets, the start of the login shell and of rosservice,
            keystrokes delayed by ssh, unsynchronised clocks. With --link ros it also checks ROS and that link from here,
            whether or not an SSH server answers on the vehicle. Of a machine with its own protocol, and of one behind
            'uavlink bridge', it checks what comes from it instead of ROS: its state, battery and warnings. It connects to such a
            machine as a flight does: not while another program commands it. Exits with 1 when a check fails.
            """,
        examples: [
            .init("uavlink doctor --host 192.168.69.101 --user mrs", "a vehicle that is not in the configuration"),
            .init("uavlink --link tello://192.168.10.1 doctor", "a Tello in whose Wi-Fi this computer is"),
        ])

    static func run(_ arguments: ParsedCommand, in session: CommandSession) async throws -> ExitCode {
        let doctor = DoctorInteractor(
            connector: session.connector, environment: HostProcess.environment, timeout: session.timeout)
        let console = session.console
        let target = session.connector.target
        console.result(target)
        var findings: [Finding] = []
        var interruption: (any Error)?
        func tell(_ finding: Finding) {
            findings.append(finding)
            let mark =
                switch finding.verdict {
                case .good: "ok     "
                case .warning: "warning"
                case .bad: "FAILED "
                case .skipped: "skipped"
                }
            console.result("\(mark) \(finding.check.sanitizedLine): \(finding.message.sanitizedLine)")
            if !finding.advice.isEmpty { console.result("        -> \(finding.advice.sanitizedLine)") }
        }
        do { _ = try await doctor.examine(tell) } catch { interruption = error }
        await session.connector.close()
        let failed = findings.filter { $0.verdict == .bad }.map(\.check)
        let isHealthy = failed.isEmpty && interruption == nil
        let report: JSONValue = [
            "ok": .bool(isHealthy), "target": .string(target),
            // A bridge's computer needs none.
            "environment": session.connector.profile.isBridged
                ? .null : session.connector.knownROSEnvironment.map(json(of:)) ?? .null,
            "findings": .array(
                findings.map { finding in
                    [
                        "check": .string(finding.check), "verdict": .string(finding.verdict.rawValue),
                        "message": .string(finding.message), "advice": .string(finding.advice),
                    ]
                }),
        ]
        console.result(report, failure: failed.isEmpty ? nil : "failed checks: \(failed.joined(separator: ", "))")
        if let interruption { throw interruption }
        return isHealthy ? .done : .refused
    }

    /// The environment of ROS on the vehicle; that of a profile with a set-up has nothing but its source.
    private static func json(of environment: ROSEnvironment) -> JSONValue {
        [
            "source": .string(environment.source.rawValue), "place": .string(environment.place),
            "distribution": .string(environment.distribution),
            "setup_files": .array(environment.files.map { .string($0) }), "process": JSONValue(environment.process),
            "knows_messages": .bool(environment.knowsMessages),
            "ros_master": JSONValue(environment.master),
            "ros_masters": .array(environment.masters.map { .string($0) }),
            "variables": .object(environment.variables.map { JSONValue.Member($0.name, .string($0.value)) }),
            "searched": .array(environment.searched.map { .string($0) }),
            "notes": .array(environment.notes.map { .string($0) }),
        ]
    }
}
