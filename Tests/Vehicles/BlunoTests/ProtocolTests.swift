import Testing
import UAVLink

@testable import Bluno

@Suite("Bluno: text") struct BlunoProtocolTests {
    private func lines(_ pieces: String...) -> [String] {
        var lines = BlunoLines()
        return pieces.flatMap { lines.take(Array($0.utf8)) }.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func `lines end with LF, CR or both, in any pieces, and empty ones are dropped`() {
        #expect(lines("one\r\ntwo\n\nthr", "ee\rfour") == ["one", "two", "three"])
        #expect(lines("\n\r\n\r") == [])
    }

    @Test func `a line without an end is cut at its longest, and not one byte before`() {
        var lines = BlunoLines()
        let early = lines.take([UInt8](repeating: 0x61, count: BlunoLines.longest - 1))
        #expect(early.isEmpty && lines.isOpen)
        let whole = lines.take([0x62]).map(\.count)
        #expect(whole == [BlunoLines.longest] && !lines.isOpen)
        let nothing = lines.end()
        let several = lines.take([UInt8](repeating: 0x61, count: BlunoLines.longest * 3 + 1))
        let rest = lines.end()
        #expect(nothing == nil && several.count == 3 && rest == [0x61])
    }

    @Test(arguments: [
        ("battery 87", 0.87), ("battery 87 %", 0.87), ("battery 87%", 0.87), ("battery 0", 0), ("battery 100 %", 1),
    ])
    func `a battery is understood`(_ line: String, _ charge: Double) {
        #expect(BlunoAnswer(Array(line.utf8)) == .battery(charge))
    }

    @Test(arguments: [
        "", "battery", "battery ", "battery %", "battery 101", "battery 1000", "battery -5", "battery 8 7",
        "battery 99999999999999999999", "Battery 87", "battery 87 % left", "task 1 Remote",
    ])
    func `anything else is text`(_ line: String) { #expect(BlunoAnswer(Array(line.utf8)) == .text) }

    @Test func `a speed is limited to what the machine has`() {
        let program = RobotProgram()
        #expect(String(decoding: program.bytes(speed: 128), as: UTF8.self) == "<128>")
        #expect(String(decoding: program.bytes(speed: -7), as: UTF8.self) == "<0>")
        #expect(String(decoding: program.bytes(speed: .max), as: UTF8.self) == "<255>")
    }

    @Test(arguments: ["", "ä", "a\n", "\u{1B}", "12345678901234567"])
    func `what cannot be the text of a key or a task says why`(_ text: String) {
        #expect(RobotProgram.problem(text: text) != nil)
        #expect(RobotProgram.problem(RobotTask(name: "Dance", text: text)) != nil)
    }

    @Test func `the longest text is one`() {
        #expect(RobotProgram.problem(text: "1234567890123456") == nil)
        #expect(RobotProgram.problem(RobotTask(name: "", text: "1")) == "the task has no name")
        #expect(RobotProgram.problem(RobotTask(name: "a\u{7}", text: "1")) != nil)
    }

    private func drive(_ forward: Double, _ turn: Double) -> BlunoDrive? {
        let setpoint = VelocitySetpoint(
            velocityMetresPerSecond: Vector3(x: forward, y: 0, z: 0), headingRateRadiansPerSecond: turn, frame: .body,
            intendedAt: MonotonicTime(nanoseconds: 0))
        return BlunoDrive(setpoint, full: .bluno, mostSpeed: 255)
    }

    @Test func `a setpoint is the larger of its deflections`() {
        #expect(drive(0, 0) == nil)
        #expect(drive(0.5, 0)?.direction == .forward && drive(0.5, 0)?.speed == 255)
        #expect(drive(-0.25, 0.1)?.direction == .back && drive(-0.25, 0.1)?.speed == 128)
        #expect(drive(0.1, .pi / 4)?.direction == .left && drive(0.1, -.pi / 2)?.direction == .right)
        // Beyond what it has, and hardly anything.
        #expect(drive(1e300, 0)?.speed == 255 && drive(1e-9, 0)?.speed == 1)
    }

    @Test(
        arguments: [
            ("3c 31 3e", [0x3C, 0x31, 0x3E]), ("3C313e", [0x3C, 0x31, 0x3E]), ("", nil), ("3", nil), ("3c 3", nil),
            ("zz", nil), ("3 c", nil), ("0x3c", nil), ("é", nil), (" ", nil),
        ] as [(String, [UInt8]?)])
    func `bytes in hexadecimal`(_ text: String, _ bytes: [UInt8]?) { #expect(HexBytes.read(text) == bytes) }

    @Test func `bytes are written as they are read`() { #expect(HexBytes.text([0x0A, 0xFF]) == "0a ff") }
}
