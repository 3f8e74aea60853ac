internal import UAVLink

/// The newest lines of what was sent, what has come and what became of the connection.
struct BlunoLog: Sendable {
    private var kept: [RobotLogLine] = []
    private var last: UInt64 = 0

    /// Adds a line. The repetitions of a held direction make one line.
    mutating func add(_ kind: RobotLogLine.Kind, _ bytes: [UInt8], _ now: MonotonicTime) {
        if kind == .sent, let newest = kept.last, newest.kind == .sent, newest.bytes == bytes { return }
        last &+= 1
        // In halves, so that a full log does not move all lines for each one.
        if kept.count >= RobotLogLine.most * 2 { kept.removeFirst(kept.count - RobotLogLine.most + 1) }
        kept.append(RobotLogLine(number: last, at: now, kind: kind, bytes: bytes))
    }

    /// The newest lines after that number.
    func lines(after number: UInt64) -> [RobotLogLine] {
        Array(kept.suffix(RobotLogLine.most).drop { $0.number <= number })
    }
}
