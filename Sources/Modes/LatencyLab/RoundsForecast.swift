internal import LatencyMeasurement
internal import UAVLink

/// When the rounds of a condition will end, by how long turns took: a round is measured to its end, and over slow links one round may take
/// as long as was planned for all.
struct RoundsForecast {
    /// How many are planned; `nil` for as many as fit.
    private let rounds: Int?
    /// The time that they may take, seconds; `nil` for no bound.
    private let seconds: Double?
    private var links: [MeasuredLink]
    /// How long each link's last turn took, seconds: in the first round slow links do more.
    private var lengths: [MeasuredLink: Double] = [:]
    /// When the first round began.
    private var began: MonotonicTime?
    /// When the present round began; between two rounds when the last one ended.
    private var roundBegan: MonotonicTime?
    private var turnBegan: MonotonicTime?
    /// The turns of the present round, the present one last.
    private var turns: [MeasuredLink] = []
    private var done = 0
    /// The longest round but the first, seconds.
    private var longest = 0.0

    init(_ plan: MeasuringPlan) { (rounds, seconds, links) = (plan.rounds, plan.duration?.inSeconds, plan.links) }

    /// A link is not measured.
    mutating func leaveOut(_ link: MeasuredLink) { links.removeAll { $0 == link } }

    /// A condition begins. How long turns took under the one before is the best that is known.
    mutating func beginCondition() {
        (began, roundBegan, turnBegan, turns, done, longest) = (nil, nil, nil, [], 0, 0)
    }

    /// A link's turn begins.
    mutating func beginTurn(of link: MeasuredLink, at now: MonotonicTime) {
        endTurn(at: now)
        began = began ?? now
        roundBegan = roundBegan ?? now
        turns.append(link)
        turnBegan = now
    }

    /// A round has ended, so long after the first one began.
    mutating func endRound(at now: MonotonicTime, elapsed: Duration) {
        endTurn(at: now)
        began = began ?? now - elapsed
        if done > 0, let roundBegan { longest = max(longest, (now - roundBegan).inSeconds) }
        done += 1
        (roundBegan, turns) = (now, [])
    }

    private mutating func endTurn(at now: MonotonicTime) {
        guard let begun = turnBegan, let link = turns.last else { return }
        lengths[link] = (now - begun).inSeconds
        turnBegan = nil
    }

    /// When the last round will end; `nil` before the first turn has.
    func end(at now: MonotonicTime) -> MonotonicTime? {
        guard let began, let roundBegan, !lengths.isEmpty else { return nil }
        let mean = lengths.values.reduce(0, +) / Double(lengths.count)
        func length(of links: [MeasuredLink]) -> Double { links.reduce(0) { $0 + (lengths[$1] ?? mean) } }
        let whole = length(of: links)
        guard whole > 0 else { return nil }
        var (end, finished) = ((roundBegan - began).inSeconds, done)
        if let turnBegan, let link = turns.last {
            let present = max(0, length(of: [link]) - (now - turnBegan).inSeconds)
            end = (now - began).inSeconds + present + length(of: links.filter { !turns.contains($0) })
            finished += 1
        }
        if let rounds {
            end += Double(max(0, rounds - finished)) * whole
        } else if let seconds {
            // As the measurement decides: another round, unless it would exceed the time by more than half of one. The first says nothing of
            // those that follow.
            if finished <= 1, end < seconds { end += whole }
            end += max(0, ((seconds - max(longest, whole) / 2 - end) / whole).rounded(.up)) * whole
        }
        return began + .seconds(end)
    }
}
