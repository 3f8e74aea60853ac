internal import UAVLink

/// Limits the rate of drawing: immediately after a pause, otherwise at most 30 times per second.
@MainActor
final class FrameRateLimiter {
    /// The least interval of frames: 30 per second suffice on a cell grid.
    static let period: Duration = .milliseconds(33)

    private let timeSource: any TimeSource
    private let draw: () -> Void
    private var last: MonotonicTime?
    private var waiting: Task<Void, Never>?

    init(timeSource: any TimeSource, draw: @escaping () -> Void) {
        self.timeSource = timeSource
        self.draw = draw
    }

    isolated deinit { waiting?.cancel() }

    /// Requests a frame because something has changed.
    func request() {
        guard waiting == nil else { return }
        let now = timeSource.clock.now
        let since = last.map { now - $0 } ?? Self.period
        // Also without a pause the task runs only after the current event has been handled.
        waiting = Task { @MainActor [weak self, timeSource] in
            if since < Self.period {
                guard await timeSource.pause(Self.period - since) else { return }
            }
            self?.frame()
        }
    }

    /// Stops drawing.
    func end() {
        waiting?.cancel()
        waiting = nil
    }

    private func frame() {
        waiting = nil
        last = timeSource.clock.now
        draw()
    }
}
