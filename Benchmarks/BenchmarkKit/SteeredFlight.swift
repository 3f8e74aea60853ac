/// What became of a run of setpoints.
package struct SteeredFlight: Sendable {
    /// Of those that arrived, from the instants for which they were intended.
    package var timings = Timings()
    package var arrived = 0
    package var missed = 0
    package var doubled = 0
    package var outOfOrder = 0
    package var failures = 0

    /// - Parameters:
    ///   - called: when each setpoint was given to `steer`, the first being number 1.
    ///   - start: for when the first one was intended.
    ///   - period: from one to the next, nanoseconds.
    ///   - records: when which number arrived, in the order of arrival.
    package init(
        called: [Int64], from start: Int64, every period: Int64, records: [(at: Int64, number: Int64)], failures: Int
    ) {
        self.failures = failures
        var times = [Int](repeating: 0, count: called.count)
        var last: Int64 = 0
        for record in records where record.number > 0 {
            guard let index = Int(exactly: record.number - 1), called.indices.contains(index) else { continue }
            times[index] += 1
            if record.number < last { outOfOrder += 1 }
            last = record.number
            guard times[index] == 1 else { continue }
            let intended = start + Int64(index) * period
            timings += Timings(latencies: [record.at - intended], lateness: [called[index] - intended])
        }
        arrived = times.count { $0 > 0 }
        missed = called.count - arrived
        doubled = times.count { $0 > 1 }
    }
}
