internal import FlightControl
internal import ReportKit
internal import UAVLink

/// The newest notice, until it expires or its screen is left, and those before it.
struct NoticeLine {
    /// How many notices can be read again.
    static let kept = 100
    /// A notice this new has not been read: it says why the screen changes, and belongs to the next one.
    private static let unread: Duration = .milliseconds(100)

    /// The newest notice; `nil` when none is shown.
    private(set) var notice: Notice?
    /// The notices so far, newest first.
    private(set) var history: [PastNotice] = []
    private let begun: MonotonicTime
    private var shownAt: MonotonicTime
    /// How many commands of the user had begun when the notice was said.
    private var commands = 0
    /// Whether the notice came about by itself, and answers nothing that the user did.
    private var isNews = false

    init(now: MonotonicTime) { (begun, shownAt) = (now, now) }

    /// Shows a notice in place of the one before.
    ///
    /// - Parameter commands: how many commands of the user have begun.
    mutating func say(_ notice: Notice, now: MonotonicTime, commands: Int = 0) {
        self.notice = notice
        (shownAt, isNews, self.commands) = (now, false, commands)
        history.insert(PastNotice(notice, at: Self.time(now - begun)), at: 0)
        if history.count > Self.kept { history.removeLast() }
    }

    /// Shows what came about by itself, or, while the error of a command is shown, only keeps what is no bad news: that a link is
    /// restored must not hide that a stop was not executed before.
    mutating func note(_ news: Notice, now: MonotonicTime, commands: Int = 0) {
        let (before, since, wasNews) = (notice, shownAt, isNews)
        say(news, now: now, commands: commands)
        isNews = true
        guard let before, before.weight == .error, !wasNews, news.weight == .success || news.weight == .information
        else {
            return
        }
        (notice, shownAt, isNews) = (before, since, false)
    }

    /// Ends a notice that has been shown for long enough, and what the user did with success when a command has begun since: it would be
    /// taken for what the vehicle does now.
    ///
    /// - Parameter commands: how many commands of the user have begun.
    mutating func expire(now: MonotonicTime, commands: Int = 0) {
        let isOvertaken = commands != self.commands && notice?.weight == .success && !isNews
        if now - shownAt >= Notice.shownFor || isOvertaken { notice = nil }
    }

    /// Ends the notice that is shown; the history keeps it.
    mutating func clear() { notice = nil }

    /// Another screen was opened: a notice about the one before ends.
    mutating func screenChanged(now: MonotonicTime) {
        if notice?.scope == .screen, now - shownAt >= Self.unread { notice = nil }
    }

    /// `0:12:03`
    private static func time(_ sinceStart: Duration) -> String {
        let seconds = Int(saturating: sinceStart.inSeconds)
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(seconds / 3600):\(padded(seconds / 60 % 60)):\(padded(seconds % 60))"
    }
}
