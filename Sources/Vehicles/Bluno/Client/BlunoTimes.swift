/// The times of a robot's client.
package enum BlunoTimes {
    /// A board that is opened over USB may be reset by it, and then starts for about 1.5 s, in which it takes what comes for a new
    /// program.
    package static let settling: Duration = .seconds(2)
    /// From one character of a held direction to the next.
    package static let repetition: Duration = .milliseconds(100)
    /// From one speed to the next, while it changes: at most ten a second.
    package static let speedPeriod: Duration = .milliseconds(100)
    /// From one sending of a stop to the next.
    package static let stopRepetition: Duration = .milliseconds(100)
    /// How often a stop is sent: nothing acknowledges it.
    package static let stops = 3
    /// A line that has not ended for so long is taken as it is.
    package static let linePause: Duration = .milliseconds(250)
    /// From one attempt to reach a board that is gone to the next.
    package static let reconnection: Duration = .seconds(1)
}
