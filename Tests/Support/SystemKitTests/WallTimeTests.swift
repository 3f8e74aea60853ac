import SystemKit
import Testing

@Suite struct WallTimeTests {
    @Test(arguments: [
        (1_700_000_000_250_000_000, "2023-11-14T22:13:20.250Z"), (0, "1970-01-01T00:00:00.000Z"),
        (-1_000_000, "1969-12-31T23:59:59.999Z"), (951_782_400_007_999_999, "2000-02-29T00:00:00.007Z"),
        (Int64.max, "2262-04-11T23:47:16.854Z"),
    ]) func `an instant is written in UTC, marked as such`(_ nanoseconds: Int64, _ text: String) {
        #expect(WallTime.utcText(nanoseconds) == text)
    }
}
