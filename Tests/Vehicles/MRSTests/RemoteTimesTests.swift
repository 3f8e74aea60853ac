import MRS
import Testing

@Suite("Times that a command line reported") struct RemoteTimesTests {
    @Test func `set-up and program are distinguished, behind other words`() throws {
        let times = try #require(
            RemoteTimes(standardError: "warning\nuavlink-times 1700000000.000001 1700000000.250001 1700000001.500101\n")
        )
        #expect(times.setupNanoseconds == 250_000_000)
        #expect(times.programNanoseconds == 1_250_100_000)
    }

    @Test func `the start of a login shell stands before them`() throws {
        let times = try #require(RemoteTimes(standardError: "uavlink-times 5.000000 5.080000 5.080010 5.330010"))
        #expect(times.shellNanoseconds == 80_000_000)
        #expect(times.setupNanoseconds == 10_000 && times.programNanoseconds == 250_000_000)
        // Not timed: its place is empty.
        let others = try #require(RemoteTimes(standardError: "uavlink-times  5.080000 5.080010 5.330010"))
        #expect(others.shellNanoseconds == nil && others.programNanoseconds == 250_000_000)
    }

    @Test func `a locale's comma is a point`() throws {
        let times = try #require(RemoteTimes(standardError: "uavlink-times 5,000000 5,000010 5,000030"))
        #expect(times.setupNanoseconds == 10_000 && times.programNanoseconds == 20_000)
    }

    @Test(arguments: [
        "", "uavlink-times", "uavlink-times   ", "uavlink-times 1.000000 2.000000",
        "uavlink-times 3.000000 2.000000 4.000000", "uavlink-times 3.000000 2.000000 4.000000 5.000000",
        "uavlink-times 1.000000 2.000000 3.000000 4.000000 5.000000",
        "uavlink-times 1.0 2.0 3.0", "uavlink-times a.000000 2.000000 3.000000",
        "uavlink-times 99999999999999999999.000000 2.000000 3.000000", "uavlink-times 1.-00001 2.000000 3.000000",
    ])
    func `anything else says nothing`(_ text: String) { #expect(RemoteTimes(standardError: text) == nil) }
}
