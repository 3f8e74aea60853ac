internal import Synchronization
internal import UAVLink

/// The channels that something has open, to be closed together.
final class ChannelRegister: Sendable {
    private struct State {
        var channels: [ObjectIdentifier: SSHChannel] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Adds a channel; it is closed at once when all have been closed already.
    func add(_ channel: SSHChannel) {
        let isLate = state.withLock { state in
            if !state.isClosed { state.channels[ObjectIdentifier(channel)] = channel }
            return state.isClosed
        }
        if isLate { channel.close() }
    }

    func remove(_ channel: SSHChannel) {
        _ = state.withLock { $0.channels.removeValue(forKey: ObjectIdentifier(channel)) }
    }

    /// Closes all of them; those that come later only when `forEver`.
    func closeAll(forEver: Bool) {
        let channels = state.withLock { state in
            defer { state.channels = [:] }
            if forEver { state.isClosed = true }
            return Array(state.channels.values)
        }
        for channel in channels { channel.close() }
    }
}
