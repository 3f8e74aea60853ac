import Testing
import UAVLink

@testable import ARDrone

/// Commands to the byte, and their sequence.
@Suite("AR.Drone commands") struct ARDroneCommandTests {
    @Test(
        arguments: [
            (0.05, 1_028_443_341), (0.1, 1_036_831_949), (-0.1, -1_110_651_699), (0.2, 1_045_220_557),
            (-0.2, -1_102_263_091), (0.5, 1_056_964_608), (-0.5, -1_090_519_040), (0.75, 1_061_158_912),
            (0.01, 1_008_981_770), (1, 1_065_353_216), (-1, -1_082_130_432), (2, 1_073_741_824), (-0.0, 0), (.nan, 0),
            (.infinity, 0), (1e300, 0),
        ] as [(Double, Int32)])
    func `a number is sent as the bits of a single`(_ value: Double, _ bits: Int32) {
        #expect(ATFloat.bits(value) == bits)
    }

    @Test(
        arguments: [
            (.reference(.takeOff), "AT*REF=7,290718208\r"), (.reference(.land), "AT*REF=7,290717696\r"),
            (.reference(.toggleEmergency), "AT*REF=7,290717952\r"), (.progressive(nil), "AT*PCMD=7,0,0,0,0,0\r"),
            (
                .progressive(ATSticks(roll: 0.1, pitch: -0.2, climb: 0.5, yaw: -1)),
                "AT*PCMD=7,1,1036831949,-1102263091,1056964608,-1082130432\r"
            ),
            (
                .absolute(ATSticks(roll: 0, pitch: 0, climb: 0, yaw: 0), heading: 0.5, accuracy: 0.05),
                "AT*PCMD_MAG=7,5,0,0,0,0,1056964608,1028443341\r"
            ),
            (
                .configuration(key: "general:navdata_demo", value: "FALSE"),
                "AT*CONFIG=7,\"general:navdata_demo\",\"FALSE\"\r"
            ),
            (
                .configurationIDs(session: "0123abcd", user: "00000000", application: "FFFFFFFF"),
                "AT*CONFIG_IDS=7,\"0123abcd\",\"00000000\",\"FFFFFFFF\"\r"
            ),
            (.resetWatchdog, "AT*COMWDG=7\r"), (.control(.sendConfiguration), "AT*CTRL=7,4,0\r"),
            (.control(.clearAcknowledgement), "AT*CTRL=7,5,0\r"), (.control(.listIDs), "AT*CTRL=7,6,0\r"),
            (.flatTrim, "AT*FTRIM=7\r"), (.calibrate(device: 0), "AT*CALIB=7,0\r"),
            (.animate(id: 16, milliseconds: 15), "AT*ANIM=7,16,15\r"),
            (.lights(id: 3, hertz: 2, seconds: 5), "AT*LED=7,3,1073741824,5\r"),
        ] as [(ATCommand, String)])
    func `a command is written to the byte`(_ command: ATCommand, _ line: String) {
        #expect(command.line(7) == line)
        #expect(command.isWellFormed)
    }

    @Test(
        arguments: [
            .configuration(key: "a:b", value: "x\"y"), .configuration(key: "a:b", value: "x\rAT*REF=9,290718208"),
            .configuration(key: "", value: "x"), .configuration(key: "a:b", value: String(repeating: "x", count: 1024)),
            .configurationIDs(session: "1", user: "00000000", application: "00000000"),
            .configurationIDs(session: "0123456g", user: "00000000", application: "00000000"), .calibrate(device: 1),
            .animate(id: 20, milliseconds: 15), .lights(id: 21, hertz: 1, seconds: 0),
            .lights(id: 1, hertz: .nan, seconds: 0),
        ] as [ATCommand])
    func `what could be taken for something else is not sent, and takes no number`(_ command: ATCommand) {
        #expect(!command.isWellFormed)
        var sequence = ATSequence()
        #expect(sequence.datagrams(of: [command]).isEmpty)
        #expect(sequence.next == 1)
    }

    @Test func `a stick is at most at its end, and 0 if it is no number`() {
        let sticks = ATSticks(roll: 7, pitch: -7, climb: .nan, yaw: -.infinity)
        #expect(sticks == ATSticks(roll: 1, pitch: -1, climb: 0, yaw: 0))
    }

    @Test func `one counter numbers all commands, from 1, and can begin again`() {
        var sequence = ATSequence()
        let first = sequence.datagrams(of: [.resetWatchdog, .progressive(nil)])
        #expect(first == [Array("AT*COMWDG=1\rAT*PCMD=2,0,0,0,0,0\r".utf8)])
        #expect(sequence.datagrams(of: [.flatTrim]) == [Array("AT*FTRIM=3\r".utf8)])
        sequence.restart()
        #expect(sequence.datagrams(of: [.flatTrim]) == [Array("AT*FTRIM=1\r".utf8)])
    }

    @Test func `no datagram is longer than the drone reads, and identifiers stay before their configuration`() {
        var sequence = ATSequence()
        let ids = ATCommand.configurationIDs(session: "00000001", user: "00000002", application: "00000003")
        let commands = (0..<40).flatMap { index -> [ATCommand] in
            [ids, .configuration(key: "control:key\(index)", value: String(repeating: "v", count: index * 7))]
        }
        let datagrams = sequence.datagrams(of: commands)
        #expect(datagrams.count > 5)
        for datagram in datagrams {
            #expect(datagram.count <= 1024 && datagram.last == 0x0D)
            let names = String(decoding: datagram, as: UTF8.self).split(separator: "\r").map { $0.prefix { $0 != "=" } }
            #expect(names.count.isMultiple(of: 2))
            for (index, name) in names.enumerated() {
                #expect(name == (index.isMultiple(of: 2) ? "AT*CONFIG_IDS" : "AT*CONFIG"))
            }
        }
        let text = String(decoding: datagrams.joined(), as: UTF8.self)
        let numbers = text.split(separator: "\r").map { $0.split(separator: "=")[1].split(separator: ",")[0] }
        #expect(numbers.map(String.init) == (1...80).map(String.init))
    }

    @Test func `forward is nose down, left is a negative roll, and a turn to the left a negative yaw`() {
        let setpoint = VelocitySetpoint(
            velocityMetresPerSecond: Vector3(x: 1, y: 0.5, z: 0.35), headingRateRadiansPerSecond: 0.8725, frame: .body,
            intendedAt: MonotonicTime(nanoseconds: 0))
        let sticks = ATSticks(setpoint, full: .arDrone)
        #expect(abs(sticks.pitch + 0.5) < 1e-9 && abs(sticks.roll + 0.25) < 1e-9)
        #expect(abs(sticks.climb - 0.5) < 1e-9 && abs(sticks.yaw + 0.5) < 1e-9)
    }
}
