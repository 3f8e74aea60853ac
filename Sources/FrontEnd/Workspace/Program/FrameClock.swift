internal import UAVLink

/// Says when to draw: at once after a pause, otherwise at most 30 times a second however often it is asked.
@MainActor
final class FrameClock {
    /// 30 frames a second: what moves faster than that on a cell grid cannot be followed.
    static let period: Duration = .milliseconds(33)

    private let pacemaker: any Pacemaker
    private let draw: () -> Void
    private var last: MonotonicTime?
    private var waiting: Task<Void, Never>?

    init(pacemaker: any Pacemaker, draw: @escaping () -> Void) {
        self.pacemaker = pacemaker
        self.draw = draw
    }

    isolated deinit { waiting?.cancel() }

    /// Something has changed.
    func request() {
        guard waiting == nil else { return }
        let now = pacemaker.clock.now
        let since = last.map { now - $0 } ?? Self.period
        // Even "at once" is after everything that the present event changes.
        waiting = Task { @MainActor [weak self, pacemaker] in
            if since < Self.period {
                guard await pacemaker.pause(Self.period - since) else { return }
            }
            self?.frame()
        }
    }

    /// Draws no more.
    func end() {
        waiting?.cancel()
        waiting = nil
    }

    private func frame() {
        waiting = nil
        last = pacemaker.clock.now
        draw()
    }
}
