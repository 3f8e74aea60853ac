import FlightControl
import FlightTestKit
import Foundation
import IntegrationKit
import Testing
import UAVLink

/// The real flight stack, flown over every link.
@Suite(
    .enabled(if: realFlightStackLacks == nil, "\(realFlightStackLacks ?? "")"), .serialized, .oneRealFlightStack,
    .timeLimit(.minutes(MachinePace.minutes(10))))
struct RealFlightStackFlightsTests {
    /// Take-offs and landings over each link: ten seconds each, and more over SSH. `scripts/test --flights` flies 20;
    /// here one, since each keeps more than half a processor busy while other tests run.
    static let flights = ProcessInfo.processInfo.environment["UAVLINK_TEST_FLIGHTS"].flatMap { Int($0) } ?? 1
    /// So many flights may be flown again over a link because the machine spoiled them.
    static let mostAgain = 10

    @Test(arguments: [LinkKind.ssh, .tcp, .udp, .ros])
    func `every take-off and landing of many in a row`(over kind: LinkKind) async throws {
        let stack = try await sharedStack()
        var witness = try await stack.witness()
        let begun = ContinuousClock.now
        var good = 0
        var again = Reflights(most: Self.mostAgain)
        var mostWaited = 0.0
        try await stack.withLink(kind) { link in
            let flight = FlightInteractor(.init(link: link))
            var number = 1
            _ = try await witness.track()
            var before = stack.vehicleWaits
            while number <= Self.flights {
                // The time since the flight before belongs to this one: the stack can give up on the ground, too.
                var failure: String? = try await witness.account().hadEmergency ? "an emergency on the ground" : nil
                do {
                    if let failure { throw ProcessFailure(failure) }
                    try await flight.armAndTakeOff()
                    try await flight.waitForEffect(of: .takeoff)
                    try await witness.sees("flying normally") { $0.flying == true && $0.tracker == "MpcTracker" }
                    try await flight.performAndWait(.land)
                    // After an emergency, the stack refuses the next flight.
                    if try await witness.sees("the vehicle landed", { $0.isLanded }).hadEmergency {
                        failure = "an emergency in flight"
                    }
                } catch let error as FlightInteractor.Failure {
                    failure = "\(error)"
                } catch let error as ProcessFailure {
                    failure = "\(error)"
                }
                let track = try await FlightTrack(witness, named: "flight-\(kind)-\(number)")
                let waited = stack.vehicleWaits.share(since: before)
                before = stack.vehicleWaits
                mostWaited = max(mostWaited, waited)
                let starvation = Starvation(gapSeconds: track.longestGap, vehicleShare: waited)
                let name = "flight \(number) over \(kind)"
                let isStarved = starvation.isBlind || (failure != nil && starvation.isDecisive)
                if isStarved, again.grants(name, starvation, failure ?? "it went well") {
                    if failure != nil {
                        print(stack.vehicleWarnings)
                        try await stack.ground()
                        // With the vehicle it may be another one.
                        witness = try await stack.witness()
                        before = stack.vehicleWaits
                    }
                    continue
                }
                if let failure {
                    Issue.record(
                        "\(name): \(failure); \(try await witness.account()); its warnings are above"
                    )
                    print("\(name): the flight stack's warnings:\n\(stack.vehicleWarnings)")
                    try await stack.ground()
                    witness = try await stack.witness()
                    before = stack.vehicleWaits
                } else {
                    let faults = faults(of: track)
                    if !faults.isEmpty, starvation.isDecisive, again.grants(name, starvation, "\(faults)") { continue }
                    #expect(faults.isEmpty, "\(name): \(faults)")
                    good += 1
                }
                number += 1
            }
        }
        print(
            "real flight stack: \(good) of \(Self.flights) flights over \(kind) in \(ContinuousClock.now - begun),",
            "\(again.count) flown again; its threads waited for a processor \(Int(mostWaited * 100)) % of a flight at most"
        )
        #expect(good == Self.flights)
    }

    /// What is wrong with a flight. The stack's own take-off height is 1.5 m; it is flown by the usual tracker a little below
    /// that. Its estimate of the height drifts by a few centimetres in a flight.
    private func faults(of track: FlightTrack) -> [String] {
        let (risen, left) = (track.highest - track.firstHeight, track.lastHeight - track.firstHeight)
        var faults: [String] = []
        if !(0.8...2).contains(risen) { faults.append("it rose by \(risen) m") }
        if !(abs(left) < 0.3) { faults.append("it ended \(left) m above its first height") }
        if !(track.widest < 0.5) { faults.append("it went \(track.widest) m to the side") }
        return faults
    }
}
