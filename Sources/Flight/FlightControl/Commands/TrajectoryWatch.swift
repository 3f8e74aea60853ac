internal import UAVLink

/// Watches how a trajectory is followed, by the tracker's reports alone: no plan is needed.
struct TrajectoryWatch {
    /// How it ended.
    enum Ending: Hashable {
        case flown
        /// After this fraction, 0 to 1.
        case stopped(fraction: Double)
    }

    private struct Report {
        let at: MonotonicTime
        let index: Int
        let length: Int

        var fraction: Double { length > 1 ? min(1, max(0, Double(index) / Double(length - 1))) : 1 }
    }

    private var first: Report?
    private var last: Report?

    /// Tracking that ends beyond this fraction is complete; the index is reported ten times a second.
    private static let completedFraction = 0.98
    /// How far a report may lag behind the vehicle.
    private static let reportSeconds = 0.5

    /// The followed fraction in the last report, 0 to 1; `nil` before the first one.
    var fraction: Double? { last?.fraction }

    /// Takes the tracker's next report.
    ///
    /// - Returns: how it ended; `nil` before it was followed, and while it is.
    mutating func ending(_ tracker: Sample<TrackerStatus>) -> Ending? {
        let status = tracker.value
        let report = Report(at: tracker.at, index: status.trajectoryIndex, length: status.trajectoryLength)
        if status.isTrackingTrajectory {
            // One that was started again is followed from its beginning.
            if report.index < last?.index ?? .min { first = nil }
            if first == nil { first = report }
            last = report
            return nil
        }
        guard let first, let last else { return nil }
        if last.fraction > Self.completedFraction { return .flown }
        // The last sample is not always reported while it is followed: the rest may have been flown since.
        let seconds = (last.at - first.at).inSeconds
        let samplesPerSecond = seconds > 0 ? (Double(last.index) - Double(first.index)) / seconds : 0
        guard samplesPerSecond > 0 else { return .stopped(fraction: last.fraction) }
        let left = (Double(last.length) - 1 - Double(last.index)) / samplesPerSecond
        let isFlown = left <= (tracker.at - last.at).inSeconds + Self.reportSeconds
        return isFlown ? .flown : .stopped(fraction: last.fraction)
    }

    /// Whether a report without tracking is of the trajectory's end: a short one is flown between two reports.
    static func isAtEnd(_ status: TrackerStatus) -> Bool {
        status.trajectoryLength > 0 && status.trajectoryIndex >= status.trajectoryLength - 1
    }
}
