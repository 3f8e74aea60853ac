import Testing
import UAVLink

@testable import SSHTransport

/// How often the user may try.
@Suite struct SecretAttemptsTests {
    /// The numbers of the attempts that are made when they end so.
    private func attempts(
        _ outcomes: [SecretAttempts.Outcome], after earlier: Int = 0
    ) throws -> (numbers: [Int], last: SecretAttempts.Outcome) {
        var numbers: [Int] = []
        let last = try SecretAttempts.run(after: earlier) { (number: Int) throws(LinkError) -> SecretAttempts.Outcome in
            numbers.append(number)
            return outcomes[min(number, outcomes.count) - 1]
        }
        return (numbers, last)
    }

    @Test func `a wrong secret may be corrected, twice`() throws {
        let (numbers, last) = try attempts([.refused])
        #expect(numbers == [1, 2, 3] && last == .refused)
        let corrected = try attempts([.refused, .accepted])
        #expect(corrected.numbers == [1, 2] && corrected.last == .accepted)
    }

    @Test(arguments: [SecretAttempts.Outcome.accepted, .notGiven, .over])
    func `anything else ends it`(outcome: SecretAttempts.Outcome) throws {
        let (numbers, last) = try attempts([outcome])
        #expect(numbers == [1] && last == outcome)
    }

    @Test func `what another method was refused counts`() throws {
        #expect(try attempts([.refused], after: 2).numbers == [1])
        let none = try attempts([.refused], after: 3)
        #expect(none.numbers.isEmpty && none.last == .refused)
    }

    @Test func `a server that asked for nothing has refused no answer`() throws {
        #expect(SecretAttempts.Outcome.afterRefusal(ofAnswers: true, gaveUp: false) == .refused)
        #expect(SecretAttempts.Outcome.afterRefusal(ofAnswers: true, gaveUp: true) == .notGiven)
        // It may have had something to tell, for which nobody was there.
        #expect(SecretAttempts.Outcome.afterRefusal(ofAnswers: false, gaveUp: true) == .notGiven)
        let unasked = try attempts([.afterRefusal(ofAnswers: false, gaveUp: false)])
        #expect(unasked.numbers == [1] && unasked.last == .over)
    }

    @Test func `an error ends it`() {
        let lost = LinkError(.notConnected, "lost")
        #expect(throws: lost) {
            try SecretAttempts.run { (_: Int) throws(LinkError) -> SecretAttempts.Outcome in throw lost }
        }
    }
}
