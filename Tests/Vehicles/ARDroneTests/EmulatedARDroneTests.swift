import Testing
import UAVLink

@testable import ARDroneEmulator

/// The emulated drone by what a foreign client sends.
@Suite("Emulated AR.Drone") struct EmulatedARDroneTests {
    private struct Bench {
        var drone = EmulatedARDrone(now: 100)
        var now = 100.0
        var sequence = 0

        mutating func say(_ line: String) { drone.receive(Array(line.utf8)) }

        /// A command with the next number.
        mutating func command(_ name: String, _ arguments: String = "") {
            sequence += 1
            say("AT*\(name)=\(sequence)\(arguments.isEmpty ? "" : ",")\(arguments)\r")
        }

        mutating func pass(_ seconds: Double, talking: Bool = false) {
            let end = now + seconds
            while now < end {
                now += 0.01
                if talking { command("PCMD", "0,0,0,0,0") }
                drone.advance(to: now)
            }
        }

        mutating func takeOff() {
            command("REF", "512")
            pass(4, talking: true)
        }
    }

    @Test func `its watchdog is set after 50 ms of silence, and cleared by its command only`() {
        var bench = Bench()
        bench.command("COMWDG")
        bench.pass(0.04)
        #expect(!bench.drone.isWatchdogSet)
        bench.pass(0.03)
        #expect(bench.drone.isWatchdogSet)
        bench.command("PCMD", "0,0,0,0,0")
        #expect(bench.drone.isWatchdogSet)
        bench.command("COMWDG")
        #expect(!bench.drone.isWatchdogSet)
    }

    @Test func `it flies on by the last sticks for 2 s, then hovers, then lands`() {
        var bench = Bench()
        bench.takeOff()
        #expect(bench.drone.activity == .flying)
        bench.command("PCMD", "1,0,-1090519040,0,0")
        bench.pass(1.9)
        #expect(bench.drone.sticks == [0, -0.5, 0, 0] && bench.drone.place.north > 1)
        bench.pass(0.2)
        #expect(bench.drone.sticks == nil && bench.drone.isLost)
        bench.pass(1.5)
        #expect(bench.drone.activity == .flying)
        bench.pass(5)
        #expect(bench.drone.activity == .landed)
    }

    @Test func `requests for navigation data postpone neither its hover nor the end of its stream`() {
        var bench = Bench()
        bench.drone.receiveRequest()
        bench.command("CONFIG", "\"general:navdata_demo\",\"TRUE\"")
        bench.takeOff()
        bench.command("PCMD", "1,0,-1090519040,0,0")
        for _ in 0..<18 {
            bench.drone.receiveRequest()
            bench.pass(0.1)
        }
        #expect(bench.drone.sticks != nil && bench.drone.stream == .whole)
        bench.pass(0.25)
        #expect(bench.drone.sticks == nil && bench.drone.isLost && bench.drone.stream == .none)
        // It begins anew, and is not flown by that.
        bench.drone.receiveRequest()
        bench.pass(0.1)
        #expect(bench.drone.stream == .bootstrap && bench.drone.sticks == nil)
    }

    @Test func `numbers must rise, but for 1`() {
        var bench = Bench()
        bench.say("AT*FTRIM=5\r")
        bench.say("AT*FTRIM=5\rAT*FTRIM=4\r")
        #expect(bench.drone.obeyed == 1 && bench.drone.refused == 2)
        bench.say("AT*FTRIM=1\rAT*FTRIM=2\r")
        #expect(bench.drone.obeyed == 3)
        bench.pass(2.1)
        bench.say("AT*FTRIM=2\r")
        #expect(bench.drone.obeyed == 4)
    }

    @Test func `CR, LF and both end a line; longer datagrams and what is malformed are dropped`() {
        var bench = Bench()
        bench.say("AT*FTRIM=1\nAT*FTRIM=2\r\nAT*FTRIM=3\r")
        #expect(bench.drone.obeyed == 3)
        bench.say("AT*FTRIM=4" + String(repeating: "\r", count: 1024))
        for line in ["", "\r", "AT*\r", "AT*REF=\r", "AT*REF=x,512\r", "REF=9,512\r", "AT*REF=9\r", "AT*=10,1\r"] {
            bench.say(line)
        }
        #expect(bench.drone.activity == .landed && bench.drone.commands == ["trim", "trim", "trim"])
    }

    @Test func `take-off and landing are levels, emergency is an edge`() {
        var bench = Bench()
        bench.takeOff()
        for _ in 0..<5 { bench.command("REF", "512") }
        #expect(bench.drone.commands == ["takeoff"])
        bench.command("REF", "256")
        bench.command("REF", "256")
        #expect(bench.drone.activity == .cut && bench.drone.commands == ["takeoff", "emergency"])
        bench.command("REF", "512")
        #expect(bench.drone.activity == .cut)
        bench.pass(2, talking: true)
        bench.command("REF", "256")
        #expect(bench.drone.activity == .landed)
        bench.command("REF", "256")
        #expect(bench.drone.activity == .landed)
    }

    @Test func `it sends its state until the stream is configured, at 15 and 200 packets a second`() {
        var bench = Bench()
        #expect(bench.drone.takePacket() == nil)
        bench.drone.receiveRequest()
        bench.pass(0.01)
        #expect(bench.drone.takePacket()?.count == 24)
        bench.command("CONFIG", "\"general:navdata_demo\",\"TRUE\"")
        var sizes: [Int] = []
        for _ in 0..<100 {
            bench.pass(0.01, talking: true)
            if let packet = bench.drone.takePacket() { sizes.append(packet.count) }
        }
        #expect((14...16).contains(sizes.count) && Set(sizes) == [16 + 148 + 328 + 8])
        #expect(bench.drone.status & 1 << 6 != 0)
        bench.command("CTRL", "5,0")
        #expect(bench.drone.status & 1 << 6 == 0)
        bench.pass(3)
        #expect(bench.drone.stream == .none)
    }

    @Test func `limits and ceiling are those of its configuration`() {
        var bench = Bench()
        bench.command("CONFIG", "\"control:altitude_max\",\"1600\"")
        bench.takeOff()
        for _ in 0..<600 {
            bench.command("PCMD", "1,0,0,1065353216,0")
            bench.pass(0.01)
        }
        #expect(bench.drone.height > 1.4 && bench.drone.height < 1.7)
        bench.command("CONFIG", "\"control:outdoor\",\"TRUE\"")
        #expect(bench.drone.configuration.values["control:control_vz_max"] == "1.0000000e+03")
    }

    @Test func `hostile numbers end nothing`() {
        var bench = Bench()
        bench.drone.receiveRequest()
        for value in ["1e300", "nan", "-inf", "9999999999999999999999", "{", ""] {
            for key in [
                "general:navdata_options", "control:altitude_max", "control:control_vz_max", "general:com_watchdog",
            ] {
                bench.command("CONFIG", "\"\(key)\",\"\(value)\"")
            }
        }
        bench.command("CONFIG", "\"general:navdata_demo\",\"FALSE\"")
        bench.takeOff()
        bench.command("PCMD", "1,2147483647,-2147483648,2139095040,-1")
        bench.command("CTRL", "99999999999,0")
        bench.command("LED", "-1,-1,-1")
        bench.pass(1, talking: true)
        #expect(bench.drone.takePacket() != nil)
    }

    @Test func `trim in flight and calibration on the ground are refused`() {
        var bench = Bench()
        bench.command("CALIB", "0")
        bench.takeOff()
        bench.command("FTRIM")
        bench.command("CALIB", "0")
        bench.command("ANIM", "16,15")
        #expect(
            bench.drone.commands == [
                "calibration refused on the ground", "takeoff", "trim refused in flight", "calibrate", "animation 16",
            ])
    }
}
