import IntegrationKit
import Simulation
import UAVLink
import UAVTestKit

extension LinkFactory {
    /// The fake of the test kit, four times as fast as life.
    static let fake = LinkFactory(name: "fake", limits: .fourTimesAsFast) {
        let link = FakeLink(clock: SystemMonotonicClock(), speed: 4)
        link.survey.world = VehicleWorld(
            path: "/world.yaml", .document(.file, Array(FlightStack.standardWorld.utf8)))
        return LinkRig(
            link: link, silenceVehicle: { link.always(.silence) }, commandsReceived: { link.commands.count },
            loadedTrajectory: { (link.vehicle.trajectory?.points).map(HexacopterSimulator.fingerprint) })
    }
}
