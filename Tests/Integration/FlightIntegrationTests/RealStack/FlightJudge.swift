import Foundation
import IntegrationKit
import Synchronization
import Testing

/// How much the machine kept a flight of the real flight stack from being flown as it was commanded.
struct Starvation: CustomStringConvertible {
    /// A gap in the vehicle's odometry (100 Hz) after which it is the machine that is judged, not the flight: the stack itself gives
    /// up after a second without it.
    static let mostSeconds = 0.4
    /// So long a wait for a processor, of those who steer and see, makes it the machine that is judged: setpoints pass three
    /// processes within the lease of 200 ms, and the stack itself gives up after a second.
    static let mostNanoseconds: Int64 = 100_000_000
    /// The tracker's loop runs at 100 Hz; at half of it the machine kept it waiting. It is a mean over many steps, which neither
    /// a gap nor a thread's share shows.
    static let mostStepSeconds = 0.02

    /// The longest time without odometry.
    var gapSeconds = 0.0
    /// The share of the time for which one of the vehicle's threads waited for a processor.
    var vehicleShare = 0.0
    /// The longest wait of those who steer and see.
    var waitNanoseconds: Int64 = 0
    /// The step of the vehicle's own control loop, as it measured it when it refused a trajectory; 0 where it refused none.
    var stepSeconds = 0.0

    /// Whether the vehicle did not see where it was.
    var isBlind: Bool { gapSeconds > Self.mostSeconds }

    /// Whether what went wrong says something of the machine, and nothing of the flight.
    var isDecisive: Bool {
        isBlind || vehicleShare > VehicleWaits.starvedShare || waitNanoseconds > Self.mostNanoseconds
            || stepSeconds > Self.mostStepSeconds
    }

    /// The step that a refusal names: `smaller than the tracker's internal step size: 0.0415 s`.
    static func stepSeconds(in issue: String) -> Double {
        guard let name = issue.range(of: "internal step size: ") else { return 0 }
        return Double(issue[name.upperBound...].prefix { $0.isNumber || $0 == "." }) ?? 0
    }

    var description: String {
        "no odometry for \(gapSeconds) s, a thread of the vehicle waited for a processor for "
            + "\(Int(vehicleShare * 100)) % of the time, one of the others for \(waitNanoseconds / 1_000_000) ms"
            + (stepSeconds > 0 ? ", its control loop stepped every \(stepSeconds) s" : "")
    }
}

/// The flights that are flown again because the machine spoiled them: each is said aloud, and there are only so many.
struct Reflights {
    /// So many may be flown again.
    let most: Int
    /// So many were.
    private(set) var count = 0
    private let report: (String) -> Void

    init(most: Int, report: @escaping (String) -> Void = { print($0) }) {
        self.most = most
        self.report = report
    }

    /// Whether a flight that the machine spoiled is to be flown again.
    mutating func grants(_ flight: String, _ starvation: Starvation, _ what: String) -> Bool {
        report("NOT JUDGED: \(flight): \(starvation); \(what)")
        guard count < most else { return false }
        count += 1
        return true
    }
}

/// Excuses what goes wrong in one flight where the machine is to blame, and remembers it.
final class FlightJudge: Sendable {
    private struct State {
        var measure: (@Sendable () -> Starvation)?
        var excuse: (starvation: Starvation, what: String)?
    }

    private let state = Mutex(State())

    /// What goes wrong from now on is judged by this.
    func measure(_ measure: @escaping @Sendable () -> Starvation) { state.withLock { $0.measure = measure } }

    /// Measures for the last time: what is ended afterwards can no longer be measured.
    func settle() {
        guard let starvation = state.withLock({ $0.measure })?() else { return }
        measure { starvation }
    }

    /// Whether an issue is the machine's.
    func excuses(_ issue: Issue) -> Bool {
        guard var starvation = state.withLock({ $0.measure })?() else { return false }
        let what = "\(issue)"
        starvation.stepSeconds = Starvation.stepSeconds(in: what)
        guard starvation.isDecisive else { return false }
        let measured = starvation
        state.withLock { state in
            if state.excuse == nil { state.excuse = (measured, what) }
        }
        return true
    }

    /// The first issue that was the machine's; `nil` when the flight was judged.
    var excuse: (starvation: Starvation, what: String)? { state.withLock { $0.excuse } }
}

/// Flies, and again where the machine spoiled the flight; what goes wrong in another is an issue of the test.
///
/// - Returns: whether one could be judged.
func flights(
    _ name: String, most: Int = 3, report: @escaping (String) -> Void = { print($0) },
    _ fly: (FlightJudge) async throws -> Void
) async throws -> Bool {
    var again = Reflights(most: most - 1, report: report)
    while true {
        let judge = FlightJudge()
        try await withKnownIssue("the machine kept the processes waiting", isIntermittent: true) {
            try await fly(judge)
        } matching: {
            judge.excuses($0)
        }
        guard let excuse = judge.excuse else { return true }
        guard again.grants(name, excuse.starvation, excuse.what) else { return false }
    }
}

/// Flies until a flight can be judged, three times at most: a test of which none could be has not passed.
func untilJudged(_ name: String, _ fly: (FlightJudge) async throws -> Void) async throws {
    guard try await !flights(name, fly) else { return }
    Issue.record("\(name): no flight could be judged on this machine, since it kept the processes waiting in each")
}
