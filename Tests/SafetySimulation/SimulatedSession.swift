import ChannelProtocol
import Companion
import UAVLink

/// The companion's end of a session, and what the judge wants to know of it.
final class SimulatedSession {
    let session: VehicleSession
    /// Where its ground was when it was heard last; before, frames have nowhere to go.
    var route: World.Address?
    /// The exchanges of times by which it learnt how late it is on the ground.
    var exchanges: [ExchangeOfTimes] = []
    /// Numbers of the frames that it opened.
    var opened = OpenedFrames()

    /// How many stops had begun when its ticket was issued.
    let stopsAtAdmission: UInt64

    init(_ session: VehicleSession, stops: UInt64) {
        self.session = session
        stopsAtAdmission = stops
    }
}

extension Companion.Configuration {
    /// That of a companion that starts now, by its own clock.
    static func simulated(startedAt now: MonotonicTime) -> Self {
        var configuration = Self(vehicle: "uav1")
        configuration.lease = World.lease
        configuration.firstStop = stopCount(startedAt: now)
        return configuration
    }
}
