internal import UAVLink

/// Monitors whether the terminal still answers: with a broken connection to the user's terminal no key release arrives.
///
/// Every terminal answers a request for its device attributes. It is sent periodically; a terminal that has answered
/// before and does not answer for longer than ``timeout`` counts as lost until it answers again.
@MainActor
struct TerminalWatch {
    /// The period of the requests.
    static let period: Duration = .milliseconds(500)
    /// The timeout. A mobile connection's round trip is under 0.5 s; together with the period this is the shortest timeout
    /// that does not stop a flight over such a connection.
    static let timeout: Duration = .milliseconds(1500)
    /// The request.
    static let question = Array("\u{1B}[c".utf8)

    private var answeredAt: MonotonicTime?
    private(set) var isSilent = false

    /// Records an answer.
    mutating func answered(at now: MonotonicTime) {
        answeredAt = now
        isSilent = false
    }

    /// Checks the timeout; returns whether it has just expired.
    mutating func timesOut(at now: MonotonicTime) -> Bool {
        guard !isSilent, let answeredAt, now - answeredAt > Self.timeout else { return false }
        isSilent = true
        return true
    }

    /// Restarts after the program was suspended: answers missing from that time do not count.
    mutating func restart() { answeredAt = nil }
}
