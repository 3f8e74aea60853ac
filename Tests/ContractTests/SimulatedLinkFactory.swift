import Simulation
import UAVLink

extension LinkFactory {
    /// The simulator in this process, four times as fast as life.
    static let simulated = LinkFactory(name: "simulated", vehicle: .simulatedMRS, limits: .fourTimesAsFast) {
        var settings = SimulatedLink.Settings()
        settings.speed = 4
        let link = SimulatedLink(try HexacopterSimulator(), settings: settings)
        return LinkRig(
            link: link, silenceVehicle: { link.freeze(true) },
            loadedTrajectory: { link.loadedTrajectory.map(HexacopterSimulator.fingerprint) })
    }
}
