internal import SystemIO

/// Asks the router for one of our liveliness tokens after the other, to notice that it has forgotten what we declared.
///
/// Only tokens can be asked for. Who has forgotten one may have forgotten subscribers and queryables, so everything is declared
/// again then: at once, and after that with growing pauses, as long as tokens are missing. A router whose access rules
/// hide tokens costs little this way. Used on the I/O thread only.
struct DeclarationCheck {
    private struct Question {
        let id: UInt32
        let key: String
        var isFound = false
        /// How often the next one was due since.
        var waited = 0
    }

    /// Between declaring everything and declaring it once more; doubled each time.
    private static let shortestPause: Duration = .seconds(2)
    private static let longestPause: Duration = .seconds(64)
    /// A question that was not answered while so many others were due is not waited for any more.
    private static let patience = 10

    private var question: Question?
    private var place = 0
    /// Counted downwards, declarations and other questions upwards.
    private var newestID = UInt32.max
    private var foundInARow = 0
    private var pause = shortestPause
    private var notBefore = Duration.zero

    /// The token to ask for now, and the number of the question.
    mutating func next(of tokens: [Declarations.Token]) -> (id: UInt32, key: String)? {
        question?.waited += 1
        if let question, question.waited <= Self.patience { return nil }
        question = nil
        guard !tokens.isEmpty else { return nil }
        if place >= tokens.count { place = 0 }
        let key = tokens[place].key
        place += 1
        newestID &-= 1
        question = Question(id: newestID, key: key)
        return (newestID, key)
    }

    /// Whether that is the number of the present question.
    func isAsked(_ interest: UInt32?) -> Bool { interest != nil && question?.id == interest }

    /// The router has named the token; `false` if it was asked by another.
    mutating func found(_ interest: UInt32?) -> Bool {
        guard isAsked(interest) else { return false }
        question?.isFound = true
        return true
    }

    /// The router has answered the present question.
    ///
    /// - Parameter now: since the session was opened.
    /// - Returns: the token that is missing, when everything is to be declared again.
    mutating func answered(_ tokens: [Declarations.Token], at now: Duration) -> String? {
        guard let question else { return nil }
        self.question = nil
        guard !question.isFound else {
            foundInARow += 1
            if foundInARow >= tokens.count { (pause, notBefore) = (Self.shortestPause, .zero) }
            return nil
        }
        // It may have been withdrawn meanwhile.
        guard tokens.contains(where: { $0.key == question.key }) else { return nil }
        foundInARow = 0
        guard now >= notBefore else { return nil }
        notBefore = now + pause
        pause = min(pause * 2, Self.longestPause)
        return question.key
    }
}

extension ClientCore {
    /// Asks for a token in each period from now on.
    func beginChecking(on loop: LoopCore) {
        let period = max(configuration.checkPeriod, .milliseconds(1))
        let timer = LoopTimer { [weak self] timer, _ in
            self?.askForToken()
            timer.set(.now + period)
        }
        timer.set(.now + period)
        loop.add(timer)
    }

    private func askForToken() {
        guard isOpen, let question = check.next(of: declarations.tokens) else { return }
        declare { $0.writeTokenInterest(id: question.id, key: question.key, future: false) }
    }

    /// The router has named the token that was asked for, or has none.
    func endCheck() {
        guard let openedAt, let missing = check.answered(declarations.tokens, at: openedAt.duration(to: .now))
        else { return }
        for index in declarations.watches.indices { declarations.watches[index].sessionEnded() }
        let result = output.send(isDroppable: false) { declarations.write(to: &$0, again: true) }
        if result == .dropped { output.giveUp() }
        configuration.onEvent?(.forgotten(missing))
    }
}
