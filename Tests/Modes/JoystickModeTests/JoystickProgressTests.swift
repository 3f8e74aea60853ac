import JoystickMode
import Testing

/// The progress of take-off and landing.
extension JoystickTests {
    @Test func `while it takes off or lands no command is offered that would change nothing, and the height is shown`()
        async throws
    {
        let bench = try await JoystickBench(flying: false)
        bench.send(.takeOff, .answer(true))
        #expect(!bench.view.shown.hasTakeOff && !bench.view.shown.hasDisarming)
        #expect(bench.view.shown.advice == "once the vehicle flies, Enter takes control")
        var shown: Set<String> = []
        #expect(
            await bench.wait {
                if let underWay = bench.view.shown.underWay { shown.insert(underWay) }
                return bench.view.shown.underWay == nil
            })
        #expect(shown.contains { $0.hasPrefix("take-off: uav1: climbing, ") && $0.contains(" m") }, "\(shown)")
        #expect(await bench.wait { bench.view.shown.hasLanding })
        bench.send(.land)
        shown = []
        var offers: Set<Bool> = []
        #expect(
            await bench.wait {
                if let underWay = bench.view.shown.underWay { shown.insert(underWay) }
                // Another vehicle may have to land while one is waited for.
                if bench.view.shown.flight == "landing" { offers.insert(bench.view.shown.hasLanding) }
                return bench.view.shown.underWay == nil
            })
        #expect(offers == [false], "\(offers)")
        #expect(shown.contains { $0.hasPrefix("landing: uav1: descending, ") && $0.contains(" m") }, "\(shown)")
        await bench.end()
    }
}
