/// The times of the client, with what chose them. Times "reported" are of real drones, by others; none was measured here.
package enum TelloTimes {
    /// Sticks while steering: 20 to 50 ms are usual; a stop does not wait for it.
    package static let sticks: Duration = .milliseconds(30)
    /// The neutral sticks after steering: as the companion's brake, so that the loss of some does not matter.
    package static let neutralPeriod: Duration = .milliseconds(50)
    package static let neutralCopies = 10
    /// `command` until it is answered, which takes 28 to 48 ms (reported).
    package static let handshake: Duration = .milliseconds(500)
    /// How often `sdk?` is asked before the drone is taken for one of the first edition, which answers that it does not know it.
    package static let versionAttempts = 4
    /// A question while nobody steers: it keeps the drone from landing after 15 s, and measures the round trip.
    package static let question: Duration = .seconds(2)
    /// The same while somebody steers, so that a link loss shows soon even if a firewall keeps the state away.
    package static let questionWhileSteering: Duration = .milliseconds(500)
    /// A question that was not answered for so long is given up; answers take 20 to 50 ms (reported).
    package static let answer: Duration = .seconds(1)
    /// The program counts as running for so long after it last used the link. A front end does so at least once a second.
    package static let use: Duration = .seconds(3)
    /// Nothing heard for so long ends steering; the state comes ten times a second.
    package static let steeringLoss: Duration = .seconds(1)
    /// Nothing heard for so long is a link loss.
    package static let linkLoss: Duration = .seconds(3)
    /// Nothing heard for so long: what it did before says nothing of what it does now.
    package static let forgetting: Duration = .seconds(30)
    /// `stop` and `emergency` are sent that often, and as soon after one another: both change nothing when repeated.
    package static let urgentCopies = 3
    package static let stopPeriod: Duration = .milliseconds(150)
    package static let emergencyPeriod: Duration = .milliseconds(50)
    /// How long a landing waits for the end of a move that was stopped for it.
    package static let stopBeforeLanding: Duration = .milliseconds(500)
    /// A landing that does not show after so long is sent again, if its answer would say nothing.
    package static let landAgain: Duration = .milliseconds(1500)
    /// What moves nothing is answered at once; a longer wait would keep moves from being sent.
    package static let setting: Duration = .milliseconds(2500)
    /// A drone that could not finish a move says so after 15.2 s (reported).
    package static let move: Duration = .seconds(20)
    /// After `stop` was answered, the answer to the move that it has ended follows at once.
    package static let stoppedMove: Duration = .seconds(1)
    /// For so long a further answer to a repeated command may come.
    package static let stray: Duration = .seconds(1)
}
