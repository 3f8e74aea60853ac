import IntegrationKit
import Testing

/// What becomes of a test whose flight the machine spoiled. No flight stack is needed for that.
@Suite struct FlightJudgeTests {
    private static let starved = Starvation(waitNanoseconds: 2 * Starvation.mostNanoseconds)

    @Test func `a flight that the machine spoiled is flown again, and the next one is judged`() async throws {
        var number = 0
        let isJudged = try await flights("a flight", report: { _ in }) { judge in
            number += 1
            let starvation = number == 1 ? Self.starved : Starvation()
            judge.measure { starvation }
            if number == 1 { Issue.record("the first one fell") }
        }
        #expect(isJudged && number == 2)
    }

    @Test func `three flights that cannot be judged are no test that passed, and each is said`() async throws {
        var number = 0
        var said: [String] = []
        let isJudged = try await flights("a flight", report: { said.append($0) }) { judge in
            number += 1
            judge.measure { Self.starved }
            throw ProcessFailure("it fell")
        }
        #expect(!isJudged && number == 3)
        #expect(said.count == 3 && said.allSatisfy { $0.hasPrefix("NOT JUDGED: a flight: ") }, "\(said)")
    }

    @Test func `what goes wrong in a flight that the machine left alone is an issue, and is not flown again`()
        async throws
    {
        var number = 0
        await withKnownIssue {
            _ = try await flights("a flight", report: { _ in }) { judge in
                number += 1
                judge.measure { Starvation() }
                Issue.record("it fell")
            }
        }
        #expect(number == 1)
    }

    @Test func `what was measured last counts`() async throws {
        var number = 0
        let isJudged = try await flights("a flight", most: 1, report: { _ in }) { judge in
            number += 1
            judge.measure { Self.starved }
            judge.settle()
            Issue.record("it fell")
        }
        #expect(!isJudged && number == 1)
    }

    @Test func `a flight is spoiled by what makes the stack or the pilot late`() {
        let spoiled = [
            Starvation(gapSeconds: 0.5), Starvation(vehicleShare: 0.6), Starvation(waitNanoseconds: 150_000_000),
            Starvation(stepSeconds: 0.0415),
        ]
        #expect(spoiled.allSatisfy { $0.isDecisive })
        let kept = Starvation(gapSeconds: 0.3, vehicleShare: 0.4, waitNanoseconds: 50_000_000, stepSeconds: 0.0123)
        #expect(!kept.isDecisive)
    }

    @Test(arguments: [(0.0415, 2), (0.0123, 1)])
    func `a trajectory that a slow control loop refused is sent again, and one of a loop in time is judged`(
        step: Double, flown: Int
    ) async {
        var number = 0
        await withKnownIssue(isIntermittent: true) {
            _ = try await flights("a flight", report: { _ in }) { judge in
                number += 1
                judge.measure { Starvation() }
                guard number == 1 else { return }
                let refusal = "the trajectory dt (0.01 s) is too small (smaller than the tracker's internal step size: "
                throw ProcessFailure(refusal + "\(step) s)")
            }
        }
        #expect(number == flown)
    }
}
