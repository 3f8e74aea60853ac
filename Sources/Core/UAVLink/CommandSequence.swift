/// Several commands that are one command of the user, such as a take-off with arming: a stop that another ground gives after its
/// beginning ends what is left of it.
///
/// A command carries how many stops its ground knew of (``CommandIssue``). Those of a sequence that move the vehicle carry what was known
/// when the sequence began: a stop that its ground heard of since is newer than what the user commanded. Links without a companion
/// ignore it, and stops are never held back.
public final class CommandSequence: Sendable {
    /// The sequence that the running task's commands belong to; `nil` outside of one.
    @TaskLocal public static var current: CommandSequence?

    /// How many stops of its companion the link knew of when it began; `nil` if none was received.
    package let knownStops: UInt64?

    /// A sequence that begins now; ``run(over:isolation:_:)`` makes one by itself.
    package init(knownStops: UInt64?) { self.knownStops = knownStops }

    /// Runs `body`, whose commands over a link are one sequence, with those of a sequence around it.
    public static func run<Value, Failure: Error>(
        over link: any UAVLink, isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        guard current == nil else { return try await body() }
        let sequence = CommandSequence(knownStops: link.capabilities.control?.knownStops)
        let result: Result<Value, Failure> = await $current.withValue(sequence) {
            do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
        }
        return try result.get()
    }

    /// Runs `body`, whose commands belong to no sequence: each is given with what is known by then.
    package static func outside<Value>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async -> Value
    ) async -> Value {
        await $current.withValue(nil) { await body() }
    }
}
