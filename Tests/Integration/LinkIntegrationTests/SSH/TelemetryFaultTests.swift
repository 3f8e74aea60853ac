import IntegrationKit
import SSHTransport
import Testing
import UAVLink

extension SSHTests {
    @Suite(
        .enabled(if: RospyVehicle.isPossible, "rospy is not installed"), .timeLimit(.minutes(MachinePace.minutes(2))))
    struct SSHTelemetryFaultTests {
        @Test func `a shell that does not know the types of messages is named, and what it knows comes`() async throws {
            try await withCommandLinkBench { bench in
                // As where the profile's setup sources ROS, and not the workspace of the flight stack.
                let link = try bench.link(setup: bench.setup + "; unset PYTHONPATH")
                try await link.connect(within: .patient(seconds: 30))
                // The programs end in any order; the most important topic is the one that is named at last.
                let what =
                    "rostopic on the vehicle does not know the message type "
                    + "mrs_msgs/ControlManagerDiagnostics of /uav1/control_manager/diagnostics"
                let isNamed = await eventually(within: .seconds(30)) {
                    link.quality.telemetryFault?.what == what && link.latestTelemetry?.battery != nil
                }
                let fault = link.quality.telemetryFault
                #expect(isNamed, "\(fault as Any), \(String(describing: link.latestTelemetry))")
                #expect(fault?.code == .typeMismatch)
                #expect(fault?.hint.contains("must source the workspace") == true)
                await link.close()
                #expect(link.quality.telemetryFault == nil)
            }
        }
    }
}
