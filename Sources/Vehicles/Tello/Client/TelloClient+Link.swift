internal import MachineLink
package import UAVLink

extension TelloClient: MachineClient {
    /// See ``takeNews()``.
    package mutating func takeNews(now: MonotonicTime) -> Telemetry? { takeNews() }

    /// See ``close()``.
    package mutating func close(now: MonotonicTime) { close() }

    /// Round trips of questions, the rate of the state, setpoints.
    package func quality(now: MonotonicTime?) -> LinkQuality {
        statistics.quality(isConnected: now.map { isConnected(now: $0) } ?? false)
    }
}
