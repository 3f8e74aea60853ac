import IntegrationKit
import MRSMessages
import ROS1
import Testing
import UAVLink

@testable import MRS

@Suite(
    .enabled(if: RospyVehicle.isPossible, "rospy is not installed: the ROS link is not held against it"),
    .serialized, .timeLimit(.minutes(MachinePace.minutes(1))))
struct ROSLinkTests {
    @Test func `telemetry of every topic arrives`() async throws {
        try await withLink { link, _ in
            // Each topic has a connection of its own, and comes when that is open; some values are another topic's until then.
            var whole: Telemetry?
            let isWhole = await eventually {
                guard let now = link.latestTelemetry, link.isVehicleReady else { return false }
                whole = now
                guard now.gnss != nil, now.tracker != nil, now.battery != nil, now.estimator != nil, now.pose != nil,
                    now.velocityMetresPerSecond?.value == Vector3(x: 0, y: 2, z: 0),
                    now.heightAboveGroundMetres?.value == 3.25, now.flight?.value.state == .flying
                else { return false }
                return true
            }
            #expect(isWhole)
            let telemetry = try #require(whole)
            let pose = try #require(telemetry.pose?.value)
            #expect(pose.frame == FrameName("uav1/gps_garmin_origin"))
            #expect(pose.positionMetres == Vector3(x: 1.5, y: -2.5, z: 3.5))
            #expect(abs(pose.headingRadians - .pi / 2) < 1e-9)
            #expect(telemetry.velocityMetresPerSecond?.value == Vector3(x: 0, y: 2, z: 0))
            #expect(telemetry.heightAboveGroundMetres?.value == 3.25)
            #expect(telemetry.battery?.value == Battery(voltageVolts: 15.5, currentAmperes: 10))
            #expect(telemetry.gnss?.value.horizontalAccuracyMetres == 2)
            #expect(telemetry.flight?.value.state == .flying)
            #expect(telemetry.tracker?.value.trajectoryIndex == 3)
            #expect(telemetry.estimator?.value == EstimatorStatus(name: "gps_garmin", ceilingMetres: 10))
            #expect(await eventually { link.quality.isConnected })
        }
    }

    @Test func `every command reaches its service with its values`() async throws {
        try await withLink { link, vehicle in
            for (command, asked) in CommandSamples.all where command != .enableOutput(true) {
                let reply = try await link.perform(command, within: .patient(seconds: 10))
                try await vehicle.line(containing: asked)
                #expect(reply.roundTrip > .zero)
                if case .uploadTrajectory = command { #expect(reply.trajectoryModified) }
            }
        }
    }

    @Test func `stops reach a vehicle whose master died before any was needed`() async throws {
        try await withRospyVehicle { vehicle in
            let process = try await vehicle.start()
            let link = try makeLink(to: vehicle)
            try await link.connect(within: .patient(seconds: 20))
            let services = try link.connectedGraph().services
            #expect(await eventually { services.disconnectedVital().isEmpty })
            await vehicle.master.kill()
            let hover = try await link.perform(.hover, within: .patient(seconds: 10))
            #expect(hover.accepted, "\(hover)")
            try await process.line(containing: "control_manager/hover")
            await link.close()
            await process.stop()
        }
    }

    @Test func `a refusal is an answer in the vehicle's own words, and has ours where it has none`() async throws {
        try await withLink { link, _ in
            let takeoff = try await link.perform(.takeoff, within: .patient(seconds: 10))
            #expect(!takeoff.accepted)
            #expect(takeoff.message == "can not takeoff, UAV not armed!\n\u{1B}[31m\"quoted\" ü")
            let land = try await link.perform(.land, within: .patient(seconds: 10))
            #expect(!land.accepted)
            #expect(land.message.contains("without a reason"))
            // rospy answers so when a handler gives nothing.
            let output = try await link.perform(.enableOutput(true), within: .patient(seconds: 10))
            #expect(!output.accepted)
            #expect(output.message.contains("service handler returned None"))
        }
    }

    @Test func `setpoints arrive on the topic, each once, and stale ones do not`() async throws {
        try await withLink { link, vehicle in
            let clock = SystemMonotonicClock()
            var late: UInt64 = 0
            for step in 1...50 {
                // One that the machine held up for longer than it is valid is not sent: that one anew.
                let isSent = await eventually {
                    let receipt = try? link.steer(
                        VelocitySetpoint(
                            velocityMetresPerSecond: Vector3(x: Double(step), y: 0.5, z: -0.25),
                            headingRateRadiansPerSecond: 0.125, frame: step.isMultiple(of: 2) ? .body : .world,
                            intendedAt: clock.now))
                    if let receipt, receipt.sentAt == nil { late += 1 }
                    return receipt?.sentAt != nil
                }
                #expect(isSent, "\(step)")
                try await Task.sleep(for: .milliseconds(2))
            }
            try link.steer(
                VelocitySetpoint(
                    velocityMetresPerSecond: .zero, intendedAt: clock.now - .milliseconds(201)))
            try await vehicle.line(containing: "'x': 50.0")
            let lines = vehicle.output.split(separator: "\n").filter { $0.hasPrefix("velocity") }
            #expect(lines.count == 50)
            #expect(lines[0].contains("'frame_id': ''"))
            #expect(lines[1].contains("'frame_id': 'fcu_untilted'"))
            #expect(lines[0].contains("'velocity': {'x': 1.0, 'y': 0.5, 'z': -0.25}"))
            #expect(lines[0].contains("'heading_rate': 0.125"))
            #expect(lines[0].contains("'use_altitude': False, 'use_heading': False, 'use_heading_rate': True"))
            #expect(link.quality.setpointsSent == 50)
            #expect(link.quality.setpointsExpired == late + 1)
        }
    }

    @Test func `a vehicle that publishes no more is given no motion, and every brake`() async throws {
        try await withLink { link, vehicle in
            #expect(await eventually { link.isVehicleReady && link.latestTelemetry?.tracker != nil })
            #expect(await eventually { Self.refusal(link, forward(1)) == nil })
            vehicle.signal(19)
            // Each with a speed of its own, to know the one that was refused.
            var speed = 2.0
            var refusal: LinkError?
            let isRefused = await eventually {
                speed += 1
                refusal = Self.refusal(link, forward(speed))
                return refusal != nil
            }
            #expect(isRefused)
            #expect(refusal?.code == .notConnected, "\(refusal as Any)")
            #expect(refusal?.what.contains("control_manager/diagnostics") == true, "\(refusal as Any)")
            let sent = link.quality.setpointsSent
            // Sent anew only if the machine held it up until it was too old.
            #expect(await eventually { (try? link.steer(forward(0)))?.sentAt != nil })
            #expect(link.quality.setpointsSent == sent + 1)
            vehicle.signal(18)
            #expect(await eventually { Self.refusal(link, forward(2)) == nil }, "it publishes again")
            try await vehicle.line(containing: "'x': 2.0")
            #expect(!vehicle.output.contains("'x': \(speed)"))
        }
    }

    @Test func `a call that is not answered ends in time, when cancelled and when closed`() async throws {
        try await withLink("silent") { link, _ in
            await expect(.timedOut) { try await link.perform(.hover, within: .milliseconds(200)) }
            let cancelled = Task { try await link.perform(.hover, within: .patient(seconds: 50)) }
            try await Task.sleep(for: .milliseconds(50))
            cancelled.cancel()
            await expect(.cancelled) { try await cancelled.value }
            let closed = Task { try await link.perform(.hover, within: .patient(seconds: 50)) }
            try await Task.sleep(for: .milliseconds(50))
            await link.close()
            await expect(.closed) { try await closed.value }
            #expect(!link.quality.isConnected)
        }
    }

    @Test func `a vehicle that restarts is commanded and heard again`() async throws {
        try await withRospyVehicle { vehicle in
            let first = try await vehicle.start()
            let link = try makeLink(to: vehicle)
            try await link.connect(within: .patient(seconds: 20))
            _ = try await link.perform(.arm(true), within: .patient(seconds: 10))
            first.signal(9)
            await first.stop()
            #expect(await eventually { !link.quality.isConnected })
            let second = try await vehicle.start()
            #expect(await eventually { link.quality.isConnected })
            let reply = try await link.perform(.arm(false), within: .patient(seconds: 10))
            #expect(reply.accepted)
            try await second.line(containing: "hw_api/arming {'data': False}")
            let steers = await eventually {
                (try? link.steer(
                    VelocitySetpoint(velocityMetresPerSecond: .zero, intendedAt: SystemMonotonicClock().now))) != nil
            }
            #expect(steers)
            await link.close()
            await second.stop()
        }
    }

    @Test func `after a restart of the master it finds the vehicle that the new one knows`() async throws {
        try await withRospyVehicle { vehicle in
            let first = try await vehicle.start()
            let link = try makeLink(to: vehicle)
            try await link.connect(within: .patient(seconds: 20))
            _ = try await link.perform(.arm(true), within: .patient(seconds: 10))

            // The master takes all that it knew with it, and nothing is left that could notify the link.
            await vehicle.master.kill()
            first.signal(9)
            await first.stop()
            #expect(await eventually { !link.quality.isConnected })
            let down = await #expect(throws: LinkError.self) { try await link.perform(.hover, within: .seconds(2)) }
            #expect(down?.code != .closed)

            try await vehicle.master.start()
            let second = try await vehicle.start()
            #expect(await eventually(within: .seconds(20)) { link.quality.isConnected })
            #expect(try await link.perform(.arm(false), within: .patient(seconds: 10)).accepted)
            try await second.line(containing: "hw_api/arming {'data': False}")
            // The new vehicle hears the link's topic, too, which it can only know from the new master.
            let clock = SystemMonotonicClock()
            let steers = await eventually {
                (try? link.steer(VelocitySetpoint(velocityMetresPerSecond: .zero, intendedAt: clock.now))) != nil
            }
            #expect(steers)
            await link.close()
            await second.stop()
        }
    }

    @Test func `another type on a topic is named`() async throws {
        try await withRospyVehicle { vehicle in
            let process = try await vehicle.start("mismatch")
            let link = try makeLink(to: vehicle)
            // Long enough that the publisher has been asked before.
            let error = await #expect(throws: LinkError.self) {
                try await link.connect(within: .seconds(6) * MachinePace.factor)
            }
            #expect(error?.code == .typeMismatch, "\(error as Any)")
            #expect(error?.what.contains("control_manager/diagnostics") == true, "\(error as Any)")
            await link.close()
            await process.stop()
        }
    }

    @Test func `a graph without the vehicle, and no graph at all, have errors of their own`() async throws {
        try await withRospyVehicle { vehicle in
            let link = try makeLink(to: vehicle)
            // Long enough that the master has answered before.
            await expect(.serviceMissing) { try await link.connect(within: .seconds(4) * MachinePace.factor) }
            // A failed attempt can be repeated.
            let process = try await vehicle.start()
            try await link.connect(within: .patient(seconds: 20))
            await link.close()
            await process.stop()
        }
        let port = try freePort()
        let configuration = try ROSConfiguration(
            name: "ground", environment: ["ROS_MASTER_URI": "http://127.0.0.1:\(port)", "ROS_IP": "127.0.0.1"])
        let link = ROSLink(names: try VehicleNames(vehicle: "uav1"), configuration: configuration)
        await expect(.rosMasterUnreachable) { try await link.connect(within: .milliseconds(500) * MachinePace.factor) }
        await link.close()
    }

    // MARK: Setting up

    /// Sends a setpoint; the error with which it was refused. One that has expired is not refused.
    private static func refusal(_ link: ROSLink, _ setpoint: VelocitySetpoint) -> LinkError? {
        do { try link.steer(setpoint) } catch { return error }
        return nil
    }

    /// A setpoint of this moment, metres per second forward.
    private func forward(_ speed: Double) -> VelocitySetpoint {
        VelocitySetpoint(
            velocityMetresPerSecond: Vector3(x: speed, y: 0, z: 0), intendedAt: SystemMonotonicClock().now)
    }

    private func withLink(
        _ options: String..., body: (ROSLink, ChildProcess) async throws -> Void
    ) async throws {
        try await withRospyVehicle { vehicle in
            let process = try await options.isEmpty ? vehicle.start() : vehicle.start(options[0])
            let link = try makeLink(to: vehicle)
            try await link.connect(within: .patient(seconds: 20))
            do {
                // Connecting waits only briefly for the vehicle to hear setpoints.
                let hears = try await eventually { try link.connectedGraph().steering.subscriberCount > 0 }
                #expect(hears)
                try await body(link, process)
            } catch {
                await link.close()
                await process.stop()
                throw error
            }
            await link.close()
            await process.stop()
        }
    }

    private func makeLink(to vehicle: RospyVehicle) throws -> ROSLink {
        let configuration = try ROSConfiguration(name: "ground", environment: vehicle.environment)
        return ROSLink(names: try VehicleNames(vehicle: "uav1"), configuration: configuration)
    }
}
