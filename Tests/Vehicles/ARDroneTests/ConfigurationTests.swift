import Testing
import UAVLink

@testable import ARDrone
@testable import ARDroneEmulator

/// The configuration is read back although questions, and connections, are lost.
@Suite("AR.Drone configuration") struct ARDroneConfigurationTests {
    private static let complaint = "the configuration could not be read back (TCP port 5559)"

    private func questions(_ bench: FlightBench) -> Int { bench.arguments(of: "CTRL").count { $0 == "4,0" } }

    @Test func `a question that is lost is sent again on the same connection`() {
        var bench = FlightBench()
        bench.lostQuestions = 2
        bench.open()
        #expect(bench.pass(within: .seconds(20)) { $0.core.configurator.isDone && $0.core.phase == .open })
        #expect(bench.core.configurator.known["general:num_version_soft"] == "2.4.8")
        #expect(questions(bench) == 3 && !bench.messages.contains(Self.complaint))
    }

    @Test func `after three that are lost it says so`() {
        var bench = FlightBench()
        bench.lostQuestions = 3
        bench.open()
        #expect(bench.pass(within: .seconds(20)) { $0.core.configurator.isDone && $0.core.phase == .open })
        bench.pass(.milliseconds(100))
        #expect(questions(bench) == 3 && bench.messages.contains(Self.complaint))
    }

    @Test func `a connection that breaks after the question is asked on anew`() {
        var bench = FlightBench()
        bench.lostQuestions = 1
        bench.open()
        #expect(bench.pass(within: .seconds(20)) { $0.lostQuestions == 0 })
        bench.isControlOpen = false
        bench.pass(.milliseconds(50))
        bench.isControlOpen = true
        bench.pass(.milliseconds(50))
        #expect(bench.core.configurator.isDone && !bench.core.configurator.known.isEmpty)
        #expect(questions(bench) == 2)
    }
}
