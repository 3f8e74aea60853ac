/// A timer; its callback may set the next deadline.
package final class LoopTimer: LoopHandler {
    package let descriptor: Int32 = -1
    package var owner: AnyObject? { nil }
    package let interest: Readiness = []
    package private(set) var deadline: ContinuousClock.Instant?
    package private(set) var isFinished = false
    private let fire: (LoopTimer, LoopCore) -> Void

    /// Creates a timer without a deadline.
    package init(_ fire: @escaping (LoopTimer, LoopCore) -> Void) { self.fire = fire }

    /// Sets the next deadline; `nil` for none.
    package func set(_ deadline: ContinuousClock.Instant?) { self.deadline = deadline }

    /// Stops the timer and removes it from the loop.
    package func finish() { isFinished = true }

    package func ready(_ readiness: Readiness, on loop: LoopCore) {}

    package func deadlinePassed(on loop: LoopCore) {
        deadline = nil
        fire(self, loop)
    }

    package func loopWillStop(on loop: LoopCore) {}
}
