extension EmulatedTello {
    struct Answer {
        var at: Double
        var bytes: [UInt8]
        /// Who is answered.
        var ground: Int
    }

    private static let mostAnswers = 64
    /// How late a late answer is: later than a question's is waited for, seconds.
    private static let lateSeconds = 2.0

    /// The answers that are due, in order.
    package mutating func takeAnswers() -> [[UInt8]] { takeAddressedAnswers().map(\.bytes) }

    /// The same, with the ground to which each goes.
    package mutating func takeAddressedAnswers() -> [(ground: Int, bytes: [UInt8])] {
        let due = answers.filter { $0.at <= now }.sorted { $0.at < $1.at }
        answers.removeAll { $0.at <= now }
        return due.map { ($0.ground, $0.bytes) }
    }

    /// - Parameter ground: who is answered; `nil` for who sent the command that is being taken.
    mutating func answer(_ text: String, after seconds: Double = 0, to ground: Int? = nil) {
        guard answers.count < Self.mostAnswers else { return }
        answersGiven &+= 1
        let number = answersGiven % 3
        if settings.losesAnswers, number == 0 { return }
        var answer = Answer(at: now + seconds, bytes: Array(text.utf8), ground: ground ?? sender)
        if settings.delaysAnswers, number == 1 { answer.at += Self.lateSeconds }
        answers.append(answer)
        if settings.doublesAnswers, number == 2 { answers.append(answer) }
    }
}
