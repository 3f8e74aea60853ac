@testable import Authority
import Testing
import UAVLink

/// The look for the newest stop leaves out what cannot be newer: it must find what a look through all of them finds.
@Suite struct NewestStopTests {
    /// Keeps every stop, and looks through all of them.
    private struct Reference {
        private struct Given {
            let party: Int
            let name: String
            let count: UInt64
            let number: UInt64
        }

        private let first: UInt64
        private var all: [Given] = []

        init(after first: UInt64) { self.first = first }

        mutating func note(by party: Int, name: String, number: UInt64) {
            all.append(Given(party: party, name: name, count: first + UInt64(all.count) + 1, number: number))
        }

        func newest(over issue: CommandIssue, of party: Int) -> String? {
            let own = all.filter { $0.party == party }
            if let last = own.last, own.contains(where: { $0.number > issue.number }) { return last.name }
            guard issue.knownStops >= first, issue.knownStops <= first + UInt64(all.count) else {
                return "the start of this companion"
            }
            return all.last { $0.party != party && $0.count > issue.knownStops }?.name
        }
    }

    @Test(arguments: [0, 1000] as [UInt64])
    func `whatever was given and known, the same stop is found`(first: UInt64) {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            var (order, reference) = (StopOrder<Int>(after: first), Reference(after: first))
            var number: UInt64 = 0
            for step in 0..<40 {
                let party = Int.random(in: 1...4, using: &random)
                // Numbers rise within a party; a grant overrules none of its own.
                number += 1
                let own = Bool.random(using: &random) ? number : 0
                order.note(by: party, name: "stop \(step) of \(party)", number: own)
                reference.note(by: party, name: "stop \(step) of \(party)", number: own)
                // A party of its own leaves, whose stops remain in force.
                if step % 7 == 6 {
                    order.note(by: 100 + step, name: "last of \(step)", number: 0)
                    reference.note(by: 100 + step, name: "last of \(step)", number: 0)
                    order.forget(100 + step)
                }
                for _ in 0..<4 {
                    let known = UInt64.random(in: (first > 3 ? first - 3 : 0)...(first + 60), using: &random)
                    let issue = CommandIssue(
                        number: UInt64.random(in: 0...(number + 1), using: &random), knownStops: known)
                    let asked = Int.random(in: 1...5, using: &random)
                    let (found, wanted) = (
                        order.newest(over: issue, of: asked), reference.newest(over: issue, of: asked)
                    )
                    #expect(found == wanted, "known \(known) of \(order.count), party \(asked), number \(issue.number)")
                }
            }
        }
    }
}
