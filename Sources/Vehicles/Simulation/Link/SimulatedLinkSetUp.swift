public import UAVLink

extension SimulatedLink {
    /// Creates a link to a vehicle of that name, on the ground of the standard world.
    ///
    /// - Throws: ``UAVLink/LinkError`` with `invalidInput`.
    public convenience init(vehicle: String, seed: UInt64 = 1) throws(LinkError) {
        var configuration = SimulatorConfiguration()
        configuration.vehicle = vehicle
        configuration.seed = seed
        do {
            self.init(try HexacopterSimulator(configuration))
        } catch {
            throw LinkError(.invalidInput, error.description)
        }
    }
}
