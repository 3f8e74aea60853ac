import SSHTransport
import Foundation
import IntegrationKit
import Synchronization
import Testing
import UAVLink

extension SSHTests {
    @Suite(
        .enabled(if: RospyVehicle.isPossible, "rospy is not installed"), .timeLimit(.minutes(MachinePace.minutes(4))))
    struct SSHCommandLinkTests {
        @Test func `commands reach their services and the answers come back`() async throws {
            try await withCommandLinkBench { bench in
                let link = try bench.link()
                try await link.connect(within: .patient(seconds: 30))
                let hover = try await link.perform(.hover, within: .patient(seconds: 20))
                #expect(hover.accepted && hover.message == "hover")
                #expect(hover.roundTrip > .milliseconds(50))
                let takeoff = try await link.perform(.takeoff, within: .patient(seconds: 20))
                #expect(!takeoff.accepted)
                #expect(takeoff.message == "can not takeoff, UAV not armed!\n\u{1B}[31m\"quoted\" ü")
                let goal = Command.Destination(
                    .frame(FrameName("uav1/fcu_untilted")), position: Vector3(x: 1.25, y: -2e-7, z: 3),
                    headingRadians: 0.5)
                #expect(try await link.perform(.goTo(goal), within: .patient(seconds: 20)).accepted)
                try await bench.process.line(containing: "-2e-07")
                #expect(try await link.perform(.arm(true), within: .patient(seconds: 20)).accepted)
                try await bench.process.line(containing: "hw_api/arming {'data': True}")
                let points = (0..<2000).map {
                    Trajectory.Point(position: Vector3(x: Double($0) / 7, y: 0, z: 2), headingRadians: 0)
                }
                let loaded = try await link.perform(
                    .uploadTrajectory(Trajectory(frame: .current, points: points, timeStepSeconds: 0.2)),
                    within: .patient(seconds: 40))
                #expect(loaded.accepted)
                #expect(loaded.trajectoryModified)
                #expect(link.quality.isConnected)
                #expect(link.quality.roundTripMedian != nil)
                await link.close()
                #expect(bench.session.isConnected)
            }
        }

        @Test func `telemetry comes as rostopic prints it and ends with the link`() async throws {
            try await withCommandLinkBench { bench in
                let link = try bench.link()
                try await link.connect(within: .patient(seconds: 30))
                let isComplete = await eventually(within: .seconds(30)) {
                    guard let telemetry = link.latestTelemetry else { return false }
                    return telemetry.pose != nil && telemetry.battery != nil && telemetry.tracker != nil
                        && telemetry.flight != nil
                }
                #expect(isComplete, "\(String(describing: link.latestTelemetry))")
                #expect(link.latestTelemetry?.pose?.value.positionMetres == Vector3(x: 1.5, y: -2.5, z: 3.5))
                #expect(await eventually { link.quality.telemetryRateHertz ?? 0 > 1 })
                let isFaultless = await eventually { link.quality.telemetryFault == nil }
                #expect(isFaultless, "\(link.quality.telemetryFault as Any)")
                #expect(try await bench.running("rostopic echo /uav1") > 0)
                let stream = link.telemetry()
                await link.close()
                for await _ in stream {}
                // Nothing of ours is left running on the vehicle.
                let isGone = try await eventually { try await bench.running("rostopic echo /uav1") == 0 }
                let left = isGone ? "" : try await bench.processes()
                #expect(isGone, "\(left)")
            }
        }

        @Test func `the newest setpoint wins and hover overtakes the one under way`() async throws {
            try await withCommandLinkBench { bench in
                let link = try bench.link()
                try await link.connect(within: .patient(seconds: 30))
                let clock = SystemMonotonicClock()
                func setpoint(_ x: Double, validFor: Duration = .milliseconds(500)) -> VelocitySetpoint {
                    VelocitySetpoint(
                        velocityMetresPerSecond: Vector3(x: x, y: 0, z: 0), intendedAt: clock.now, validFor: validFor)
                }
                // Sticks at 50 Hz for as long as two calls take.
                var patience = Patience(.seconds(20))
                var step = 0.0
                while link.quality.setpointsApplied ?? 0 < 2, !patience.isOver() {
                    step += 1
                    try link.steer(setpoint(step))
                    try await Task.sleep(for: .milliseconds(20))
                }
                let sent = link.quality.setpointsSent
                #expect(sent >= 2)
                #expect(Double(sent) < step / 2, "\(sent) of \(step) setpoints")
                // What the vehicle prints comes by another way than its answers.
                var lines: [Substring] = []
                let arePrinted = await eventually {
                    lines = bench.process.output.split(separator: "\n")
                        .filter { $0.hasPrefix("control_manager/velocity_reference") }
                    return lines.count >= 2
                }
                #expect(arePrinted)
                // The first call had the first setpoint, unless that expired before the machine began the call.
                let arrived = lines.compactMap { $0.firstMatch(of: /'x': ([0-9]+)\.0/).flatMap { Double($0.1) } }
                #expect(arrived.first == 1 || link.quality.setpointsExpired ?? 0 > 0, "\(arrived)")
                #expect(zip(arrived, arrived.dropFirst()).allSatisfy { $0 < $1 }, "\(arrived)")
                try link.steer(setpoint(1000))
                let hover = try await link.perform(.hover, within: .patient(seconds: 20))
                #expect(hover.accepted)
                // What was under way when hover came is dead: nothing moves the vehicle after it.
                #expect(try await eventually { try await bench.running("rosservice call /uav1") == 0 })
                try await bench.process.line(containing: "control_manager/hover")
                let order = bench.process.output.split(separator: "\n").filter { $0.hasPrefix("control_manager/") }
                #expect(order.last?.hasPrefix("control_manager/hover") == true, "\(order.suffix(3))")
                await link.close()
            }
        }

        @Test(arguments: [LinkKind.ssh, .sshShell])
        func `a setpoint that is still on its way when a goto comes never reaches the vehicle`(
            _ kind: LinkKind
        ) async throws {
            try await withCommandLinkBench { bench in
                let held = try HeldCalls("velocity_reference")
                let link = try bench.link(kind, setup: held.setup(after: bench.setup))
                try await link.connect(within: .patient(seconds: 30))
                func steer() throws {
                    let velocity = Vector3(x: 1, y: 0, z: 0)
                    try link.steer(
                        VelocitySetpoint(
                            velocityMetresPerSecond: velocity, intendedAt: SystemMonotonicClock().now,
                            validFor: .milliseconds(500)))
                }
                // Again and again: one that the machine holds up for half a second is not sent.
                let hasBegun = try await eventually {
                    try steer()
                    return held.hasBegun
                }
                #expect(hasBegun)
                // One more that waits for its turn.
                try steer()
                let goal = Command.Destination(
                    .frame(FrameName("uav1/fcu_untilted")), position: Vector3(x: 5, y: 0, z: 3), headingRadians: 0)
                #expect(try await link.perform(.goTo(goal), within: .patient(seconds: 20)).accepted)
                try held.letGo()
                #expect(try await eventually { try await bench.running("rosservice call /uav1") == 0 })
                #expect(link.quality.setpointsSent == 1)
                #expect(link.quality.setpointsApplied == 0)
                #expect(!bench.process.output.contains("control_manager/velocity_reference"))
                // Steering goes on when it is meant anew.
                let isSteered = try await eventually {
                    try steer()
                    return link.quality.setpointsApplied ?? 0 > 0
                }
                #expect(isSteered)
                await link.close()
                withExtendedLifetime(held) {}
            }
        }

        @Test(arguments: [LinkKind.ssh, .sshShell])
        func `a goto on its way when the vehicle is stopped never reaches it`(_ kind: LinkKind) async throws {
            try await withCommandLinkBench { bench in
                let held = try HeldCalls("control_manager/reference")
                let link = try bench.link(kind, setup: held.setup(after: bench.setup))
                try await link.connect(within: .patient(seconds: 30))
                let goal = Command.Destination(
                    .frame(FrameName("uav1/fcu_untilted")), position: Vector3(x: 5, y: 0, z: 3), headingRadians: 0)
                let task = Task { try await link.perform(.goTo(goal), within: .patient(seconds: 60)) }
                #expect(await eventually { held.hasBegun })
                #expect(try await link.perform(.hover, within: .patient(seconds: 20)).accepted)
                let error = await linkError { _ = try await task.value }
                #expect(error?.code == .timedOut && error?.what.contains("a newer command ended 'goto'") == true)
                try held.letGo()
                #expect(try await eventually { try await bench.running("rosservice call /uav1") == 0 })
                #expect(!bench.process.output.contains("control_manager/reference"))
                // The next one is meant anew.
                #expect(try await link.perform(.goTo(goal), within: .patient(seconds: 20)).accepted)
                try await bench.process.line(containing: "control_manager/reference")
                await link.close()
                withExtendedLifetime(held) {}
            }
        }

        @Test func `a setpoint that expires while another is under way is dropped and counted`() async throws {
            try await withCommandLinkBench { bench in
                let held = try HeldCalls("velocity_reference")
                let link = try bench.link(setup: held.setup(after: bench.setup))
                try await link.connect(within: .patient(seconds: 30))
                let clock = SystemMonotonicClock()
                func steer(validFor validity: Duration) throws {
                    try link.steer(
                        VelocitySetpoint(
                            velocityMetresPerSecond: Vector3(x: 1, y: 0, z: 0), intendedAt: clock.now,
                            validFor: validity))
                }
                // One that the machine itself held up for too long is counted, too, and not sent.
                let isUnderWay = try await eventually {
                    if link.quality.setpointsSent == 0 { try steer(validFor: VelocitySetpoint.longestValidity) }
                    return held.hasBegun
                }
                #expect(isUnderWay)
                let before = link.quality.setpointsExpired ?? 0
                try steer(validFor: .milliseconds(100))
                try await Task.sleep(for: .milliseconds(150))
                try held.letGo()
                #expect(await eventually { link.quality.setpointsExpired == before + 1 })
                #expect(link.quality.setpointsSent == 1)
                await link.close()
                withExtendedLifetime(held) {}
            }
        }

        @Test func `a large request is a file that is gone whatever the set-up does, and however the call ends`()
            async throws
        {
            try await withCommandLinkBench { bench in
                let points = (0..<3000).map {
                    Trajectory.Point(position: Vector3(x: Double($0) / 7, y: 0, z: 2), headingRadians: 0)
                }
                let upload = Command.uploadTrajectory(
                    Trajectory(frame: .current, points: points, timeStepSeconds: 0.2))
                let elsewhere = try bench.link(setup: bench.setup + "; cd /; export HOME=/nonexistent")
                try await elsewhere.connect(within: .patient(seconds: 30))
                let progress = Mutex<[Double]>([])
                let reply = try await elsewhere.perform(upload, within: .patient(seconds: 60)) { fraction in
                    progress.withLock { $0.append(fraction) }
                }
                #expect(reply.accepted)
                let reported = progress.withLock { $0 }
                #expect(reported == reported.sorted() && reported.first == 0 && reported.last == 1)
                #expect(try await bench.requests().isEmpty)
                await elsewhere.close()

                // Calls that would never end by themselves.
                let held = try HeldCalls("trajectory_reference")
                let link = try bench.link(setup: held.setup(after: bench.setup))
                try await link.connect(within: .patient(seconds: 30))
                let late = await linkError { _ = try await link.perform(upload, within: .milliseconds(900)) }
                #expect(late?.code == .timedOut)
                #expect(try await eventually { try await bench.running("rosservice call /uav1") == 0 })
                let task = Task { try await link.perform(upload, within: .patient(seconds: 60)) }
                #expect(try await eventually { try await bench.running("rosservice call /uav1") > 0 })
                task.cancel()
                #expect(await linkError { _ = try await task.value }?.code == .cancelled)
                #expect(try await eventually { try await bench.requests().isEmpty })
                await link.close()
                withExtendedLifetime(held) {}
            }
        }

        @Test func `a vehicle that never answers costs no more than the deadline, and who is cancelled leaves at once`()
            async throws
        {
            try await withCommandLinkBench("silent") { bench in
                let link = try bench.link()
                try await link.connect(within: .patient(seconds: 30))
                let error = await linkError { _ = try await link.perform(.hover, within: .seconds(4)) }
                #expect(error?.code == .timedOut)
                let isGone = try await eventually { try await bench.running("rosservice call /uav1") == 0 }
                #expect(isGone)
                let task = Task { try await link.perform(.hover, within: .patient(seconds: 60)) }
                let isThere = try await eventually { try await bench.running("rosservice call /uav1") > 0 }
                #expect(isThere)
                task.cancel()
                #expect(await linkError { _ = try await task.value }?.code == .cancelled)
                let waiting = Task { try await link.perform(.hover, within: .patient(seconds: 60)) }
                try await Task.sleep(for: .milliseconds(300))
                await link.close()
                #expect(await linkError { _ = try await waiting.value }?.code == .closed)
            }
        }

        @Test func `every fault on the vehicle has an error of its own`() async throws {
            try await withCommandLinkBench { bench in
                let noROS = await linkError {
                    try await bench.link(setup: "PATH=/nowhere").connect(within: .patient(seconds: 20))
                }
                #expect(noROS?.code == .remoteFailed, "\(String(describing: noROS))")
                #expect(noROS?.hint.contains("setup") == true)
                let noStack = await linkError {
                    try await bench.link(vehicle: "uav7").connect(within: .patient(seconds: 20))
                }
                #expect(noStack?.code == .serviceMissing, "\(String(describing: noStack))")
                let held = try HeldCalls("uav_manager/land")
                let link = try bench.link(setup: held.setup(after: bench.setup))
                try await link.connect(within: .patient(seconds: 30))
                await bench.vehicle.master.stop()
                let noMaster = await linkError { try await bench.link().connect(within: .patient(seconds: 20)) }
                #expect(noMaster?.code == .rosMasterUnreachable, "\(String(describing: noMaster))")
                let call = await linkError { _ = try await link.perform(.hover, within: .patient(seconds: 20)) }
                #expect(call?.code == .rosMasterUnreachable, "\(String(describing: call))")
                // The server dies in the middle of a command: it cannot be known whether the vehicle acted.
                let task = Task { try await link.perform(.land, within: .patient(seconds: 60)) }
                #expect(await eventually { held.hasBegun })
                await bench.server.killSessions()
                #expect(await linkError { _ = try await task.value }?.code == .timedOut)
                #expect(
                    await linkError { _ = try await link.perform(.hover, within: .seconds(5)) }?.code == .notConnected)
                #expect(!link.quality.isConnected)
                await link.close()
                withExtendedLifetime(held) {}
            }
        }
    }
}
