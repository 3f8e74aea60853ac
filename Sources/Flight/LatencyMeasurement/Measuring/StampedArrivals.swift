internal import UAVLink

/// Messages of telemetry that have reached the ground, with the stamps that they had: their age counts from those.
struct StampedArrivals: Sendable {
    private var messages: [(stampedAt: MonotonicTime?, arrivedAt: MonotonicTime, round: Int)] = []
    /// How long they were listened for.
    var seconds = 0.0

    /// Adds those of a turn that have arrived since it began.
    mutating func add(
        _ heard: [(stampedAt: MonotonicTime?, arrivedAt: MonotonicTime)], of turn: Turn, from began: MonotonicTime,
        to ended: MonotonicTime
    ) {
        messages += heard.lazy.filter { $0.arrivedAt >= began }.map { ($0.stampedAt, $0.arrivedAt, turn.round) }
        seconds += (ended - began).inSeconds
    }

    /// Adds one.
    mutating func add(stampedAt: MonotonicTime?, arrivedAt: MonotonicTime) {
        messages.append((stampedAt, arrivedAt, 0))
    }

    /// Ages of the messages.
    ///
    /// - Parameters:
    ///   - start: the start of the run, from which the intended times count.
    ///   - track: the vehicle's clocks; `nil` when they were not measured.
    ///   - stampClock: the clock of the stamps as the companion knows it; `nil` if it does not, or without a companion.
    ///   - silence: what it means that there are none.
    func measured(
        since start: MonotonicTime, _ track: StampTrack?, _ stampClock: StampClock?, over link: String,
        silence: String = "no messages with timestamps received from the vehicle"
    ) -> Measured {
        if let obstacle = StampObstacle(stampClock) { return .absent(obstacle.absence(over: link)) }
        let stamped = messages.compactMap { entry in entry.stampedAt.map { ($0, entry.arrivedAt, entry.round) } }
        guard !stamped.isEmpty else { return .absent(silence) }
        let samples = stamped.enumerated().map { number, entry in
            StampTrack.sample(track, number, stampedAt: entry.0, arrivedAt: entry.1, since: start, round: entry.2)
        }
        var series = LatencySeries(
            samples: samples, traffic: .init(intended: samples.count, sent: samples.count),
            clock: track?.track.relation(over: samples, since: start) ?? .unknown,
            achievedHertz: seconds > 0 ? Double(samples.count) / seconds : nil, origin: .stamp)
        // The vehicle's messages are not counted where they leave.
        series.hasArrivalsOnly = true
        return .series(series)
    }
}
