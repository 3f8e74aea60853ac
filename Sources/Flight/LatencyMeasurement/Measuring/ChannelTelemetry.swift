internal import ChannelProtocol
internal import LatencyStatistics
internal import UAVLink

extension ChannelMeasurement {
    /// The series of the state frames that were sent within the windows, which are sorted and do not overlap.
    ///
    /// - Parameters:
    ///   - rounds: the round of each window; their numbers if none are given.
    ///   - stampClock: the clock of the stamps as the companion knows it; `nil` if it does not.
    func telemetry(
        _ windows: [Range<MonotonicTime>], rounds: [Int] = [], since start: MonotonicTime, clock: ClockTrack,
        stampClock: StampClock? = nil
    ) -> LatencySeries {
        let origin = TelemetryOrigin.chosen(
            stampClock,
            delays: states.map { state in
                state.record.stampedAt.map { (state.record.arrivedAt - $0).nanoseconds }
            })
        var samples: [LatencySample] = []
        var traffic = LatencySeries.Traffic(intended: 0, sent: 0)
        var (arrived, late, repeated) = (0, 0, 0)
        var newest = start
        for (key, record) in states {
            let (sent, bound) = clock.ours(record.sentAt, near: arrivals[key] ?? newest)
            newest = sent
            guard let window = Self.place(of: sent, in: windows) else { continue }
            // Without a timestamp of the vehicle that can be used, the message's arrival at the companion counts.
            let beganOnBoard = origin == .stamp ? record.stampedAt ?? record.arrivedAt : record.arrivedAt
            let began = sent - (record.sentAt - beganOnBoard)
            var sample = LatencySample(
                number: samples.count, intendedNanoseconds: (began - start).nanoseconds, nanoseconds: nil,
                round: rounds.indices.contains(window) ? rounds[window] : window)
            sample.clockBoundNanoseconds = bound
            traffic.intended += 1
            traffic.sent += 1
            repeated += repeatedDown[key] ?? 0
            if outOfOrder.contains(key) {
                late += 1
                sample.fate = .superseded
            }
            if let at = arrivals[key] {
                arrived += 1
                let whole = (at - began).nanoseconds
                sample.nanoseconds = whole
                sample.stages = StageTimes(
                    whole: whole,
                    known: [
                        .receive: waitedDown[key] ?? 0, .ros: (record.arrivedAt - beganOnBoard).nanoseconds,
                        .companion: (record.sentAt - record.arrivedAt).nanoseconds,
                    ])
            }
            samples.append(sample)
        }
        traffic.lostDown = traffic.sent - arrived - late
        traffic.duplicates = repeated
        traffic.reordered = late
        let seconds = windows.reduce(0.0) { $0 + ($1.upperBound - $1.lowerBound).inSeconds }
        return LatencySeries(
            samples: samples, traffic: traffic, clock: clock.relation(over: samples, since: start),
            achievedHertz: seconds > 0 ? Double(arrived) / seconds : nil, origin: origin)
    }

    /// Binary search: a run of a day has tens of thousands of windows and millions of frames.
    private static func place(of instant: MonotonicTime, in windows: [Range<MonotonicTime>]) -> Int? {
        var (low, high) = (0, windows.count)
        while low < high {
            let middle = (low + high) / 2
            if windows[middle].upperBound <= instant { low = middle + 1 } else { high = middle }
        }
        return low < windows.count && windows[low].contains(instant) ? low : nil
    }
}
