internal import Synchronization
internal import Threads

/// Runs what computes for long on a thread of its own; it learns when its task is cancelled.
enum PlanningThread {
    static func run<Value: Sendable>(
        _ body: @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws(InspectionFailure) -> Value
    ) async throws(InspectionFailure) -> Value {
        let wanted = Wanted()
        let outcome = await withTaskCancellationHandler {
            await OwnThread.run { () -> Result<Value, InspectionFailure> in
                do throws(InspectionFailure) { return .success(try body { !wanted.isWanted }) } catch {
                    return .failure(error)
                }
            }
        } onCancel: {
            wanted.giveUp()
        }
        guard let outcome else { throw .request("the system has no thread left to plan on") }
        return try outcome.get()
    }

    private final class Wanted: Sendable {
        private let flag = Atomic(true)
        var isWanted: Bool { flag.load(ordering: .relaxed) }
        func giveUp() { flag.store(false, ordering: .relaxed) }
    }
}
