import Testing

@testable import Zenoh

/// How it is noticed that a router has forgotten what was declared.
struct DeclarationCheckTests {
    private let tokens = ["a", "b", "c"].enumerated().map { Declarations.Token(id: UInt32($0.offset), key: $0.element) }

    /// Asks once a second while `isKnown` says what the router knows; when everything was declared again, and for which token.
    private func repairs(
        _ check: inout DeclarationCheck, seconds: Range<Int>, isKnown: (Int, String) -> Bool
    ) -> [Int: String] {
        var repairs: [Int: String] = [:]
        for second in seconds {
            guard let question = check.next(of: tokens) else { continue }
            if isKnown(second, question.key) { _ = check.found(question.id) }
            repairs[second] = check.answered(tokens, at: .seconds(second))
        }
        return repairs
    }

    @Test func `tokens are asked for in turn, each under another number`() {
        var check = DeclarationCheck()
        var keys: [String] = []
        var numbers: Set<UInt32> = []
        for _ in 0..<4 {
            guard let question = check.next(of: tokens) else { continue }
            keys.append(question.key)
            numbers.insert(question.id)
            #expect(check.isAsked(question.id) && !check.isAsked(1) && !check.isAsked(nil))
            let (isFound, isOther) = (check.found(question.id), check.found(1))
            #expect(isFound && !isOther)
            let missing = check.answered(tokens, at: .zero)
            #expect(missing == nil)
        }
        #expect(keys == ["a", "b", "c", "a"])
        #expect(numbers.count == 4)
        let none = check.next(of: [])
        #expect(none == nil)
    }

    @Test func `a router that has forgotten all is given everything once`() {
        var check = DeclarationCheck()
        let found = repairs(&check, seconds: 0..<60) { second, _ in second != 20 }
        #expect(found == [20: "c"])
    }

    @Test func `one token that is missing is noticed within a round`() {
        var check = DeclarationCheck()
        var isMissing = true
        let found = repairs(&check, seconds: 0..<60) { _, key in
            defer { if key == "b" { isMissing = false } }
            return key != "b" || !isMissing
        }
        #expect(found == [1: "b"])
    }

    /// As with access rules that hide them.
    @Test func `a router that never names them is given everything with growing pauses`() {
        var check = DeclarationCheck()
        let found = repairs(&check, seconds: 0..<3600) { _, _ in false }
        #expect(found.keys.sorted().prefix(7) == [0, 2, 6, 14, 30, 62, 126])
        #expect(found.count < 3600 / 64 + 7)
        // Once it has named them all, it is helped at once again.
        let later = repairs(&check, seconds: 3600..<3700) { second, _ in second < 3690 }
        #expect(later.keys.sorted() == [3690, 3692, 3696])
    }

    @Test func `a question without an answer is given up, and none is pending meanwhile`() {
        var check = DeclarationCheck()
        let first = check.next(of: tokens)
        var pending: [UInt32] = []
        for _ in 0..<10 { if let question = check.next(of: tokens) { pending.append(question.id) } }
        #expect(pending.isEmpty)
        let second = check.next(of: tokens)
        #expect(second != nil && second?.id != first?.id)
        // Too late.
        let (isOld, isPresent) = (check.found(first?.id), check.found(second?.id))
        #expect(!isOld && isPresent)
    }

    @Test func `a token that was withdrawn meanwhile is not missed`() {
        var check = DeclarationCheck()
        let asked = check.next(of: tokens)
        #expect(asked?.key == "a")
        let missing = check.answered(Array(tokens.dropFirst()), at: .zero)
        let afterwards = check.answered(tokens, at: .zero)
        #expect(missing == nil && afterwards == nil)
    }
}
