import Authority
import UAVLink

/// What a stop command or a grant of control authority ends, stated a second time: from when the pilots gave what they gave, and
/// knowing nothing of how the companion counts. All times are true ones.
struct FinalityRule {
    /// The stop command of those that have begun that was given last.
    private var newestStop: CommandRecord?
    private var requests: [RequestID: (ground: Int, createdAt: MonotonicTime)] = [:]
    /// When each ground last asked for control authority that it then got.
    private var grants: [Int: MonotonicTime] = [:]

    /// A ground requests control authority.
    mutating func asked(by ground: Int, as request: RequestID, at now: MonotonicTime) {
        requests[request] = (ground, now)
    }

    /// It gets control authority, which it did not have.
    mutating func granted(_ request: RequestID) {
        guard let (ground, createdAt) = requests[request] else { return }
        grants[ground] = max(grants[ground] ?? createdAt, createdAt)
    }

    /// A command is handed to the vehicle; gives the rule that this breaks, and how.
    mutating func begun(_ record: CommandRecord) -> (rule: String, what: String)? {
        let command = record.command
        defer {
            if command.requiredAuthority == .stop, newestStop.map({ $0.wantedAt < record.wantedAt }) ?? true {
                newestStop = record
            }
        }
        guard command.endsWithStops else { return nil }
        let what = "\(command.name) of ground \(record.ground) begins"
        if let newestStop, record.wantedAt < newestStop.wantedAt {
            let later = (newestStop.wantedAt - record.wantedAt).inMilliseconds
            return (
                "stops are final",
                "\(what) after \(newestStop.command.name) of ground \(newestStop.ground), which was commanded \(later) ms later"
            )
        }
        for (ground, askedAt) in grants where ground != record.ground && record.wantedAt < askedAt {
            let later = (askedAt - record.wantedAt).inMilliseconds
            return (
                "grants are final",
                "\(what) after ground \(ground) has got control authority, for which it asked \(later) ms later"
            )
        }
        return nil
    }
}
