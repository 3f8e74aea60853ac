/// The tasks of a mode: cancelled together when it is detached, or when the bag is released.
@MainActor
package final class TaskBag {
    private var tasks: [UInt64: Task<Void, Never>] = [:]
    private var next: UInt64 = 0

    package init() {}

    isolated deinit { for task in tasks.values { task.cancel() } }

    /// Starts a task; it is removed when it ends.
    ///
    /// - Returns: the task, to cancel it alone.
    @discardableResult
    package func start(_ body: @escaping @MainActor () async -> Void) -> Task<Void, Never> {
        let number = next
        next += 1
        let task = Task { @MainActor [weak self] in
            await body()
            self?.tasks[number] = nil
        }
        tasks[number] = task
        return task
    }

    /// The number of running tasks.
    package var count: Int { tasks.count }

    package func cancelAll() {
        for task in tasks.values { task.cancel() }
        tasks = [:]
    }
}
