/// The times of the client, with what chose them. None was measured with a real drone.
package enum ARDroneTimes {
    /// From one datagram of the control loop to the next: the guide wants about 30 ms, and the drone's watchdog has 50 ms.
    package static let loop: Duration = .milliseconds(30)
    /// The request for navigation data, until it comes.
    package static let request: Duration = .milliseconds(200)
    /// A configuration that was not acknowledged is sent again.
    package static let acknowledgement: Duration = .milliseconds(500)
    /// The command that clears the acknowledgement, until it is clear.
    package static let clearing: Duration = .milliseconds(50)
    /// The configuration read back on TCP takes less than a second.
    package static let reading: Duration = .seconds(3)
    /// The program counts as running for so long after it last used the link. A front end does so at least once a second.
    package static let use: Duration = .seconds(3)
    /// How often a hover is sent before the link falls silent: so that the loss of some does not matter.
    package static let hovers = 10
    /// Nothing heard for so long: what the drone does now is not known.
    package static let fresh: Duration = .milliseconds(500)
    /// Nothing heard for so long ends steering and a goto; navigation data comes at least 15 times a second.
    package static let steeringLoss: Duration = .seconds(1)
    /// Nothing heard for so long is a link loss; the drone itself counts it so after 2 s without commands.
    package static let linkLoss: Duration = .seconds(2)
    /// A watchdog that stays set for so long while commands are sent: the drone's counter of commands is ahead.
    package static let starved: Duration = .milliseconds(300)
    /// A take-off shows within a second or two; later it is not begun any more.
    package static let takeOff: Duration = .seconds(5)
    /// The longest landing: from its highest ceiling.
    package static let landing: Duration = .seconds(60)
    /// After so long without the state that was aimed at, the emergency bit is released and set again. Longer than any delay of
    /// the network, since a second edge would undo the first.
    package static let edge: Duration = .seconds(1)
    /// How long the bit is released for a new edge: three datagrams.
    package static let release: Duration = .milliseconds(90)
    /// An emergency can be cleared so long after it began, by when a falling drone lies still.
    package static let lying: Duration = .seconds(3)
    /// From one set of readings to the next: for people, who read no faster.
    package static let readings: Duration = .milliseconds(500)
    /// From a hover to the first navigation data that shows that commands arrive since.
    package static let evidence: Duration = .milliseconds(100)
    /// Satellite navigation that is older is not flown by.
    package static let position: Duration = .seconds(2)
    /// The longest goto: its battery lasts twice as long.
    package static let goTo: Duration = .seconds(300)
    /// Telemetry for the program: navigation data comes 200 times a second.
    package static let news: Duration = .milliseconds(20)
}
