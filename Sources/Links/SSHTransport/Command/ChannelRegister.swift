internal import Synchronization
internal import UAVLink

/// An object that is open until it is closed.
protocol Closable: AnyObject, Sendable {
    func close()
}

extension SSHChannel: Closable {}

/// The open channels of one owner, closed together.
final class ChannelRegister: Sendable {
    private struct State {
        var channels: [ObjectIdentifier: any Closable] = [:]
        var isClosed = false
        /// Counts calls of ``closeAll(includingLater:)``.
        var closings: UInt64 = 0
    }

    /// A point in time between two closings: a channel begun before a closing is closed by it, even if it opens later.
    struct Moment: Hashable, Sendable {
        fileprivate let closings: UInt64
    }

    private let state = Mutex(State())

    /// The current moment.
    var now: Moment { Moment(closings: state.withLock { $0.closings }) }

    /// Adds a channel begun at `moment`; closes it at once when ``closeAll(includingLater:)`` was called since then.
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

    /// Closes all channels; with `includingLater` also those added later.
    ///
    /// - Returns: the moment after it.
    @discardableResult
    func closeAll(includingLater: Bool) -> Moment {
        let (channels, moment) = state.withLock { state in
            defer { state.channels = [:] }
            state.closings += 1
            if includingLater { state.isClosed = true }
            return (Array(state.channels.values), Moment(closings: state.closings))
        }
        for channel in channels { channel.close() }
        return moment
    }
}
