import Testing
import UAVLink

@testable import Tello

/// The text of commands, their ranges, and the texts of replies.
@Suite("Tello protocol") struct TelloProtocolTests {
    @Test(arguments: [
        (TelloCommand.command, "command"), (.takeoff, "takeoff"), (.land, "land"), (.emergency, "emergency"),
        (.stop, "stop"), (.move(.forward, centimetres: 100), "forward 100"),
        (.turn(clockwise: true, degrees: 90), "cw 90"),
        (.turn(clockwise: false, degrees: 1), "ccw 1"), (.go(x: 100, y: -50, z: 20, speed: 50), "go 100 -50 20 50"),
        (.sticks(TelloSticks(right: 1, forward: -2, up: 3, clockwise: -4)), "rc 1 -2 3 -4"),
        (.read(.battery), "battery?"), (.read(.version), "sdk?"), (.read(.serial), "sn?"),
    ])
    func `a command is the text of the document`(_ command: TelloCommand, _ text: String) {
        #expect(command.text == text)
        #expect(command.bytes == Array(text.utf8))
    }

    @Test(arguments: [
        TelloCommand.move(.up, centimetres: 20), .move(.down, centimetres: 500), .turn(clockwise: true, degrees: 1),
        .turn(clockwise: false, degrees: 360), .go(x: 21, y: 0, z: 0, speed: 10),
        .go(x: -500, y: 500, z: -500, speed: 100),
        .sticks(TelloSticks(right: -100, forward: 100, up: -100, clockwise: 100)), .stop,
    ])
    func `what is at a limit is sent`(_ command: TelloCommand) {
        #expect(throws: Never.self) { try command.validate(for: .sdk20) }
    }

    @Test(arguments: [
        TelloCommand.move(.up, centimetres: 19), .move(.down, centimetres: 501), .turn(clockwise: true, degrees: 0),
        .turn(clockwise: false, degrees: 361), .go(x: 20, y: -20, z: 20, speed: 50), .go(x: 501, y: 0, z: 0, speed: 50),
        .go(x: 0, y: -501, z: 0, speed: 50), .go(x: 100, y: 0, z: 0, speed: 9), .go(x: 100, y: 0, z: 0, speed: 101),
        .sticks(TelloSticks(right: 101, forward: 0, up: 0, clockwise: 0)), .go(x: .min, y: 0, z: 0, speed: 50),
    ])
    func `what is one past it is not`(_ command: TelloCommand) {
        let error = #expect(throws: LinkError.self) { try command.validate(for: .sdk30) }
        #expect(error?.code == .invalidInput)
    }

    private static let arc = TelloArc(through: TelloPoint(50, 50, 0), end: TelloPoint(100, 0, 0))

    @Test(arguments: [
        (TelloCommand.flip(.left), "flip l"), (.curve(arc, speed: 60, pad: nil), "curve 50 50 0 100 0 0 60"),
        (.curve(arc, speed: 60, pad: TelloPad(2)), "curve 50 50 0 100 0 0 60 m2"),
        (.goOverPad(TelloPoint(0, 0, 100), speed: 50, pad: TelloPad(8)), "go 0 0 100 50 m8"),
        (
            .jump(TelloPoint(100, 0, 80), speed: 50, yaw: -90, from: TelloPad(1), to: TelloPad(2)),
            "jump 100 0 80 50 -90 m1 m2"
        ), (.padDetection(true), "mon"), (.padDetection(false), "moff"), (.padDirection(2), "mdirection 2"),
        (.speed(10), "speed 10"), (.video(true), "streamon"), (.video(false), "streamoff"),
    ])
    func `what is flown by arcs and pads is the text of the document, and is sent`(
        _ command: TelloCommand, _ text: String
    ) {
        #expect(command.text == text)
        #expect(throws: Never.self) { try command.validate(for: .sdk20) }
    }

    @Test(arguments: [
        TelloCommand.curve(arc, speed: 61, pad: nil), .curve(arc, speed: 9, pad: nil),
        // In a line; of 0.25 m; of 12.5 m; too near; too far.
        .curve(TelloArc(through: TelloPoint(50, 0, 0), end: TelloPoint(100, 0, 0)), speed: 30, pad: nil),
        .curve(TelloArc(through: TelloPoint(25, 25, 0), end: TelloPoint(50, 0, 0)), speed: 30, pad: nil),
        .curve(TelloArc(through: TelloPoint(250, 25, 0), end: TelloPoint(500, 0, 0)), speed: 30, pad: nil),
        .curve(TelloArc(through: TelloPoint(20, 20, 0), end: TelloPoint(100, 0, 0)), speed: 30, pad: nil),
        .curve(TelloArc(through: TelloPoint(50, 50, 0), end: TelloPoint(501, 0, 0)), speed: 30, pad: nil),
        .goOverPad(TelloPoint(0, 0, -1), speed: 50, pad: TelloPad(1)),
        .goOverPad(TelloPoint(0, 0, 501), speed: 50, pad: TelloPad(1)),
        .goOverPad(TelloPoint(0, 0, 100), speed: 50, pad: TelloPad(9)),
        .goOverPad(TelloPoint(0, 0, 100), speed: 50, pad: TelloPad(-2)),
        .jump(TelloPoint(0, 0, 100), speed: 50, yaw: 361, from: TelloPad(1), to: TelloPad(2)),
        .jump(TelloPoint(.min, 0, 100), speed: 50, yaw: 0, from: TelloPad(1), to: TelloPad(2)),
        .padDirection(3), .speed(9), .speed(101),
    ])
    func `an arc or a pad outside the ranges is not sent`(_ command: TelloCommand) {
        let error = #expect(throws: LinkError.self) { try command.validate(for: .sdk20) }
        #expect(error?.code == .invalidInput)
    }

    @Test func `the first edition has no pads, and the third one has those that are seen first and nearest`() {
        let nearest = TelloCommand.goOverPad(TelloPoint(0, 0, 100), speed: 50, pad: TelloPad(-2))
        #expect(throws: Never.self) { try nearest.validate(for: .sdk30) }
        for command in [nearest, .padDetection(true), .padDirection(0)] {
            let error = #expect(throws: LinkError.self) { try command.validate(for: .sdk13) }
            #expect(error?.code == .unsupported)
        }
        #expect(
            TelloPad("m-1") == TelloPad(-1) && TelloPad("m0") == nil && TelloPad("1") == nil && TelloPad("m01") == nil)
    }

    @Test(arguments: [
        (TelloCommand.Setting.frameRate(.high), "setfps high"), (.frameRate(.middle), "setfps middle"),
        (.frameRate(.low), "setfps low"), (.bitrate(0), "setbitrate 0"), (.bitrate(5), "setbitrate 5"),
        (.resolution(isHigh: true), "setresolution high"), (.resolution(isHigh: false), "setresolution low"),
        (.downwardCamera(true), "downvision 1"), (.downwardCamera(false), "downvision 0"),
        (.light(red: 0, green: 255, blue: 12), "EXT led 0 255 12"),
    ])
    func `settings of the third edition are the text of the document`(
        _ setting: TelloCommand.Setting, _ text: String
    ) {
        let command = TelloCommand.setting(setting)
        #expect(command.text == text && command.isSetting)
        #expect(throws: Never.self) { try command.validate(for: .sdk30) }
        let error = #expect(throws: LinkError.self) { try command.validate(for: .sdk20) }
        #expect(error?.code == .unsupported)
    }

    @Test(arguments: [
        TelloCommand.Setting.bitrate(-1), .bitrate(6), .light(red: -1, green: 0, blue: 0),
        .light(red: 0, green: 0, blue: 256),
    ])
    func `a setting outside its range is not sent`(_ setting: TelloCommand.Setting) {
        let error = #expect(throws: LinkError.self) { try TelloCommand.setting(setting).validate(for: .sdk30) }
        #expect(error?.code == .invalidInput)
    }

    @Test func `the first edition has no stop, and flies to few places`() {
        let stop = #expect(throws: LinkError.self) { try TelloCommand.stop.validate(for: .sdk13) }
        #expect(stop?.code == .unsupported)
        #expect(throws: LinkError.self) { try TelloCommand.go(x: 100, y: 0, z: 50, speed: 50).validate(for: .sdk13) }
        #expect(throws: Never.self) { try TelloCommand.go(x: 100, y: 20, z: 500, speed: 50).validate(for: .sdk13) }
    }

    @Test(arguments: [
        ("ok", TelloReply.ok), ("OK", .ok), ("ok\r\n", .ok), (" ok\0", .ok), ("led ok", .ok), ("matrix ok\r\n", .ok),
        ("led error", .failure("led error")), ("OK,drone will reboot in 3s\0", .ok),
        ("forced stop", .forcedStop), ("error", .failure("error")),
        ("error Not joystick", .failure("error Not joystick")),
        ("Error. Not valid marker", .failure("Error. Not valid marker")), ("out of range", .failure("out of range")),
        ("command error: 254", .failure("command error: 254")), ("FALSE", .failure("FALSE")),
        ("unknown command: sdk?", .unknownCommand("sdk?")), ("unknow command: led", .unknownCommand("led")),
        ("87\r\n", .value("87")), ("100.0\r\n", .value("100.0")), ("6s\r\n", .value("6s")), ("okay", .value("okay")),
    ])
    func `replies are read with the tails that they really have`(_ text: String, _ reply: TelloReply) {
        #expect(TelloReply(Array(text.utf8)) == reply)
    }

    @Test(arguments: [
        [], [0x0D, 0x0A], [0, 0], [0xCC, 0x58, 0, 0x7C], Array("ok".utf8) + [0x80], [0x1B] + Array("[2J".utf8),
        [UInt8](repeating: 0x61, count: TelloReply.mostBytes + 1), Array("o\nk".utf8),
    ])
    func `what is no text, or too long, is no reply`(_ bytes: [UInt8]) { #expect(TelloReply(bytes) == nil) }

    @Test func `the longest reply is read`() {
        let bytes = [UInt8](repeating: 0x61, count: TelloReply.mostBytes)
        #expect(TelloReply(bytes) == .value(String(decoding: bytes, as: UTF8.self)))
    }

    @Test(arguments: [
        (TelloReply.value("20"), TelloVersion?.some(.sdk20)), (.value("30"), .sdk30), (.value("31"), .sdk30),
        (.value("13"), .sdk13),
        (.unknownCommand("sdk?"), .sdk13), (.failure("error"), .sdk13), (.value("0TQZ"), nil), (.value("-1"), nil),
        (.value("99999999999999999999"), nil), (.ok, nil),
    ])
    func `the edition is known from the answer`(_ answer: TelloReply, _ version: TelloVersion?) {
        #expect(TelloVersion(answer: answer) == version)
    }

    @Test func `sticks have the drone's signs, and hold at full deflection`() {
        func sticks(_ x: Double, _ y: Double, _ z: Double, turn: Double = 0) -> TelloSticks {
            TelloSticks(
                VelocitySetpoint(
                    velocityMetresPerSecond: Vector3(x: x, y: y, z: z), headingRateRadiansPerSecond: turn, frame: .body,
                    intendedAt: MonotonicTime(nanoseconds: 0)), full: .tello)
        }
        #expect(sticks(0.5, 0, 0) == TelloSticks(right: 0, forward: 50, up: 0, clockwise: 0))
        #expect(sticks(0, 0.25, 0) == TelloSticks(right: -25, forward: 0, up: 0, clockwise: 0))
        #expect(sticks(0, 0, -0.3) == TelloSticks(right: 0, forward: 0, up: -50, clockwise: 0))
        #expect(sticks(0, 0, 0, turn: .pi / 4) == TelloSticks(right: 0, forward: 0, up: 0, clockwise: -50))
        #expect(sticks(1e9, -1e300, 1e9).all == [100, 100, 100, 0])
        #expect(sticks(.nan, .infinity, 0).all == [0, 0, 0, 0])
        // A slow motion is not none.
        #expect(sticks(0.001, 0, 0).forward == 1)
        #expect(sticks(-0.001, 0, 0).forward == -1)
    }

    @Test(arguments: [
        (Command.ahead(1), "go 100 0 0 50"), (.ahead(0.21), "go 21 0 0 50"), (.ahead(0.2), "forward 20"),
        (.ahead(-0.2), "back 20"), (.ahead(-5), "go -500 0 0 50"),
        (.goTo(.init(.body, position: Vector3(x: 0, y: 5, z: 0), headingRadians: 0)), "go 0 500 0 50"),
        (.goTo(.init(.body, position: Vector3(x: 0, y: -0.2, z: 0), headingRadians: 0)), "right 20"),
        (.goTo(.init(.body, position: Vector3(x: 0, y: 0, z: 0.304), headingRadians: 0)), "go 0 0 30 50"),
        (.goTo(.init(.body, position: Vector3(x: 1, y: -0.5, z: 0.2), headingRadians: 0)), "go 100 -50 20 50"),
        (.turn(byRadians: .pi / 2), "ccw 90"), (.turn(byRadians: -.pi), "cw 180"), (.hover, "stop"),
        (.emergencyLand, "emergency"),
    ])
    func `commands of UAVLink become the drone's`(_ command: Command, _ text: String) throws {
        #expect(try TelloTranslation.command(command, for: .sdk20).text == text)
    }

    @Test(arguments: [
        (Command.ahead(1), "forward 100"), (.ahead(-5), "back 500"),
        (.goTo(.init(.body, position: Vector3(x: 0, y: -1, z: 0), headingRadians: 0)), "right 100"),
        (.goTo(.init(.body, position: Vector3(x: 0, y: 0, z: 0.304), headingRadians: 0)), "up 30"),
        (.goTo(.init(.body, position: Vector3(x: 1, y: 0.5, z: 0.2), headingRadians: 0)), "go 100 50 20 50"),
    ])
    func `the first edition flies along one axis by its moves`(_ command: Command, _ text: String) throws {
        #expect(try TelloTranslation.command(command, for: .sdk13).text == text)
    }

    @Test(arguments: [
        Command.ahead(0.1), .ahead(5.01), .ahead(1e300), .ahead(0), .turn(byRadians: 0.001),
        .goTo(.init(.body, position: Vector3(x: 1, y: 0, z: 0), headingRadians: 1)),
    ])
    func `what the drone cannot be told is named`(_ command: Command) {
        let error = #expect(throws: LinkError.self) { try TelloTranslation.command(command, for: .sdk20) }
        #expect(error?.code == .invalidInput)
    }
}
