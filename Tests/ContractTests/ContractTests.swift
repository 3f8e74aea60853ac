import IntegrationKit
import Testing
import UAVLink

/// What every link promises, held against each of them; see ``UAVLink/UAVLink`` for the rules.
@Suite(.serialized, .oneFlightStack) struct Contract {
    // MARK: Life

    @Test(arguments: LinkFactory.all)
    func `connecting brings telemetry of the vehicle`(_ factory: LinkFactory) async throws {
        try await withLink(factory, needs: .flightState) { flying, _ in
            let hasPose = factory.vehicle.telemetry.contains(.pose)
            try await flying.wait("flight state and position", within: factory.limits.connect) {
                $0.flight?.value.state == .disarmed && ($0.pose != nil) == hasPose
            }
            #expect(flying.link.quality.isConnected)
            #expect(flying.link.latestTelemetry?.vehicle.isEmpty == false)
        }
    }

    @Test(arguments: LinkFactory.all)
    func `nothing can be asked before it is connected`(_ factory: LinkFactory) async throws {
        try await withLink(factory, connected: false) { flying, _ in
            await expect(.notConnected) { try await flying.link.perform(.hover, within: .seconds(1)) }
            await expect(.notConnected) { try flying.link.steer(setpoint()) }
            #expect(!flying.link.quality.isConnected)
        }
    }

    @Test(arguments: LinkFactory.all)
    func `nothing can be asked after it is closed, and closing twice is safe`(_ factory: LinkFactory) async throws {
        try await withLink(factory) { flying, _ in
            await flying.link.close()
            await flying.link.close()
            await expect(.closed, .notConnected) { try await flying.link.perform(.hover, within: .seconds(1)) }
            await expect(.closed, .notConnected) { try flying.link.steer(setpoint()) }
            #expect(!flying.link.quality.isConnected)
        }
    }

    @Test(arguments: LinkFactory.all)
    func `a link that was never connected can be closed`(_ factory: LinkFactory) async throws {
        try await withLink(factory, connected: false) { flying, _ in
            await flying.link.close()
            await expect(.closed, .notConnected) { try await flying.link.perform(.hover, within: .seconds(1)) }
        }
    }

    // MARK: Input

    @Test(arguments: LinkFactory.all)
    func `what is not finite never leaves`(_ factory: LinkFactory) async throws {
        try await withLink(factory) { flying, rig in
            let before = await rig.commandsReceived?()
            for bad in [Double.nan, .infinity, -.infinity] {
                let commands: [Command] = [
                    .goTo(.init(.frame(.current), position: Vector3(x: 0, y: bad, z: 2), headingRadians: 0)),
                    .goTo(.init(.relative, position: .zero, headingRadians: bad)), .altitude(metres: bad),
                    .heading(radians: bad), .turn(byRadians: bad),
                    .uploadTrajectory(
                        Trajectory(
                            frame: .current, points: [.init(position: Vector3(x: bad, y: 0, z: 2), headingRadians: 0)],
                            timeStepSeconds: 0.2)),
                ]
                for command in commands {
                    await expect(.invalidInput) { try await flying.link.perform(command, within: .seconds(5)) }
                }
                await expect(.invalidInput) { try flying.link.steer(setpoint(Vector3(x: bad, y: 0, z: 0))) }
            }
            await expect(.invalidInput) {
                try await flying.link.perform(
                    .goTo(.init(.frame(FrameName("a b; reboot")), position: .zero, headingRadians: 0)),
                    within: .patient(seconds: 5))
            }
            #expect(await rig.commandsReceived?() == before)
        }
    }

    @Test(arguments: LinkFactory.all)
    func `a refusal is an answer in the vehicle's own words`(_ factory: LinkFactory) async throws {
        let commands = factory.refusals.reduce(CommandKinds()) { $0.union($1.command.kind) }
        try await withLink(factory, needs: Need(vehicle: .init(commands: commands))) { flying, _ in
            if factory.refusals.isEmpty { try skip(factory, because: "its vehicle refuses nothing in words") }
            for refusal in factory.refusals {
                let reply = try await flying.link.perform(refusal.command, within: factory.limits.command)
                #expect(!reply.accepted)
                #expect(reply.message == refusal.words)
                #expect(reply.roundTrip > .zero)
            }
        }
    }

    // MARK: Flight

    @Test(arguments: LinkFactory.all)
    func `a vehicle takes off, goes to a place, is steered, stopped and landed`(_ factory: LinkFactory) async throws {
        try await withLink(
            factory, needs: Need(vehicle: Need.flight.vehicle.and(Need.places).and(.init(isSteered: true)))
        ) { flying, rig in
            try await flying.takeOff()

            // To a place three metres further on, by an absolute reference.
            let start = try flying.position()
            let goal = start + Vector3(x: 3, y: 0, z: 0.5)
            try await flying.perform(.goTo(.init(.frame(.current), position: goal, headingRadians: 0)))
            try await flying.wait("at the goal", within: factory.limits.goal) {
                ($0.pose?.value.positionMetres ?? start).distance(to: goal) < 0.4
            }
            try await flying.rest()
            try await rig.confirmsPlace?(goal)

            // Steering moves it, and it stops by itself when the setpoints stop.
            let rested = try flying.position()
            try await flying.steer(Vector3(x: 0, y: 1, z: 0), within: factory.limits.goal) {
                ($0.pose?.value.positionMetres.y ?? rested.y) > rested.y + 1
            }
            let released = try flying.position()
            try await flying.rest()
            let stopped = try flying.position()
            #expect(released.distance(to: stopped) < factory.limits.stoppingMetres)
            #expect(abs(stopped.x - rested.x) < 1)

            // Hover ends a goto half-way. Not away from the middle of the world: other links fly on from here.
            let away = stopped.y > 0 ? -factory.limits.farMetres : factory.limits.farMetres
            let far = stopped + Vector3(x: 0, y: away, z: 0)
            try await flying.perform(.goTo(.init(.frame(.current), position: far, headingRadians: 0)))
            try await flying.wait("under way", within: factory.limits.goal) {
                abs(($0.pose?.value.positionMetres.y ?? stopped.y) - stopped.y) > 0.5
            }
            try await flying.perform(.hover)
            try await flying.rest()
            #expect(try flying.position().distance(to: far) > 0.5)

            try await flying.land()
            try await rig.confirmsLanding?()
            let after = try await flying.link.perform(.land, within: factory.limits.command)
            #expect(!after.accepted)
        }
    }

    // MARK: Telemetry

    @Test(arguments: LinkFactory.all)
    func `a slow reader of telemetry gets the newest, not a queue`(_ factory: LinkFactory) async throws {
        try await withLink(factory) { flying, _ in
            let stream = flying.link.telemetry()
            try await flying.wait("telemetry", within: factory.limits.connect) { $0.newest != nil }
            // Let some updates go by unread.
            for _ in 0..<5 {
                let seen = flying.link.latestTelemetry?.newest
                try await flying.wait("an update", within: factory.limits.connect) { $0.newest != seen }
            }
            let seen = try #require(flying.link.latestTelemetry?.newest)
            // Newer, not only another: a better estimate of the vehicle's clock moves the same instant by less than a microsecond.
            try await flying.wait("an update", within: factory.limits.connect) { ($0.newest ?? seen) > seen }
            for await first in stream {
                let newest = try #require(first.newest)
                #expect(newest >= seen)
                break
            }
        }
    }

    @Test(.timeLimit(.minutes(MachinePace.minutes(2))), arguments: LinkFactory.all)
    func `every stream of telemetry ends with the link`(_ factory: LinkFactory) async throws {
        try await withLink(factory) { flying, _ in
            let before = flying.link.telemetry()
            let reader = Task {
                var count = 0
                for await _ in before { count += 1 }
                return count
            }
            try await flying.wait("telemetry", within: factory.limits.connect) { $0.newest != nil }
            await flying.link.close()
            _ = await reader.value
            let after = flying.link.telemetry()
            for await _ in after {}
        }
    }

    // MARK: Waiting

    @Test(arguments: LinkFactory.all)
    func `no call waits longer than its time`(_ factory: LinkFactory) async throws {
        try await withLink(factory, needs: .hover) { flying, rig in
            try await silence(rig, of: factory)
            let timeout = Duration.milliseconds(300)
            let taken = await Taken.by {
                await expect(.timedOut) { try await flying.link.perform(.hover, within: timeout) }
            }
            // The vehicle's end may say so, which counts with what its clock can differ by.
            #expect(taken.whole >= timeout * 0.85)
            #expect(taken.own < timeout + factory.limits.grace, "\(taken)")
        }
    }

    @Test(arguments: LinkFactory.all)
    func `a waiting call can be cancelled`(_ factory: LinkFactory) async throws {
        try await withLink(factory, needs: .hover) { flying, rig in
            try await silence(rig, of: factory)
            let call = Task { try await flying.link.perform(.hover, within: .patient(seconds: 60)) }
            try await Task.sleep(for: .milliseconds(50))
            let taken = await Taken.by {
                call.cancel()
                await expect(.cancelled) { try await call.value }
            }
            #expect(taken.own < factory.limits.grace, "\(taken)")
        }
    }

    @Test(arguments: LinkFactory.all)
    func `closing ends a waiting call`(_ factory: LinkFactory) async throws {
        try await withLink(factory, needs: .hover) { flying, rig in
            try await silence(rig, of: factory)
            let (begins, begin) = AsyncStream<Void>.makeStream()
            let call = Task {
                begin.finish()
                return try await flying.link.perform(.hover, within: .patient(seconds: 60))
            }
            // The task may get to run late, and a call that begins on a closed link is none that waits.
            for await _ in begins {}
            try await Task.sleep(for: .milliseconds(50))
            let taken = await Taken.by {
                await flying.link.close()
                await expect(.closed) { try await call.value }
            }
            #expect(taken.own < factory.limits.farewell + factory.limits.grace, "\(taken)")
        }
    }

    @Test(arguments: LinkFactory.all)
    func `a call that is cancelled before it begins sends nothing`(_ factory: LinkFactory) async throws {
        try await withLink(factory, needs: .hover) { flying, rig in
            let before = await rig.commandsReceived?()
            let call = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await flying.link.perform(.hover, within: .patient(seconds: 60))
            }
            await expect(.cancelled) { try await call.value }
            #expect(await rig.commandsReceived?() == before)
        }
    }

    private func silence(_ rig: LinkRig, of factory: LinkFactory) async throws {
        guard let silence = rig.silenceVehicle else { try skip(factory, because: "its peer cannot be silenced") }
        try await silence()
    }

    private func setpoint(_ velocity: Vector3 = .zero) -> VelocitySetpoint {
        VelocitySetpoint(velocityMetresPerSecond: velocity, intendedAt: SystemMonotonicClock().now)
    }

    /// Expects one of these failures.
    private func expect<Value>(
        _ codes: LinkError.Code..., sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () async throws -> Value
    ) async {
        do {
            let value = try await body()
            Issue.record("expected \(codes), got \(value)", sourceLocation: sourceLocation)
        } catch let error as LinkError {
            #expect(codes.contains(error.code), "\(error)", sourceLocation: sourceLocation)
            #expect(!error.description.contains("\n"), sourceLocation: sourceLocation)
        } catch {
            Issue.record("expected \(codes), got \(error)", sourceLocation: sourceLocation)
        }
    }
}

extension Vector3 {
    fileprivate func distance(to other: Vector3) -> Double { (self - other).length }
}
