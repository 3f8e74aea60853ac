import Foundation
import IntegrationKit
import Testing
import UAVLink
import VehicleAccess

/// One stack of real servers for the tests of a suite; it is started when the first of them needs it.
struct OneFlightStack: SuiteTrait, TestScoping {
    @TaskLocal static var shared = SharedFlightStack()

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        let stack = SharedFlightStack()
        do {
            try await Self.$shared.withValue(stack) { try await function() }
        } catch {
            await stack.stop()
            throw error
        }
        await stack.stop()
    }
}

extension Trait where Self == OneFlightStack {
    /// The tests of this suite share one stack of real servers.
    static var oneFlightStack: Self { Self() }
}

/// The stack of the running suite, its vehicle on the ground.
func sharedStack() async throws -> FlightStack { try await OneFlightStack.shared.grounded() }

extension FlightStack {
    /// A way to the vehicle as the profile has it, or a configuration file beside it.
    func connector(_ path: String? = nil) throws -> VehicleConnector {
        let profile = try ConfigurationFile(path: path ?? configuration, environment: [:]).read().profile(named: nil)
        return VehicleConnector(profile: profile, credentials: Credentials(), environment: rosEnvironment)
    }

    /// Runs `body` over a connected link and closes it whatever happens.
    func withLink(
        _ kind: LinkKind, _ body: (any UAVLink) async throws -> Void
    ) async throws {
        let connector = try connector()
        let result: Result<Void, any Error>
        do {
            let link = try await connector.connect(.only(kind), within: .seconds(60))
            do { result = .success(try await body(link)) } catch { result = .failure(error) }
            await link.close()
        } catch {
            result = .failure(error)
        }
        await connector.close()
        try result.get()
    }
}

/// Expects that a program ended in the way in which a failure is told: this exit code, one line on standard error that
/// says what and what to do, nothing on standard output, and all of it in time.
func expectFailure(
    _ outcome: FlightStack.Outcome, code: Int32, saying words: [String], within limit: Duration = .seconds(30),
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let lines = outcome.errors.split(separator: "\n")
    let comment: Comment = "\(outcome)"
    #expect(outcome.status == code, comment, sourceLocation: sourceLocation)
    #expect(lines.count == 1, comment, sourceLocation: sourceLocation)
    #expect(lines.first?.hasPrefix("uavlink: ") == true, comment, sourceLocation: sourceLocation)
    #expect(lines.first?.contains("; ") == true, "no hint: \(comment)", sourceLocation: sourceLocation)
    for word in words { #expect(outcome.errors.contains(word), comment, sourceLocation: sourceLocation) }
    #expect(outcome.output.isEmpty, comment, sourceLocation: sourceLocation)
    #expect(outcome.duration < limit, comment, sourceLocation: sourceLocation)
}

/// The one JSON object that a program printed.
func json(_ outcome: FlightStack.Outcome, sourceLocation: SourceLocation = #_sourceLocation) throws -> [String: Any] {
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 1, "\(outcome)", sourceLocation: sourceLocation)
    let object = try JSONSerialization.jsonObject(with: Data((lines.last ?? "").utf8))
    return try #require(object as? [String: Any], "\(outcome)", sourceLocation: sourceLocation)
}
