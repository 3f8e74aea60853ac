import FlightControl
import Testing

/// What a companion's count of stops says of those that others gave.
@Suite struct StopCountTests {
    @Test func `one more than this program gave is of another`() {
        var count = StopCount(after: 7)
        let atFirst = count.isExceeded(by: 7)
        count.expectOne()
        let withOwn = count.isExceeded(by: 8)
        let withAnother = count.isExceeded(by: 9)
        // Another link hears of it later.
        let overSlowLink = count.isExceeded(by: 8)
        #expect(!atFirst && !withOwn && withAnother && overSlowLink)
    }

    @Test func `one that was refused is expected no longer`() {
        var count = StopCount(after: 7)
        count.expectOne()
        count.withdrawOne()
        count.withdrawOne()
        let exceeded = count.isExceeded(by: 8)
        #expect(exceeded)
    }

    @Test func `without a count at the beginning the first one counts, and without any there is no stop`() {
        var count = StopCount()
        let unknown = count.isExceeded(by: nil)
        let first = count.isExceeded(by: 12)
        let next = count.isExceeded(by: 13)
        #expect(!unknown && !first && next)
    }

    /// It begins with the milliseconds of its start.
    @Test func `the count of another companion says nothing of stops`() {
        var count = StopCount(after: 5000)
        let other = count.isExceeded(by: 11_000)
        let after = count.isExceeded(by: 11_001)
        #expect(!other && after)
    }

    @Test func `what this program gave is not counted by another companion`() {
        var count = StopCount(after: 5000)
        for _ in 0..<100 { count.expectOne() }
        let other = count.isExceeded(by: 11_000)
        let after = count.isExceeded(by: 11_001)
        #expect(!other && after)
    }

    @Test func `no count that a companion sends is too large`() {
        var count = StopCount(after: .max - 1)
        count.expectOne()
        count.expectOne()
        let atFirst = count.isExceeded(by: .max - 1)
        let later = count.isExceeded(by: .max)
        #expect(!atFirst && !later)
    }
}
