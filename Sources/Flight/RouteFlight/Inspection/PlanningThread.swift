internal import Synchronization
internal import Threads

/// Runs long computations on a dedicated thread; `isCancelled` becomes true when the task is cancelled.
enum PlanningThread {
    static func run<Value: Sendable>(
        _ body: @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws(InspectionFailure) -> Value
    ) async throws(InspectionFailure) -> Value {
        let wanted = Wanted()
        let outcome = await withTaskCancellationHandler {
            await DedicatedThread.run { () -> Result<Value, InspectionFailure> in
                do throws(InspectionFailure) { return .success(try body { !wanted.isWanted }) } catch {
                    return .failure(error)
                }
            }
        } onCancel: {
            wanted.giveUp()
        }
        guard let outcome else { throw .request("cannot create a thread; raise 'ulimit -u'") }
        return try outcome.get()
    }

    private final class Wanted: Sendable {
        private let flag = Atomic(true)
        var isWanted: Bool { flag.load(ordering: .relaxed) }
        func giveUp() { flag.store(false, ordering: .relaxed) }
    }
}
