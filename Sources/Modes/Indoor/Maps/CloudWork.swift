internal import PointCloud
internal import Synchronization
internal import Threads

/// Runs what computes for long on a thread of its own: it tells how far it is and ends when its task is cancelled.
enum CloudWork {
    /// - Parameter told: the fraction done, 0 to 1; called on that thread.
    static func run<Value: Sendable>(
        told: @escaping @Sendable (Double) -> Void,
        _ body: @escaping @Sendable (CloudProgress) throws(MapFailure) -> Value
    ) async throws(MapFailure) -> Value {
        let wanted = Wanted()
        let progress = CloudProgress { fraction in
            told(fraction)
            return wanted.isWanted
        }
        let outcome = await withTaskCancellationHandler {
            await OwnThread.run { () -> Result<Value, MapFailure> in
                do throws(MapFailure) { return .success(try body(progress)) } catch { return .failure(error) }
            }
        } onCancel: {
            wanted.giveUp()
        }
        guard let outcome else { throw .file("the system has no thread left to load the map on") }
        return try outcome.get()
    }

    private final class Wanted: Sendable {
        private let flag = Atomic(true)
        var isWanted: Bool { flag.load(ordering: .relaxed) }
        func giveUp() { flag.store(false, ordering: .relaxed) }
    }
}
