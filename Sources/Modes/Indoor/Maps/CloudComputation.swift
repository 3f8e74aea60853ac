internal import PointCloud
internal import Synchronization
internal import Threads

/// Runs a long computation on a dedicated thread, with progress reports; it is cancelled with the calling task.
enum CloudComputation {
    /// - Parameter onProgress: the fraction done, 0 to 1; called on that thread.
    static func run<Value: Sendable>(
        onProgress: @escaping @Sendable (Double) -> Void,
        _ body: @escaping @Sendable (CloudProgress) throws(MapFailure) -> Value
    ) async throws(MapFailure) -> Value {
        let wanted = Wanted()
        let progress = CloudProgress { fraction in
            onProgress(fraction)
            return wanted.isWanted
        }
        let outcome = await withTaskCancellationHandler {
            await DedicatedThread.run { () -> Result<Value, MapFailure> in
                do throws(MapFailure) { return .success(try body(progress)) } catch { return .failure(error) }
            }
        } onCancel: {
            wanted.giveUp()
        }
        guard let outcome else { throw .file("cannot create a thread for the map; raise 'ulimit -u'") }
        return try outcome.get()
    }

    private final class Wanted: Sendable {
        private let flag = Atomic(true)
        var isWanted: Bool { flag.load(ordering: .relaxed) }
        func giveUp() { flag.store(false, ordering: .relaxed) }
    }
}
