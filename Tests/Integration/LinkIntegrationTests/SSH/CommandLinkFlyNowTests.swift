import SSHTransport
import IntegrationKit
import Testing
import UAVLink

extension SSHTests {
    /// A trajectory that is flown as soon as it is loaded, and a stop that comes before it has reached the vehicle.
    @Suite(
        .enabled(if: RospyVehicle.isPossible, "rospy is not installed"), .timeLimit(.minutes(MachinePace.minutes(4))))
    struct SSHFlyNowTests {
        /// So long that it goes to the vehicle as a file.
        private let flown = Command.uploadTrajectory(
            Trajectory(
                frame: .current,
                points: (0..<3000).map {
                    Trajectory.Point(position: Vector3(x: Double($0) / 7, y: 0, z: 2), headingRadians: 0)
                }, timeStepSeconds: 0.2, fliesNow: true))

        private func fly(over link: SSHCommandLink) -> Task<CommandReply, any Error> {
            Task { [flown] in try await link.perform(flown, within: .patient(seconds: 60)) }
        }

        /// Expects that the caller was told, and that nothing is left of the request on the vehicle.
        private func expectEnded(_ task: Task<CommandReply, any Error>, _ bench: CommandLinkBench) async throws {
            let error = await linkError { _ = try await task.value }
            #expect(error?.code == .timedOut, "\(String(describing: error))")
            #expect(
                error?.what.contains("a newer command ended 'trajectory send'") == true, "\(String(describing: error))")
            #expect(try await eventually { try await bench.running("rosservice call /uav1") == 0 })
            #expect(try await eventually { try await bench.requests().isEmpty })
        }

        @Test func `one that is being uploaded when the vehicle is stopped is not even called for`() async throws {
            // The last step of an upload.
            let uploads = try HeldCalls("uavlink-request", of: "sha256sum")
            try await withCommandLinkBench(environment: ["PATH": uploads.path]) { bench in
                let calls = try HeldCalls("trajectory_reference")
                let link = try bench.link(setup: calls.setup(after: bench.setup))
                try await link.connect(within: .patient(seconds: 30))
                let task = fly(over: link)
                #expect(await eventually { uploads.hasBegun })
                #expect(try await link.perform(.hover, within: .patient(seconds: 20)).accepted)
                try uploads.letGo()
                try await expectEnded(task, bench)
                #expect(!calls.hasBegun)
                #expect(!bench.process.output.contains("control_manager/trajectory_reference"))
                // The next one is meant anew.
                try calls.letGo()
                #expect(try await link.perform(flown, within: .patient(seconds: 60)).accepted)
                try await bench.process.line(containing: "control_manager/trajectory_reference")
                await link.close()
                withExtendedLifetime((uploads, calls)) {}
            }
        }

        @Test func `one whose program is starting when the vehicle is stopped never reaches it`() async throws {
            try await withCommandLinkBench { bench in
                let calls = try HeldCalls("trajectory_reference")
                let link = try bench.link(setup: calls.setup(after: bench.setup))
                try await link.connect(within: .patient(seconds: 30))
                let task = fly(over: link)
                #expect(await eventually { calls.hasBegun })
                #expect(try await link.perform(.hover, within: .patient(seconds: 20)).accepted)
                try await expectEnded(task, bench)
                try calls.letGo()
                try await bench.process.line(containing: "control_manager/hover")
                #expect(!bench.process.output.contains("control_manager/trajectory_reference"))
                await link.close()
                withExtendedLifetime(calls) {}
            }
        }
    }
}
