/// Suspends the calling task until nothing more can happen by itself: every other task waits for something that only a test
/// can bring about (a clock that it moves, a gate that it opens), and no thread of ours computes.
///
/// It takes as long as that takes, and no longer; nothing is counted and no clock is looked at. Other tests of the process
/// are waited for too, as far as they can go on by themselves.
public func settle() async {
    precondition(
        TestExecutor.shared.isRunning,
        "settle() needs the test executor: run this test on Linux, without UAVLINK_TEST_EXECUTOR=system in the environment"
    )
    await TestExecutor.shared.settle()
}

/// Waits until a condition holds or nothing more can happen; says whether it holds.
public func becomesTrue(_ condition: () async throws -> Bool) async rethrows -> Bool {
    if try await condition() { return true }
    await settle()
    return try await condition()
}
