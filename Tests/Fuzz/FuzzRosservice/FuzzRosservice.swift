import FuzzKit
import MRS
import UAVLink

/// Any bytes as what `rosservice call`, `rostopic echo` and ROS 2's programs print: the first chooses how the call ended, the first 0 after
/// it parts standard output from standard error.
@main enum FuzzRosservice: FuzzTarget {
    private static let calls = [Command.hover, .enableOutput(true), .goToTrajectoryStart].compactMap {
        try? ServiceCall($0)
    }

    /// Made once: what they keep of their definitions takes longer than an input.
    private static let streams = [VehicleTopic.battery, .controlDiagnostics, .uavStatus].compactMap {
        try? EchoStream($0)
    }

    private static let lines = [ROSVersion.one, .two(domain: nil)].compactMap { ros in
        (try? VehicleNames(vehicle: "uav1")).map {
            ROSCommandLines(names: $0, environment: ROSEnvironment(profileSetup: "", ros: ros))
        }
    }

    static func test(_ bytes: [UInt8]) {
        guard let choice = bytes.first else { return }
        let rest = bytes.dropFirst()
        let end = rest.firstIndex(of: 0) ?? rest.endIndex
        let result = RemoteResult(
            standardOutput: Array(rest[..<end]), standardError: Array(rest[end...].dropFirst()),
            exitStatus: [0, 1, 2, 127, 255, nil][Int(choice) % 6], signal: choice > 250 ? "KILL" : nil)
        for (call, ros) in calls.flatMap({ call in [ROSVersion.one, .two(domain: nil)].map { (call, $0) } }) {
            do throws(LinkError) { _ = try call.reply(to: result, from: ros) } catch {
                precondition(!error.description.contains("\n"), "an error of more than one line")
            }
        }
        for lines in lines {
            if let origin = lines.worldOrigin(from: result) {
                precondition((-90...90).contains(origin.latitudeDegrees) && origin.altitudeMetres.isFinite)
            }
            if let limits = lines.limits(from: result) {
                precondition(limits.horizontal.speed > 0 && limits.heading.jerk.isFinite)
            }
            _ = lines.fix(from: result, at: MonotonicTime(nanoseconds: 0))
            precondition(lines.maps(from: result).count <= AvailableMap.maximumAvailableMaps)
            do throws(LinkError) { _ = try lines.worldPath(from: result) } catch {
                precondition(!error.description.contains("\n"), "an error of more than one line")
            }
        }
        for prepared in streams {
            var stream = prepared
            var assembler = TelemetryAssembler(vehicle: "uav1")
            for chunk in [rest.prefix(rest.count / 2), rest.dropFirst(rest.count / 2), "\n---\n".utf8.map(\.self)[...]]
            {
                for message in (try? stream.take(chunk)) ?? [] {
                    try? assembler.take(stream.topic, serialised: message, at: MonotonicTime(nanoseconds: 0))
                }
            }
        }
    }
}
