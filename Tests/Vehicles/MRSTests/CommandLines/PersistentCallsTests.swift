import Testing
import UAVLink

@testable import MRS

@Suite struct PersistentCallsTests {
    private let calls: PersistentCalls

    init() throws { calls = PersistentCalls(names: try VehicleNames(vehicle: "uav1")) }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test func `a call is one line, with the request as bytes`() throws {
        #expect(
            text(calls.call(try ServiceCall(.hover), number: 7))
                == "7 call /uav1/control_manager/hover std_srvs/Trigger -\n")
        let heading = text(calls.call(try ServiceCall(.heading(radians: 1)), number: 8))
        #expect(heading == "8 call /uav1/control_manager/set_heading mrs_msgs/Vec1 000000000000f03f\n")
        #expect(text(calls.cost(number: 9)) == "9 cost\n")
    }

    @Test func `a setpoint goes to the topic of the other links, and a bad one is refused`() throws {
        let now = MonotonicTime(nanoseconds: 1)
        let good = VelocitySetpoint(velocityMetresPerSecond: .zero, frame: .body, intendedAt: now)
        let line = text(try calls.steer(good, number: 3))
        #expect(line.hasPrefix("3 steer /uav1/control_manager/velocity_reference mrs_msgs/VelocityReferenceStamped 0"))
        let bad = VelocitySetpoint(
            velocityMetresPerSecond: Vector3(x: .nan, y: 0, z: 0), frame: .body, intendedAt: now)
        #expect(throws: LinkError.self) { try calls.steer(bad, number: 4) }
    }

    @Test func `answers are parsed, with the times on the vehicle`() throws {
        let response = try #require(PersistentCalls.Answer(line: "5 = 300 200 01020000006869"))
        #expect(response.number == 5 && response.insideNanoseconds == 300 && response.serviceNanoseconds == 200)
        #expect(response.content == .response([1, 2, 0, 0, 0, 0x68, 0x69]))
        guard case .response(let bytes) = response.content else { return }
        let reply = try ServiceCall(.hover).reply(from: bytes)
        #expect(reply.accepted && reply.message == "hi")
        #expect(PersistentCalls.Answer(line: "0 + 0 0 0")?.content == .subscribers(0))
        #expect(PersistentCalls.Answer(line: "6 > 9 0 41")?.content == .published(41))
        #expect(PersistentCalls.Answer(line: "7 ! 9 0 6e6f")?.content == .failure("no"))
        #expect(PersistentCalls.Answer(line: "8 % 0 0 12345")?.content == .processorTime(12345))
    }

    @Test(arguments: [
        "", "5", "5 = 300 200", "5 = 200 300 -", "5 = -1 0 -", "x = 3 2 -", "5 ? 3 2 -", "5 = 3 2 0g", "5 = 3 2 012",
        "5 > 3 0 -1", "5 > 3 0 99999999999", "5 % 0 0 -4", "5 = 9223372036854775807 2 -", "5 % 0 0 9223372036854775807",
        "5 = 3 2 - -", "99999999999999999999 = 3 2 -",
    ])
    func `anything else is none of its lines`(_ line: String) { #expect(PersistentCalls.Answer(line: line) == nil) }

    @Test func `the program follows its length, which is counted in characters`() throws {
        let end = try #require(PersistentCalls.input.firstIndex(of: UInt8(ascii: "\n")))
        let rest = PersistentCalls.input[(end + 1)...]
        #expect(Int(text(Array(PersistentCalls.input[..<end]))) == rest.count)
        #expect(rest.allSatisfy { $0 < 0x80 } && rest.last == UInt8(ascii: "\n"))
    }
}
