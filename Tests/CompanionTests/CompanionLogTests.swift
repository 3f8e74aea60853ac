import Foundation
import Testing

@testable import Companion

@Suite struct CompanionLogTests {
    @Test func `a line's time says that it is UTC`() {
        #expect(CompanionLog.stamp(Date(timeIntervalSince1970: 1_700_000_000.25)) == "2023-11-14T22:13:20.250Z")
    }
}
