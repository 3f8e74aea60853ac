import Testing
import UAVLink

@testable import Tello

/// Datagrams of the drone's state.
@Suite("Tello state") struct TelloStateTests {
    private func read(_ text: String) -> TelloState? { TelloState(Array(text.utf8)) }

    @Test func `a line of the second edition is read`() throws {
        let state = try #require(
            read(
                "mid:-1;x:-100;y:-100;z:-100;mpry:-1,-1,-1;pitch:0;roll:-1;yaw:21;vgx:1;vgy:-2;vgz:3;templ:84;temph:87;"
                    + "tof:80;h:70;bat:100;baro:94.48;time:50;agx:-10.00;agy:16.00;agz:-999.00;\r\n"))
        #expect(state.pitch == 0 && state.roll == -1 && state.yaw == 21)
        #expect(state.speedX == 1 && state.speedY == -2 && state.speedZ == 3)
        #expect(state.rangeCentimetres == 80 && state.heightCentimetres == 70 && state.battery == 100)
        #expect(state.motorSeconds == 50 && state.highestTemperature == 87)
        #expect(state.pad == -1 && state.padX == -100 && state.padY == -100 && state.padZ == -100)
        #expect(state.padAngles == .init(pitch: -1, roll: -1, yaw: -1) && state.padInSight == nil)
        #expect(state.rangeMetres == 0.8 && state.heightMetres == 0.8)
    }

    @Test func `order, spaces, unknown keys and the tail do not matter`() {
        let plain = read("tof:10;bat:5;h:-10;")
        #expect(plain == read("bat: 5 ; colour:red;h:-10;tof:10"))
        #expect(plain == read(" h:-10;;tof:10.0;bat:5;new:1:2;\0"))
        #expect(plain?.heightCentimetres == -10)
    }

    @Test(arguments: [
        "", "ok", ";;;", ":::;", "mid:65;x:1001;", "mpry:1,2;", "mpry:1,2,3,4;", "mpry:1,2,361;", "mpry:;", "bat:101;",
        "bat:nan;", "bat:1e2;", "bat:;", "bat", "tof:-1;",
        "time:99999999999999999999999;", "vgx:+1;", "pitch:361;", "h:0x10;", "bat:--5;", "\u{1B}[2J",
    ])
    func `what is no value of a state is left out`(_ text: String) { #expect(read(text) == nil) }

    @Test func `hostile lines are bounded`() {
        // At the limit, and one past it.
        let filler = String(repeating: " ", count: TelloState.mostBytes - 7)
        #expect(read("bat:50;" + filler)?.battery == 50)
        #expect(read("bat:50;" + filler + " ") == nil)
        // Beyond so many pairs nothing is looked at.
        #expect(read(String(repeating: "a:1;", count: 63) + "bat:50;")?.battery == 50)
        #expect(read(String(repeating: "a:1;", count: 64) + "bat:50;") == nil)
        #expect(TelloState([UInt8](repeating: 0xFF, count: 500)) == nil)
        #expect(TelloState(Array("bat:50;".utf8) + [0xFF, 0xFE, 0x3A, 0x31])?.battery == 50)
    }

    @Test func `without the range finder the barometer counts`() {
        #expect(read("tof:6553;h:120;")?.heightMetres == 1.2)
        #expect(read("tof:0;h:120;")?.rangeMetres == nil)
        #expect(read("tof:10;h:120;")?.heightMetres == 0.1)
    }

    @Test func `telemetry is in metres, with y to the left and z up`() throws {
        var telemetry = Telemetry(vehicle: "t1")
        let now = MonotonicTime(nanoseconds: 5)
        telemetry.take(try #require(read("vgx:5;vgy:3;vgz:-2;tof:80;h:60;bat:40;")), at: now)
        #expect(telemetry.velocityMetresPerSecond?.value == Vector3(x: 0.5, y: -0.3, z: 0.2))
        #expect(telemetry.heightAboveGroundMetres?.value == 0.8 && telemetry.rangeFinderMetres?.value == 0.8)
        #expect(telemetry.battery?.value == Battery(remaining: 0.4))
        #expect(telemetry.pose == nil && telemetry.gnss == nil && telemetry.rejected.count == 0)
        // Over a place from which nothing comes back the last distance is not kept.
        telemetry.take(try #require(read("tof:6553;h:60;")), at: now)
        #expect(telemetry.rangeFinderMetres == nil && telemetry.heightAboveGroundMetres?.value == 0.6)
    }

    @Test func `the attitude of the state is in telemetry, with the yaw counter-clockwise`() {
        var telemetry = Telemetry(vehicle: "t1")
        let now = MonotonicTime(nanoseconds: 1)
        guard let state = TelloState(Array("pitch:-4;roll:3;yaw:90;bat:87;".utf8)) else {
            Issue.record("no state")
            return
        }
        telemetry.take(state, at: now)
        #expect(telemetry.attitude?.value.text == "roll 3°, pitch -4°, yaw -90°")
        // Without all three there is none, and the one before keeps its age.
        guard let partial = TelloState(Array("pitch:5;bat:87;".utf8)) else {
            Issue.record("no state")
            return
        }
        telemetry.take(partial, at: MonotonicTime(nanoseconds: 2))
        #expect(telemetry.attitude?.at == now)
    }

    @Test func `temperature and motor time are readings, and a state without them keeps the old ones with their age`() {
        var telemetry = Telemetry(vehicle: "t1")
        let now = MonotonicTime(nanoseconds: 1)
        for (number, text) in ["templ:61;temph:63;time:12;bat:87;", "bat:86;"].enumerated() {
            guard let state = TelloState(Array(text.utf8)) else {
                Issue.record("no state")
                return
            }
            telemetry.take(state, at: now + .milliseconds(100 * number))
        }
        #expect(
            telemetry.readings
                == Sample(
                    [
                        Reading("temperature", 63, unit: "°C"), Reading("motors ran", 12, unit: "s"),
                    ], at: now))
    }
}
