import Testing
import UAVLink
import Statistics
import UAVTestKit

@Suite struct `Fake clock` {
    @Test func `sleepers wake when their time has come`() async throws {
        let clock = FakeClock()
        let start = clock.now
        let sleeper = Task { try await clock.sleep(for: .seconds(60)) }
        #expect(await becomesTrue { clock.sleeperCount == 1 })
        clock.advance(by: .seconds(59))
        #expect(clock.sleeperCount == 1)
        clock.advance(by: .seconds(1))
        try await sleeper.value
        #expect(clock.now - start == .seconds(60))
        try await clock.sleep(for: .zero)
    }

    @Test func `a sleeper can be cancelled, before it sleeps too`() async {
        let clock = FakeClock()
        let sleeper = Task { try await clock.sleep(for: .seconds(60)) }
        #expect(await becomesTrue { clock.sleeperCount == 1 })
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
        let early = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await clock.sleep(for: .seconds(60))
        }
        await #expect(throws: CancellationError.self) { try await early.value }
        #expect(clock.sleeperCount == 0)
    }
}

@Suite struct `Fake link` {
    @Test func `a script says what becomes of commands`() async throws {
        let link = FakeLink()
        try await link.connect(within: .seconds(1))
        link.script(.reply(CommandReply(accepted: false, message: "no")), .fail(LinkError(.serviceMissing, "gone")))
        #expect(try await link.perform(.hover, within: .seconds(1)).message == "no")
        await #expect(throws: LinkError(.serviceMissing, "gone")) { try await link.perform(.land, within: .seconds(1)) }
        #expect(try await link.perform(.arm(true), within: .seconds(1)).accepted)
        #expect(link.commands == [.hover, .land, .arm(true)])
        await link.close()
    }

    @Test func `its time is the test's`() async throws {
        let clock = FakeClock()
        let link = FakeLink(clock: clock)
        try await link.connect(within: .seconds(1))
        link.script(.silence, .delay(.seconds(5)))
        let silent = Task { try await link.perform(.hover, within: .seconds(3600)) }
        #expect(await becomesTrue { clock.sleeperCount == 2 })
        clock.advance(by: .seconds(3600))
        let error = await #expect(throws: LinkError.self) { try await silent.value }
        #expect(error?.code == .timedOut)
        let slow = Task { try await link.perform(.hover, within: .seconds(6)) }
        #expect(await becomesTrue { clock.sleeperCount == 2 })
        clock.advance(by: .seconds(5))
        #expect(try await slow.value.roundTrip == .seconds(5))
        await link.close()
    }

    @Test func `it can refuse to connect and stop sending`() async throws {
        let link = FakeLink()
        link.failConnecting(with: LinkError(.unreachable, "no such host"))
        await #expect(throws: LinkError(.unreachable, "no such host")) { try await link.connect(within: .seconds(1)) }
        link.failConnecting(with: nil)
        try await link.connect(within: .seconds(1))
        link.setVehicleSilent(true)
        var telemetry = Telemetry(vehicle: "uav7")
        telemetry.heightAboveGroundMetres = Sample(3, at: MonotonicTime(nanoseconds: 1))
        link.publish(telemetry)
        #expect(link.latestTelemetry == telemetry)
        await link.close()
    }
}

@Suite struct `Seeded random` {
    @Test func `a seed repeats itself`() {
        // First outputs of the reference implementation for the seed 1234567.
        var random = SeededRandom(seed: 1_234_567)
        #expect(random.next() == 6_457_827_717_110_365_317)
        #expect(random.next() == 3_203_168_211_198_807_973)
        #expect(random.next() == 9_817_491_932_198_370_423)
    }
}
