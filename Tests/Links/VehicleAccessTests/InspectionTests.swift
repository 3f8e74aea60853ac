import MRS
import Testing
@testable import VehicleAccess

@Suite struct InspectionTests {
    @Test func `a line of doctor becomes a finding`() {
        let line = #"{"check": "ROS master", "verdict": "bad", "message": "no answer", "advice": "start roscore"}"#
        #expect(
            RemoteInspection.finding(line) == Finding("ROS master", .bad, "no answer", advice: "start roscore"))
    }

    @Test(arguments: ["", "Welcome to uav1", "{", "{}", #"{"check": "a", "verdict": "fine", "message": "b"}"#])
    func `a line that is no finding is passed over`(line: String) {
        #expect(RemoteInspection.finding(line) == nil)
    }

    @Test func `seconds and nanoseconds of date are read`() throws {
        let (nanoseconds, doubt) = try #require(RemoteInspection.wallClock("1700000000 023456789\n"))
        #expect(nanoseconds == 1_700_000_000_023_456_789)
        #expect(doubt == .zero)
    }

    @Test func `a date without nanoseconds is half a second in doubt`() throws {
        let (nanoseconds, doubt) = try #require(RemoteInspection.wallClock("1700000000 %N\n"))
        #expect(nanoseconds == 1_700_000_000_500_000_000)
        #expect(doubt == .milliseconds(500))
    }

    @Test(arguments: [
        "", "never", "1 2 3", "9223372037 0", "-9223372037 0", "9223372036 999999999", "1 1000000000", "1 -1",
    ]) func `a date that is none or overflows is refused`(printed: String) {
        #expect(RemoteInspection.wallClock(printed) == nil)
    }
}
