internal import UAVLink
package import VehicleAccess

extension VehicleProfile {
    /// The profile of the vehicle that is flown with this one.
    ///
    /// Over the link `sim` that is the vehicle simulated inside this program, under the same name in ROS, with the profile's world, camera
    /// and rates. It is on no host, whatever the profile's host is: nothing that is meant for it, such as a shell, may reach the computer
    /// of a real vehicle.
    package var flown: VehicleProfile {
        guard link == .only(.sim), host != nil else { return self }
        var simulated = simulation
        simulated.link = link
        return simulated
    }
}

extension LoggedInVehicle {
    /// Whether it is known to be a simulated vehicle: inside this program, or behind a companion that says so.
    ///
    /// A simulated clock does not count: a bag that is played beside a real vehicle has one too.
    package var isSimulated: Bool {
        link.kind == .sim || profile.isSimulatedOnly || link.vehicleCapabilities.isSimulated
    }
}
