/// A timer; its callback may set the next deadline.
final class LoopTimer: LoopHandler {
    let descriptor: Int32 = -1
    let interest: Readiness = []
    private(set) var deadline: ContinuousClock.Instant?
    private(set) var isFinished = false
    private let fire: (LoopTimer, LoopCore) -> Void

    init(_ fire: @escaping (LoopTimer, LoopCore) -> Void) { self.fire = fire }

    /// Sets the next deadline; `nil` for none.
    func set(_ deadline: ContinuousClock.Instant?) { self.deadline = deadline }

    /// Stops the timer and removes it from the loop.
    func finish() { isFinished = true }

    func ready(_ readiness: Readiness, on loop: LoopCore) {}

    func deadlinePassed(on loop: LoopCore) {
        deadline = nil
        fire(self, loop)
    }

    func loopWillStop(on loop: LoopCore) {}
}
