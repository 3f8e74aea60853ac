package import Simulation
internal import SystemKit
package import UAVLink

extension VehicleProfile {
    /// The profile of a simulated vehicle in the place of this one: of the same name in ROS, with its world, its camera and its rates,
    /// and on no host.
    package var simulation: VehicleProfile {
        var simulated = VehicleProfile.simulated
        simulated.vehicle = vehicle
        (simulated.world, simulated.snapshotService, simulated.rates) = (world, snapshotService, rates)
        return simulated
    }

    /// The link to a vehicle simulated in this process, which has the world that the profile names and the service of its camera; not
    /// connected yet.
    ///
    /// - Parameter start: where it stands; see ``Simulation/SimulatedLink/init(vehicle:seed:snapshotService:world:start:)``.
    /// - Throws: ``UAVLink/LinkError`` with `invalidInput`, for a world file that cannot be read too: in another world a check of a route
    ///   would say nothing of its flight.
    package func simulatedLink(seed: UInt64 = 1, start: Pose? = nil) throws(LinkError) -> SimulatedLink {
        var document: SimulatedLink.WorldDocument?
        if let world {
            do throws(SmallFile.Failure) {
                let bytes = try SmallFile.readRegular(FilePath.expandingHome(world), limit: VehicleWorld.mostBytes)
                document = SimulatedLink.WorldDocument(bytes, name: world)
            } catch {
                throw LinkError(
                    .invalidInput, "cannot read the world file \(world.sanitizedLine) of the profile (\(error))",
                    hint: "correct 'world' in the configuration")
            }
        }
        return try SimulatedLink(
            vehicle: vehicle, seed: seed, snapshotService: snapshotService, world: document, start: start)
    }
}
