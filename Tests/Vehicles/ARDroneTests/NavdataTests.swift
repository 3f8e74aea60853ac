import Testing

@testable import ARDrone
@testable import ARDroneEmulator

/// Navigation data: the emulator's packets, which share no code with the decoder, and hostile ones.
@Suite("AR.Drone navigation data") struct ARDroneNavdataTests {
    /// A packet of a drone that flies, with all options.
    private static func whole(_ change: (inout EmulatedARDrone.Settings) -> Void = { _ in }) throws -> [UInt8] {
        var bench = FlightBench(change)
        bench.drone.receiveRequest()
        bench.drone.receive(Array("AT*CONFIG=1,\"general:navdata_options\",\"777060865\"\r".utf8))
        bench.drone.receive(Array("AT*CONFIG=2,\"general:navdata_demo\",\"FALSE\"\r".utf8))
        bench.drone.body.heading = 0.5
        bench.drone.advance(to: 1000.2)
        let packet = bench.drone.takePacket()
        return try #require(packet)
    }

    @Test func `every option is as long as in a real packet`() throws {
        #expect(try Self.whole().count == 2120)
    }

    @Test func `the values are those of the drone`() throws {
        let navdata = try Navdata(try Self.whole())
        let demo = try #require(navdata.demo)
        #expect(demo.control.state == .landed && demo.battery == 90 && demo.altitudeMillimetres == 0)
        #expect(abs((demo.yawDegrees ?? 0) - 28.648) < 0.01)
        #expect(navdata.status.contains([.watchdog, .commandAcknowledged]))
        #expect(!navdata.status.contains(.bootstrap) && !navdata.status.contains(.flying))
        let gps = try #require(navdata.gps)
        #expect(gps.hasFix && abs(gps.latitudeDegrees - 50.0755) < 1e-9 && abs(gps.longitudeDegrees - 14.4378) < 1e-9)
        #expect(gps.satellites == 9 && gps.isPlugged && gps.horizontalError == 2.5)
        let magnetometer = try #require(navdata.magnetometer)
        #expect(magnetometer.isCalibrated && abs((magnetometer.fusedDegrees ?? 0) - 28.648) < 0.01)
        #expect(navdata.pressure?.celsius == 21.5 && navdata.pressure?.pascals == 101_325)
        #expect(navdata.rawMeasures?.batteryMillivolts == 12_200 && navdata.wifiQuality == 90)
        #expect(navdata.physicalMeasures?.accelerations?.z == -1000)
        #expect(navdata.motors?.powers == [0, 0, 0, 0] && navdata.detection?.found.isEmpty == true)
        #expect(navdata.time?.seconds == 1000)
        #expect(navdata.unknownTags.isEmpty)
    }

    @Test func `unknown options are skipped by their size`() throws {
        let navdata = try Navdata(try Self.whole { $0.hasUnknownOptions = true })
        #expect(navdata.unknownTags == [28, 29] && navdata.demo != nil && navdata.gps != nil)
    }

    @Test func `a wrong checksum is refused`() throws {
        let bytes = try Self.whole { $0.hasWrongChecksum = true }
        #expect(throws: NavdataError.checksum) { try Navdata(bytes) }
    }

    @Test func `the later magic is read too, and no other`() throws {
        var bytes = try Self.whole()
        bytes[0] = 0x89
        bytes[bytes.count - 4] &+= 1
        #expect(try Navdata(bytes).demo != nil)
        bytes[0] = 0x8A
        #expect(throws: NavdataError.magic(0x5566_778A)) { try Navdata(bytes) }
    }

    @Test func `a packet that is cut anywhere is refused, and read nowhere beyond its end`() throws {
        let bytes = try Self.whole()
        for count in 0..<bytes.count { #expect(throws: NavdataError.self) { try Navdata(bytes.prefix(count)) } }
        #expect(throws: NavdataError.size(4097)) { try Navdata([UInt8](repeating: 0, count: 4097)) }
    }

    private func packet(_ options: (inout EmulatedPacket) -> Void) -> [UInt8] {
        var packet = EmulatedPacket()
        for word in [0x5566_7788, 0, 1, 0] as [UInt32] { packet.put(word) }
        options(&packet)
        return packet.finished(wrongly: false)
    }

    @Test(arguments: [0, 1, 3, 9, 0xFFFF] as [UInt16])
    func `an option with an impossible size ends the packet`(_ size: UInt16) {
        let bytes = packet { packet in
            packet.put(UInt16(0))
            packet.put(size)
        }
        // Of 9 bytes it would reach into the checksum, which then ends in the middle of it.
        #expect(throws: NavdataError.self) { try Navdata(bytes) }
    }

    @Test func `an option that is too short has what fits`() throws {
        let short = try Navdata(
            packet { packet in
                packet.option(0, 30) { $0.put(UInt32(42), at: 8) }
                packet.option(27, 12) { _ in }
                packet.option(22, 20) { _ in }
                packet.option(16, 8) { $0.put(UInt32.max, at: 4) }
            })
        #expect(short.demo?.battery == 42 && short.demo?.velocity == nil)
        #expect(short.gps == nil && short.magnetometer == nil && short.detection?.found.isEmpty == true)
    }

    @Test func `numbers that are none are no values`() throws {
        let navdata = try Navdata(
            packet { packet in
                packet.option(0, 148) { option in
                    option.put(Float.nan, at: 12)
                    option.put(Float.infinity, at: 28)
                }
                packet.option(27, 216) { $0.put(Double.nan, at: 4) }
            })
        #expect(navdata.demo?.pitchDegrees == nil && navdata.demo?.velocity == nil && navdata.gps == nil)
    }

    @Test func `a packet without options, as in the bootstrap, has the state alone`() throws {
        let navdata = try Navdata(packet { _ in })
        #expect(navdata.demo == nil && navdata.sequence == 1)
    }

    @Test func `states are said in words`() {
        #expect(ARDroneControlState(4 << 16).words == "hovering")
        #expect(ARDroneControlState(4 << 16 | 8).words == "hovering: ground lost")
        #expect(ARDroneControlState(3 << 16 | 99).words == "flying: minor state 99")
        #expect(ARDroneControlState(77 << 16).words == "state 77")
        let status: ARDroneStatus = [.batteryLow, .emergency]
        #expect(status.words == ["emergency: its motors are cut", "battery too low to take off"])
    }
}
