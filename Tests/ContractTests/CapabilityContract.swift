import IntegrationKit
import Testing
import UAVLink

/// What a link says of its vehicle, and what becomes of what the vehicle lacks; see ``UAVLink/VehicleCapabilities``.
///
/// Tests of what is lacking have only the vehicles that lack something as cases.
extension Contract {
    @Test(arguments: LinkFactory.all)
    func `the link says what its vehicle can do`(_ factory: LinkFactory) async throws {
        try await withLink(factory) { flying, _ in
            var patience = Patience(factory.limits.connect)
            // Over the channel it comes with the telemetry.
            while flying.link.vehicleCapabilities != factory.vehicle, !patience.isOver() {
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(flying.link.vehicleCapabilities == factory.vehicle)
            if !flying.vehicle.survey.isEmpty { #expect(flying.link.capabilities.survey != nil) }
        }
    }

    @Test(arguments: LinkFactory.all.filter { !$0.vehicle.commands.isSuperset(of: .all) })
    func `what the vehicle lacks is refused at once, by name, and never sent`(_ factory: LinkFactory) async throws {
        let commands: [Command] = [
            .arm(true), .enableOutput(true), .offboard, .takeoff, .land, .landHome, .hover, .emergencyHover,
            .emergencyLand, .goTo(.init(.frame(.current), position: .zero, headingRadians: 0)), .altitude(metres: 1),
            .heading(radians: 1), .turn(byRadians: 1),
            .uploadTrajectory(
                Trajectory(
                    frame: .current, points: [.init(position: .zero, headingRadians: 0)], timeStepSeconds: 0.2)),
            .goToTrajectoryStart, .startTrajectory, .stopTrajectory, .resumeTrajectory,
            .snapshot(service: Command.defaultSnapshotService),
        ]
        let lacked = commands.filter { factory.vehicle.refusal(of: $0, vehicle: "") != nil }
        try await withLink(factory) { flying, rig in
            let before = await rig.commandsReceived?()
            for round in ["before the ground knows, by the companion", "by the link itself"] {
                for command in lacked {
                    let error = await #expect(throws: LinkError.self, "\(command.name) \(round)") {
                        try await flying.link.perform(command, within: factory.limits.command)
                    }
                    #expect(error?.code == .unsupported, "\(error as Any)")
                    #expect(error?.what.contains("\(factory.vehicle.machine) has no ") == true, "\(error as Any)")
                }
                try await flying.wait("telemetry", within: factory.limits.connect) { $0.newest != nil }
            }
            #expect(await rig.commandsReceived?() == before)
        }
    }

    @Test(arguments: LinkFactory.all.filter { $0.vehicle.survey != .all })
    func `a question that the vehicle cannot answer is refused`(_ factory: LinkFactory) async throws {
        try await withLink(factory, needs: Need(link: [.survey])) { flying, _ in
            let survey = try #require(flying.link.capabilities.survey)
            let unsupported = await #expect(throws: LinkError.self) {
                try await survey.flightEnvelope(within: factory.limits.command)
            }
            #expect(unsupported?.code == .unsupported)
            let maps = await #expect(throws: LinkError.self) { try await survey.maps(within: factory.limits.command) }
            #expect(maps?.code == .unsupported)
            let world = await #expect(throws: LinkError.self) {
                try await survey.world(knowing: 0, within: factory.limits.command)
            }
            #expect(world?.code == .unsupported)
        }
    }

    @Test(arguments: LinkFactory.all.filter { $0.vehicle.lack(of: Need.places) != nil })
    func `a vehicle that does not know its place takes off, is steered, stopped and landed`(
        _ factory: LinkFactory
    ) async throws {
        let need = Need(vehicle: Need.flight.vehicle.and(.init(commands: .hover, isSteered: true)))
        try await withLink(factory, needs: need) { flying, rig in
            try await flying.takeOff()
            // Steering moves it, and it stops by itself when the setpoints stop.
            try await flying.steer(Vector3(x: 0.5, y: 0, z: 0), within: factory.limits.goal) {
                ($0.velocityMetresPerSecond?.value.length ?? 0) > 0.4
            }
            try await flying.rest()
            // Hover is accepted from every pilot, and ends steering.
            try await flying.steer(Vector3(x: 0, y: 0.5, z: 0), within: factory.limits.goal) {
                ($0.velocityMetresPerSecond?.value.length ?? 0) > 0.4
            }
            try await flying.perform(.hover)
            try await flying.rest()
            try await flying.land()
            try await rig.confirmsLanding?()
            let after = try await flying.link.perform(.land, within: factory.limits.command)
            #expect(!after.accepted)
        }
    }

    @Test(arguments: LinkFactory.all.filter { $0.vehicle.takeOffClearsEmergency })
    func `in an emergency a take-off clears it and says so, and only the next one takes off`(
        _ factory: LinkFactory
    ) async throws {
        try await withLink(factory, needs: .flight) { flying, _ in
            // Over the channel the capabilities come with the telemetry.
            try await flying.wait("on the ground", within: factory.limits.connect) {
                $0.flight?.value.state == .disarmed
            }
            // On the ground, since this is not about the fall.
            try await flying.perform(.emergencyLand)
            try await flying.wait("an emergency", within: factory.limits.command) {
                $0.flight?.value.state == .emergency
            }
            // Until it has certainly fallen the take-off is refused; one of those that follow clears the emergency.
            var patience = Patience(factory.limits.command)
            var words = ""
            while !words.hasPrefix("the emergency is cleared"), !patience.isOver() {
                let reply = try await flying.link.perform(.takeoff, within: factory.limits.command)
                words = reply.message
                #expect(!reply.accepted, "\(reply)")
                try await Task.sleep(for: .milliseconds(500))
            }
            #expect(words.hasPrefix("the emergency is cleared"), "\(words)")
            // It stands, and not for a moment only.
            try await flying.wait("cleared", within: factory.limits.command) { $0.flight?.value.state == .disarmed }
            try await Task.sleep(for: .milliseconds(300))
            #expect(flying.link.latestTelemetry?.flight?.value.state == .disarmed)
            try await flying.perform(.takeoff)
            try await flying.wait("taking off", within: factory.limits.command) {
                [.takingOff, .flying].contains($0.flight?.value.state)
            }
        }
    }
}
