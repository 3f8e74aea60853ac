/// Learns a topic's usual rate from its first messages, and judges the later ones against it.
///
/// No clock, no I/O: each message is passed with the time at which it was received. Its memory does not grow.
///
/// ```
///   messages ─▶ slices of at least a second and two intervals, from message to message
///                 ├─ the first five: their median is the usual rate
///                 ╰─ later: two in a row below half of it ─▶ slow; two in a row above 70 % ─▶ good
///                           five in a row above 125 % ─▶ their median is the usual rate from now on
/// ```
/// Slices count messages instead of measuring single intervals: a network delivers several messages at one instant. The
/// median is not changed by a pause or a burst in two of the five.
public struct TopicRateLearner: Sendable {
    /// At 10 Hz and more the usual rate is known after five seconds, at 1 Hz after ten.
    private static let learningSlices = 5
    private static let leastSliceSeconds = 1.0
    private static let leastSliceIntervals = 2.0
    /// Slices in a row that change the judgement: two of at least a second.
    private static let decidingSlices = 2
    /// A topic that was learned while the machine was busy turns out to be faster.
    private static let risenShare = 1.25
    private static let silentIntervals = 3.0
    private static let leastSilentSeconds = 1.0
    /// While the rate is being learned, a pause counts from this many intervals on, of at least this many messages.
    private static let longPauseIntervals = 5.0
    private static let leastPauseMessages: UInt64 = 10

    /// The usual messages per second; `nil` while it is being learned.
    public private(set) var usualHertz: Double?
    /// The messages per second of the newest complete slice.
    public private(set) var latestHertz: Double?

    private var last: MonotonicTime?
    private var sliceBegin = MonotonicTime(nanoseconds: 0)
    private var sliceIntervals: UInt64 = 0
    /// While learning: the rates of the slices so far. Later: those in a row that are faster than usual.
    private var rates: [Double] = []
    private var slowInRow = 0
    private var goodInRow = 0
    private var isSlow = false
    private var seenSeconds = 0.0
    private var seenIntervals: UInt64 = 0
    private var longestPauseSeconds = 0.0

    /// Knows nothing yet.
    public init() {}

    /// Takes a message.
    public mutating func arrive(at now: MonotonicTime) {
        guard let last, now >= last else {
            // It is the first, or the clock was set back: what began before cannot be measured.
            self.last = now
            beginSlice(at: now)
            return
        }
        self.last = now
        sliceIntervals &+= 1
        if usualHertz == nil { note(pauseSeconds: (now - last).inSeconds) }
        let seconds = (now - sliceBegin).inSeconds
        guard isComplete(seconds) else { return }
        end(sliceHertz: Double(sliceIntervals) / seconds)
        beginSlice(at: now)
    }

    /// Learns anew, since the topic's publisher may be another now.
    public mutating func forget() { self = TopicRateLearner() }

    /// How the messages arrive.
    public func condition(at now: MonotonicTime) -> TopicCondition {
        guard let last else { return .unjudged }
        let silence = (now - last).inSeconds
        guard let usualHertz else {
            guard seenIntervals >= Self.leastPauseMessages else { return .unjudged }
            // The mean interval without the longest pause.
            let interval = max(0, seenSeconds - longestPauseSeconds) / Double(seenIntervals - 1)
            let pause = max(Self.leastSilentSeconds, Self.longPauseIntervals * interval)
            if silence > 2 * pause { return .silent }
            return longestPauseSeconds > pause ? .irregular : .unjudged
        }
        if silence > max(Self.leastSilentSeconds, Self.silentIntervals / usualHertz) { return .silent }
        return isSlow ? .slow : .good
    }

    private mutating func beginSlice(at now: MonotonicTime) {
        sliceBegin = now
        sliceIntervals = 0
    }

    private mutating func note(pauseSeconds: Double) {
        seenSeconds += pauseSeconds
        seenIntervals &+= 1
        longestPauseSeconds = max(longestPauseSeconds, pauseSeconds)
    }

    private func isComplete(_ seconds: Double) -> Bool {
        guard seconds >= Self.leastSliceSeconds else { return false }
        // A rate that has fallen is noticed after the time of two usual intervals, not of two new ones.
        let intervals = usualHertz.map { $0 * seconds } ?? Double(sliceIntervals)
        return intervals >= Self.leastSliceIntervals
    }

    private mutating func end(sliceHertz hertz: Double) {
        latestHertz = hertz
        guard let usualHertz else {
            rates.append(hertz)
            learnIfEnough()
            return
        }
        slowInRow = hertz < usualHertz * TopicRate.slowShare ? min(slowInRow + 1, Self.decidingSlices) : 0
        goodInRow = hertz > usualHertz * TopicRate.recoveredShare ? min(goodInRow + 1, Self.decidingSlices) : 0
        if slowInRow == Self.decidingSlices { isSlow = true }
        if goodInRow == Self.decidingSlices { isSlow = false }
        if hertz > usualHertz * Self.risenShare {
            rates.append(hertz)
            learnIfEnough()
        } else {
            rates.removeAll(keepingCapacity: true)
        }
    }

    private mutating func learnIfEnough() {
        guard rates.count >= Self.learningSlices else { return }
        usualHertz = rates.sorted()[rates.count / 2]
        rates.removeAll(keepingCapacity: true)
    }
}
