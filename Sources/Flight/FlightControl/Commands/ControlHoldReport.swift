package import ReportKit
package import UAVLink

/// What is said of an event of control authority that is held, and whether it is good news.
package struct ControlHoldReport: Hashable, Sendable {
    /// Whether something is wrong.
    package var isProblem: Bool
    /// One line for users.
    package var line: String
    /// The same for scripts.
    package var json: JSONValue

    /// The report of an event; `nil` for the end, which is a status.
    ///
    /// - Parameters:
    ///   - target: the vehicle, for the line.
    ///   - limit: for how long the companion is waited for.
    ///   - text: an instant in UTC.
    package init?(
        _ event: ControlHold.Event, of target: String, waitingFor limit: Duration, _ text: (MonotonicTime) -> String
    ) {
        switch event {
        case .linkLost(let since):
            isProblem = true
            let (at, loss) = (text(since), ControlHold.linkLossTimeout)
            line =
                "\(target): link loss: nothing received from the companion since \(at); it ends control authority when it"
                + " does not receive this ground for \(loss.inSeconds.formatted(decimals: 0)) s;"
                + " still trying, for \(limit.inSeconds.formatted(decimals: 0)) s"
            json = ["ok": false, "link_lost": true, "since": .string(at), "error": .string(line)]
        case .linkRestored:
            isProblem = false
            line = "\(target): the companion is received again; you still have control authority"
            json = ["ok": true, "link_lost": false]
        case .ended: return nil
        }
    }
}
