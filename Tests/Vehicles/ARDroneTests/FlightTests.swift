import Testing
import UAVLink

@testable import ARDrone
@testable import ARDroneEmulator

/// The client against the emulated drone, in virtual time.
@Suite("AR.Drone flights") struct ARDroneFlightTests {
    @Test func `it opens from the bootstrap to the full stream, and sets and verifies its configuration`() {
        var bench = FlightBench()
        let call = bench.open()
        #expect(bench.pass { $0.openings[call] != nil })
        #expect(bench.openings[call] == .some(nil))
        #expect(bench.pass { $0.core.configurator.isDone })
        let known = bench.core.configurator.known
        #expect(known["general:navdata_demo"] == "FALSE" && known["general:navdata_options"] == "777060865")
        #expect(known["control:control_vz_max"] == "700" && known["general:num_version_soft"] == "2.4.8")
        #expect(bench.arguments(of: "CTRL").contains("4,0") && bench.arguments(of: "CTRL").contains("5,0"))
        // Each of the five once, one at a time.
        #expect(bench.arguments(of: "CONFIG").count == 5)
        #expect(bench.messages.filter { $0.contains("although") || $0.contains("acknowledged") } == [])
        #expect(bench.telemetry?.flight?.value.state == .disarmed)
        #expect(bench.telemetry?.battery?.value.remaining == 0.89 || bench.telemetry?.battery?.value.remaining == 0.9)
        #expect(bench.telemetry?.gnss?.value.quality == .fix)
    }

    @Test func `nothing is sent before its state was heard`() {
        var bench = FlightBench()
        bench.isDownOpen = false
        let call = bench.open(within: .seconds(2))
        bench.pass(.seconds(3))
        #expect(bench.sent == [] && bench.requests > 5)
        #expect(bench.openings[call]??.code == .unreachable)
    }

    @Test func `it takes off, is steered forward, hovers and lands`() {
        var bench = FlightBench()
        bench.fly()
        #expect(bench.drone.commands.contains("trim") && bench.drone.commands.last == "takeoff")
        #expect(bench.drone.height > 0.6)
        // Neutral first.
        bench.steer(0.5)
        bench.pass(.milliseconds(100))
        #expect(bench.drone.sticks == nil)
        bench.steer(0)
        bench.steer(0.5, for: .seconds(2))
        #expect(bench.drone.place.north > 1 && abs(bench.drone.place.east) < 0.1)
        #expect((bench.telemetry?.velocityMetresPerSecond?.value.y ?? 0) > 0.8)
        let hover = bench.perform(.hover)
        #expect(bench.drone.sticks == nil)
        #expect(bench.pass { $0.answers[hover] != nil } && bench.accepted(hover) == true)
        let land = bench.perform(.land)
        #expect(bench.pass { $0.accepted(land) == true })
        #expect(bench.pass { $0.drone.activity == .landed })
        bench.pass(.milliseconds(200))
        #expect(bench.telemetry?.flight?.value.state == .disarmed)
        let again = bench.perform(.land)
        #expect(bench.words(again) == "the AR.Drone stands on the ground" && bench.accepted(again) == false)
    }

    @Test func `the control loop is never silent for as long as the watchdog waits`() {
        var bench = FlightBench()
        bench.fly()
        bench.forgetSent()
        bench.steer(0)
        bench.steer(0.3, for: .seconds(3))
        bench.pass(.seconds(3))
        let gaps = zip(bench.sentAt.dropFirst(), bench.sentAt).map { $0 - $1 }
        #expect(gaps.count > 180)
        #expect((gaps.max() ?? .zero) < .milliseconds(50))
        #expect(!bench.drone.isWatchdogSet)
    }

    @Test func `setpoints that stop are followed by a hover at once, and steering begins neutral again`() {
        var bench = FlightBench()
        bench.fly()
        bench.steer(0)
        bench.steer(0.5, for: .seconds(1))
        bench.forgetSent()
        bench.pass(.milliseconds(210))
        #expect(bench.arguments(of: "PCMD").last == FlightBench.hoverLine && bench.drone.sticks == nil)
        bench.steer(0.5, for: .milliseconds(200))
        #expect(bench.drone.sticks == nil)
    }

    @Test func `nothing in the air or on the ground is landed or started by what is sent all the time`() {
        var bench = FlightBench()
        bench.fly()
        bench.forgetSent()
        bench.pass(.seconds(2))
        #expect(bench.arguments(of: "REF") == [])
        // It lands by itself.
        bench.drone.land()
        #expect(bench.pass { $0.core.flight.state == .disarmed })
        bench.pass(.seconds(2))
        #expect(bench.drone.activity == .landed && bench.arguments(of: "REF") == [])
    }

    @Test func `a client that starts beside a flying drone lets it hover, and neither lands nor limits it`() {
        var bench = FlightBench()
        bench.fly()
        let drone = bench.drone
        var second = FlightBench()
        second.drone = drone
        let call = second.open()
        #expect(second.pass { $0.openings[call] == .some(nil) })
        second.pass(.seconds(4))
        #expect(second.drone.activity == .flying && second.drone.sticks == nil)
        #expect(second.arguments(of: "REF") == [])
        #expect(!second.sent.contains { $0.contains("control:") })
        #expect(second.messages.contains("the AR.Drone was in the air already: it hovers"))
        let land = second.perform(.land)
        #expect(second.pass { $0.accepted(land) == true })
    }

    @Test func `a counter of another program that is ahead is reset`() {
        var bench = FlightBench()
        bench.open()
        #expect(bench.pass { $0.core.phase == .open })
        bench.drone.lastSequence = 4_000_000
        bench.pass(.seconds(1))
        #expect(bench.drone.lastSequence < 1000 && !bench.drone.isWatchdogSet)
    }

    @Test func `a take-off that has no effect is given up, and not begun later`() {
        var bench = FlightBench { $0.ignoresTakeOff = true }
        bench.open()
        #expect(bench.pass { $0.core.phase == .open })
        let call = bench.perform(.takeoff)
        #expect(bench.pass { $0.failure(call)?.code == .timedOut })
        bench.drone.settings.ignoresTakeOff = false
        bench.pass(.seconds(2))
        #expect(bench.drone.activity == .landed)
    }

    @Test func `a low battery is a refusal in words`() {
        var bench = FlightBench { $0.battery = 15 }
        bench.open()
        #expect(bench.pass { $0.core.phase == .open })
        let call = bench.perform(.takeoff)
        #expect(bench.words(call) == "its battery is too low to take off")
        bench.pass(.milliseconds(100))
        #expect(bench.messages.contains("battery too low to take off"))
        #expect(bench.arguments(of: "REF") == [])
    }

    @Test func `hover and land end a take-off that has not begun`() {
        var bench = FlightBench { $0.ignoresTakeOff = true }
        bench.open()
        #expect(bench.pass { $0.core.phase == .open })
        let takeOff = bench.perform(.takeoff)
        bench.pass(.milliseconds(100))
        bench.perform(.hover)
        #expect(bench.accepted(takeOff) == false)
        bench.drone.settings.ignoresTakeOff = false
        bench.pass(.seconds(1))
        #expect(bench.drone.activity == .landed)
    }

    @Test func `a landing is sent until it shows, whatever is lost`() {
        var bench = FlightBench()
        bench.fly()
        bench.isUpOpen = false
        let land = bench.perform(.land)
        bench.pass(.seconds(1))
        #expect(bench.answers[land] == nil)
        bench.isUpOpen = true
        #expect(bench.pass { $0.accepted(land) == true })
        #expect(bench.pass { $0.core.flight.state == .disarmed && $0.core.landing == nil })
        let hover = bench.perform(.hover)
        bench.pass(.milliseconds(300))
        #expect(bench.accepted(hover) == false && bench.words(hover) == "the AR.Drone stands on the ground")
    }

    @Test func `a hover does not stop a landing, and says so`() {
        var bench = FlightBench()
        bench.fly()
        bench.perform(.land)
        bench.pass(.milliseconds(200))
        let hover = bench.perform(.hover)
        #expect(bench.accepted(hover) == false)
        #expect(bench.pass { $0.drone.activity == .landed })
    }

    @Test func `navigation data that stops ends steering at once, and is asked for again`() {
        var bench = FlightBench()
        bench.fly()
        bench.steer(0)
        bench.steer(0.5, for: .milliseconds(500))
        bench.isDownOpen = false
        let before = bench.requests
        bench.steer(0.5, for: .seconds(2))
        #expect(bench.drone.sticks == nil && bench.requests > before)
        #expect(!bench.core.isConnected(now: bench.now))
        bench.isDownOpen = true
        bench.pass(.milliseconds(500))
        #expect(bench.core.isConnected(now: bench.now) && bench.drone.activity == .flying)
    }

    @Test func `out of reach the drone hovers by itself, and back in reach it is not landed`() {
        var bench = FlightBench { $0.landsWhenLost = false }
        bench.fly()
        bench.steer(0)
        bench.steer(0.5, for: .milliseconds(500))
        (bench.isUpOpen, bench.isDownOpen) = (false, false)
        bench.pass(.seconds(5))
        #expect(bench.drone.isLost && bench.drone.sticks == nil && bench.drone.stream == .none)
        (bench.isUpOpen, bench.isDownOpen) = (true, true)
        #expect(bench.pass { $0.core.isConnected(now: $0.now) && $0.drone.stream == .whole })
        bench.pass(.seconds(1))
        #expect(bench.drone.activity == .flying && !bench.drone.isWatchdogSet)
    }

    @Test func `a program that hangs leaves the drone hovering to its own failsafe`() {
        var bench = FlightBench()
        bench.fly()
        bench.steer(0)
        bench.steer(0.5, for: .milliseconds(200))
        bench.isUsed = false
        bench.pass(.seconds(4))
        bench.forgetSent()
        bench.pass(.seconds(1))
        #expect(bench.sent == [] && bench.drone.sticks == nil)
        #expect(bench.pass { $0.drone.activity == .landed })
    }

    @Test func `closing makes it hover`() {
        var bench = FlightBench()
        bench.fly()
        bench.steer(0)
        bench.steer(0.5, for: .milliseconds(200))
        bench.core.close(now: bench.now)
        bench.pass(.milliseconds(5))
        #expect(bench.drone.sticks == nil && bench.drone.activity == .flying)
    }

    @Test func `a configuration that is not applied is set again, and then said`() {
        var bench = FlightBench { $0.forgetsConfiguration = true }
        bench.open()
        #expect(bench.pass(within: .seconds(20)) { $0.core.configurator.isDone && $0.core.phase == .open })
        bench.pass(.milliseconds(100))
        #expect(bench.messages.contains("general:navdata_options is 65537, although 777060865 was set"))
        #expect(bench.arguments(of: "CONFIG").count > 5)
    }

    @Test func `a drone that acknowledges nothing does not open, and the error says so`() {
        var bench = FlightBench { $0.dropsConfiguration = true }
        let call = bench.open(within: .seconds(5))
        bench.pass(.seconds(6))
        #expect(bench.openings[call]??.code == .timedOut)
    }

    @Test func `without the control channel it flies, and says that nothing was verified`() {
        var bench = FlightBench()
        bench.isControlOpen = false
        bench.open()
        #expect(bench.pass(within: .seconds(20)) { $0.core.phase == .open && $0.core.configurator.isDone })
        bench.pass(.milliseconds(100))
        #expect(bench.messages.contains { $0.contains("could not be read back") })
    }

    @Test func `packets that are damaged or late change nothing`() {
        var bench = FlightBench { $0.hasWrongChecksum = true }
        let call = bench.open(within: .seconds(2))
        bench.pass(.seconds(3))
        #expect(bench.openings[call]??.code == .unreachable && bench.core.statistics.unread > 10)
        var other = FlightBench()
        other.fly()
        let old = other.drone.navdataSequence
        other.drone.navdataSequence = 1
        other.pass(.milliseconds(20))
        #expect(other.core.statistics.late > 0 && old > 1)
        // Many of them are no late ones: the drone counts from 1 again.
        other.pass(.milliseconds(400))
        #expect(other.core.flight.isHeard(now: other.now) && other.core.statistics.late < 8)
    }

    @Test func `a landing right after a take-off lands the drone, although it does not show yet that it rises`() {
        var bench = FlightBench()
        bench.open()
        #expect(bench.pass { $0.core.phase == .open })
        bench.isDownOpen = false
        bench.perform(.takeoff)
        #expect(bench.drone.activity != .landed)
        // Lost, as the first ones of the landing.
        bench.isUpOpen = false
        let land = bench.perform(.land)
        bench.pass(.milliseconds(100))
        (bench.isUpOpen, bench.isDownOpen) = (true, true)
        #expect(bench.pass { $0.accepted(land) == true })
        #expect(bench.pass { $0.drone.activity == .landed })
    }
}
