internal import UAVLink
package import MRS

/// Says which environment of ROS was found on the vehicle, and what to do when there is none or more than one.
package enum EnvironmentAdvice {
    /// The name of the check.
    package static let check = "ROS environment"

    /// The findings about an environment, one for each note of the search.
    ///
    /// Without ROS's programs the companion still works, if it knows the ROS master; so that is a warning.
    package static func findings(_ environment: ROSEnvironment) -> [Finding] {
        let master = environment.master.map { "; the ROS master is \($0)" } ?? ""
        let message = environment.summary + master
        var findings: [Finding] = []
        if let ambiguity = environment.ambiguity {
            findings.append(Finding(check, .warning, "\(message); \(ambiguity.what)", advice: ambiguity.hint))
        } else if environment.source == .missing {
            findings.append(Finding(check, .warning, message, advice: ROSEnvironment.advice))
        } else if environment.isFound, !environment.knowsMessages {
            findings.append(
                Finding(
                    check, .warning,
                    message + "; Python does not find the messages of the flight stack (mrs_msgs) with it",
                    advice: ROSEnvironment.advice))
        } else {
            findings.append(Finding(check, .good, message))
        }
        // That of a search without an answer is in the summary already.
        for note in environment.notes where !message.hasSuffix(note) {
            findings.append(Finding(check, .warning, note, advice: ROSEnvironment.advice))
        }
        return findings
    }
}
