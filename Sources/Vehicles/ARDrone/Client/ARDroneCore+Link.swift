internal import MachineLink
package import UAVLink

extension ARDroneCore: MachineClient {
    /// The rate of navigation data, setpoints; there are no round trips, since nothing is answered.
    package func quality(now: MonotonicTime?) -> LinkQuality {
        statistics.quality(isConnected: now.map { isConnected(now: $0) } ?? false)
    }
}
