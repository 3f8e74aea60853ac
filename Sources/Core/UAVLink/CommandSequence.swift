internal import Synchronization

/// Several commands that are one command of the user, such as a take-off with arming: a stop that another ground gives after the first
/// of them ends the others.
///
/// A command carries how many stops its ground knew of (``CommandIssue``). Those of a sequence carry what was known when its first one
/// was given: a stop that its ground heard of since is newer than what the user commanded. Links without a companion ignore it.
public final class CommandSequence: Sendable {
    /// The sequence that the running task's commands belong to; `nil` outside of ``run(_:)``.
    @TaskLocal public static var current: CommandSequence?

    /// For each vehicle, how many stops were known at the first command.
    private let first = Mutex<[String: UInt64?]>([:])

    /// Creates a sequence; ``run(_:)`` does so by itself.
    package init() {}

    /// Runs `body`, whose commands are one sequence, with those of a sequence around it.
    public static func run<Value, Failure: Error>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        guard current == nil else { return try await body() }
        let result: Result<Value, Failure> = await $current.withValue(CommandSequence()) {
            do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
        }
        return try result.get()
    }

    /// Runs `body`, whose commands belong to no sequence, with what is known when each is given.
    package static func outside<Value>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async -> Value
    ) async -> Value {
        await $current.withValue(nil) { await body() }
    }

    /// How many stops a command of this sequence carries.
    ///
    /// - Parameters:
    ///   - vehicle: the vehicle's name.
    ///   - known: how many stops of its companion are known now; `nil` if none was received.
    /// - Throws: ``LinkError`` if the companion counts anew, so that what it counted before tells nothing.
    package func knownStops(of vehicle: String, now known: UInt64?) throws(LinkError) -> UInt64? {
        let noted = first.withLock { first -> UInt64? in
            if let noted = first[vehicle] { return noted }
            first[vehicle] = .some(known)
            return known
        }
        guard let noted, let known, known < noted else { return noted }
        throw LinkError(
            .notInCommand, "the companion was restarted since the first command of this sequence",
            hint: "give the command again")
    }
}
