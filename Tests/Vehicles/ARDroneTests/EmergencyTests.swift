import Testing
import UAVLink

@testable import ARDrone
@testable import ARDroneEmulator

/// The emergency bit: an edge, until the state shows it, and never one that starts what was stopped.
@Suite("AR.Drone emergency") struct ARDroneEmergencyTests {
    @Test func `it cuts the motors with one edge, and releases the bit`() {
        var bench = FlightBench()
        bench.fly()
        bench.forgetSent()
        let call = bench.perform(.emergencyLand)
        #expect(bench.arguments(of: "REF") == [FlightBench.landBits, FlightBench.emergencyBits])
        #expect(bench.drone.activity == .cut)
        #expect(bench.pass { $0.accepted(call) == true })
        bench.pass(.seconds(3))
        #expect(bench.drone.activity == .cut && bench.drone.height == 0)
        #expect(bench.drone.commands.filter { $0 == "emergency" || $0 == "clear" } == ["emergency"])
        #expect(bench.telemetry?.flight?.value.state == .emergency)
        #expect(bench.messages.contains("emergency: its motors are cut"))
        #expect(!bench.drone.emergencyBit)
    }

    @Test func `asked for while an emergency is about to be cleared, it is not cleared`() {
        var bench = FlightBench()
        bench.fly()
        bench.perform(.emergencyLand)
        bench.pass(.seconds(4))
        let clear = bench.perform(.takeoff)
        bench.pass(.milliseconds(40))
        let cut = bench.perform(.emergencyLand)
        #expect(bench.accepted(cut) == true && bench.accepted(clear) == false)
        bench.pass(.seconds(3))
        #expect(bench.drone.activity == .cut && !bench.drone.commands.contains("clear"))
    }

    @Test(arguments: [true, false])
    func `asked for when the edge that clears is on its way, the motors end cut, whether it arrives or is lost`(
        _ arrives: Bool
    ) {
        var bench = FlightBench()
        bench.fly()
        bench.perform(.emergencyLand)
        bench.pass(.seconds(4))
        (bench.isUpOpen, bench.isDownOpen) = (arrives, false)
        let clear = bench.perform(.takeoff)
        bench.pass(.milliseconds(150))
        #expect((bench.drone.activity == .landed) == arrives)
        bench.isUpOpen = true
        let cut = bench.perform(.emergencyLand)
        bench.isDownOpen = true
        #expect(bench.accepted(clear) == false)
        #expect(bench.pass { $0.accepted(cut) == true })
        bench.pass(.seconds(2))
        #expect(bench.drone.activity == .cut && bench.drone.commands.contains("clear") == arrives)
    }

    @Test func `asked for again it is not toggled back`() {
        var bench = FlightBench()
        bench.fly()
        bench.perform(.emergencyLand)
        bench.pass(.seconds(1))
        for _ in 0..<3 {
            let call = bench.perform(.emergencyLand)
            bench.pass(.milliseconds(300))
            #expect(bench.accepted(call) == true)
        }
        // And when nothing is heard any more.
        bench.isDownOpen = false
        bench.pass(.seconds(3))
        bench.perform(.emergencyLand)
        bench.pass(.seconds(3))
        #expect(bench.drone.activity == .cut)
        #expect(!bench.drone.commands.contains("clear"))
    }

    @Test func `while nothing is heard the bit is held, which toggles nothing twice`() {
        var bench = FlightBench()
        bench.fly()
        bench.isDownOpen = false
        bench.perform(.emergencyLand)
        bench.pass(.seconds(10))
        #expect(bench.drone.activity == .cut)
        #expect(bench.drone.commands.filter { $0 == "emergency" || $0 == "clear" } == ["emergency"])
        bench.isDownOpen = true
        bench.pass(.seconds(3))
        #expect(bench.drone.activity == .cut)
    }

    @Test func `a bit that the drone holds already is released and set again`() {
        var bench = FlightBench()
        bench.fly()
        bench.isUpOpen = false
        bench.perform(.emergencyLand)
        // What released the bit was lost.
        bench.drone.emergencyBit = true
        bench.isUpOpen = true
        #expect(bench.pass(within: .seconds(3)) { $0.drone.activity == .cut })
        bench.pass(.seconds(3))
        #expect(bench.drone.activity == .cut)
    }

    @Test func `it overrules a landing and a take-off, and a landing does not overrule it`() {
        var bench = FlightBench()
        bench.fly()
        let land = bench.perform(.land)
        bench.perform(.emergencyLand)
        #expect(bench.answers[land] != nil)
        let later = bench.perform(.land)
        #expect(bench.accepted(later) == false)
        #expect(bench.pass { $0.drone.activity == .cut })
    }

    @Test func `a take-off right after it is refused; later it clears the emergency, and nothing more`() {
        var bench = FlightBench()
        bench.fly()
        bench.perform(.emergencyLand)
        bench.pass(.milliseconds(500))
        let early = bench.perform(.takeoff)
        #expect(bench.accepted(early) == false && bench.drone.activity == .cut)
        bench.pass(.seconds(4))
        let clear = bench.perform(.takeoff)
        #expect(bench.pass { $0.answers[clear] != nil })
        #expect(bench.accepted(clear) == false && bench.words(clear)?.hasPrefix("the emergency is cleared") == true)
        bench.pass(.seconds(2))
        #expect(bench.drone.activity == .landed)
        #expect(bench.drone.commands.filter { $0 == "emergency" || $0 == "clear" } == ["emergency", "clear"])
        let takeOff = bench.perform(.takeoff)
        #expect(bench.pass { $0.accepted(takeOff) == true })
    }

    /// On the command line each take-off is a program of its own, which has not seen when the motors were cut.
    @Test
    func `a program that starts beside a drone in an emergency says what holds, and its first take-off clears it`() {
        var first = FlightBench()
        first.fly()
        first.perform(.emergencyLand)
        first.pass(.seconds(4))
        var second = FlightBench()
        second.drone = first.drone
        let open = second.open()
        #expect(second.pass { $0.openings[open] == .some(nil) })
        second.pass(.milliseconds(100))
        #expect(second.telemetry?.flight?.value.state == .emergency)
        #expect(second.telemetry?.flight?.value.isArmed == false)
        let found = "the AR.Drone was in an emergency already: a take-off only clears it, another one flies"
        #expect(second.messages.contains(found) && !second.messages.contains("default"))
        #expect(!second.messages.contains { $0.contains("hovers") })
        let hover = second.perform(.hover)
        #expect(second.pass { $0.words(hover) == "its motors are cut" && $0.accepted(hover) == false })
        let clear = second.perform(.takeoff)
        #expect(second.pass { $0.words(clear)?.hasPrefix("the emergency is cleared; take off again") == true })
        second.pass(.seconds(1))
        #expect(second.drone.activity == .landed && !second.core.flight.isFoundInEmergency)
        let takeOff = second.perform(.takeoff)
        #expect(second.pass { $0.accepted(takeOff) == true })
        // What it cuts itself it has seen: that is not cleared at once.
        #expect(second.pass { $0.drone.activity == .flying })
        second.perform(.emergencyLand)
        second.pass(.milliseconds(500))
        let early = second.perform(.takeoff)
        #expect(second.words(early) == "its motors were cut a moment ago: look at it first")
    }

    @Test func `steering is refused meanwhile`() {
        var bench = FlightBench()
        bench.fly()
        bench.steer(0)
        bench.steer(0.5, for: .milliseconds(100))
        bench.perform(.emergencyLand)
        bench.forgetSent()
        bench.steer(0, for: .milliseconds(100))
        bench.steer(0.5, for: .milliseconds(300))
        #expect(Set(bench.arguments(of: "PCMD")) == [FlightBench.hoverLine])
    }
}
