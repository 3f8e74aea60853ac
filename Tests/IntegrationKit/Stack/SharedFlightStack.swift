/// One stack for all the tests of a suite: started when the first of them asks for it, ended by the suite's trait.
///
/// ```swift
/// struct OneFlightStack: SuiteTrait, TestScoping {
///     @TaskLocal static var shared = SharedFlightStack()
///     ...
/// }
/// ```
public actor SharedFlightStack {
    private let vehicle: FlightStack.Vehicle
    private var starting: Task<FlightStack, any Error>?

    /// Nothing is started yet.
    public init(_ vehicle: FlightStack.Vehicle = .simulator) { self.vehicle = vehicle }

    /// The stack with its vehicle on the ground.
    public func grounded() async throws -> FlightStack {
        let task = starting ?? Task { [vehicle] in try await Self.start(vehicle) }
        starting = task
        let stack = try await task.value
        try await stack.ground()
        return stack
    }

    private static func start(_ vehicle: FlightStack.Vehicle) async throws -> FlightStack {
        let stack = try await FlightStack(vehicle)
        do { try await stack.start() } catch {
            await stack.stop()
            throw error
        }
        return stack
    }

    /// Ends it, when it was started.
    public func stop() async {
        let task = starting
        starting = nil
        if let stack = try? await task?.value { await stack.stop() }
    }
}
