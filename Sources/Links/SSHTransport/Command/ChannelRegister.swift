internal import Synchronization
internal import UAVLink

/// Something that is open until it is closed.
protocol Closable: AnyObject, Sendable {
    func close()
}

extension SSHChannel: Closable {}

/// The channels that something has open, to be closed together.
final class ChannelRegister: Sendable {
    private struct State {
        var channels: [ObjectIdentifier: any Closable] = [:]
        var isClosed = false
        /// How often all were closed.
        var closings: UInt64 = 0
    }

    /// A moment: what began before a closing is closed by it, even when its channel opens only after.
    struct Moment: Hashable, Sendable {
        fileprivate let closings: UInt64
    }

    private let state = Mutex(State())

    /// The present moment.
    var now: Moment { Moment(closings: state.withLock { $0.closings }) }

    /// Adds a channel that was begun at a moment; it is closed at once when all have been closed since.
    func add(_ channel: some Closable, begunAt moment: Moment) {
        let isLate = state.withLock { state in
            let isLate = state.isClosed || state.closings != moment.closings
            if !isLate { state.channels[ObjectIdentifier(channel)] = channel }
            return isLate
        }
        if isLate { channel.close() }
    }

    func remove(_ channel: some Closable) {
        _ = state.withLock { $0.channels.removeValue(forKey: ObjectIdentifier(channel)) }
    }

    /// Closes all of them; those that come later only when `forEver`.
    func closeAll(forEver: Bool) {
        let channels = state.withLock { state in
            defer { state.channels = [:] }
            state.closings += 1
            if forEver { state.isClosed = true }
            return Array(state.channels.values)
        }
        for channel in channels { channel.close() }
    }
}
