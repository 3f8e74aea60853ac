internal import UAVLink

/// When a command may be sent to MRS's flight stack, which accepts some and does not follow them if they come at the wrong time. Both
/// were measured on it:
///
/// - While it answers a take-off (0.3 s), it accepts whatever stops the vehicle, and takes off nevertheless; after an emergency landing it
///   then hovers and refuses to land. So what stops or lands the vehicle waits for that answer.
/// - Its tracker stops the vehicle 0.5 s after the last velocity reference, whatever it was commanded meanwhile. It then drops a goto, and
///   a landing from 3 m or more, which begins with one; the vehicle hovers there, and refuses references until it is landed again. So
///   what flies the vehicle elsewhere, or lands it, waits until the tracker has stopped; the vehicle is braked first.
///
/// Nothing waits longer than ``longestWait``. Of the commands that wait, what was commanded last is sent: a newer one ends an older one,
/// except that nothing ends what stops or lands the vehicle but another such command.
///
/// A value without clock and threads; ``CommandGate`` sends.
struct CommandTiming {
    /// From the last velocity reference until the tracker has stopped: 0.5 s, and what its loop (100 Hz) and a loaded machine add.
    static let trackerTimeout: Duration = .milliseconds(650)
    /// A vehicle whose answer does not come, or that others steer, is sent the command after that.
    static let longestWait: Duration = .seconds(1)

    /// Names a command in the order in which they were given.
    typealias Number = UInt64

    /// What is to be done with a command that was just given.
    struct Admission: Equatable {
        var number: Number
        /// Sent at once; not if it waits or is refused.
        var isSent = false
        /// A neutral setpoint goes first.
        var brakes = false
        /// Why it is not sent at all.
        var refusal: String?
        /// Those that waited and are not sent any more, and why.
        var ended: [Number] = []
        var reason = ""
    }

    private struct Waiting {
        let number: Number
        let command: Command
        /// When it was given.
        let since: MonotonicTime
        let waitsForTakeoff: Bool
        let waitsForTracker: Bool
    }

    private var last: Number = 0
    private var waiting: [Waiting] = []
    /// Take-offs that were sent and not answered yet.
    private var takeoffs: Set<Number> = []
    private var lastSetpoint: (at: MonotonicTime, isNeutral: Bool)?

    /// A velocity reference is sent.
    mutating func noteSetpoint(isNeutral: Bool, at now: MonotonicTime) { lastSetpoint = (now, isNeutral) }

    /// A command is given.
    mutating func give(_ command: Command, at now: MonotonicTime) -> Admission {
        last += 1
        var admission = Admission(number: last)
        guard command.interruptsSteering else {
            admission.isSent = true
            return admission
        }
        if !command.stopsOrLands, let stop = waiting.last(where: { $0.command.stopsOrLands }), stop.waitsForTracker {
            admission.refusal = "not executed: '\(stop.command.name)' was commanded just before"
            return admission
        }
        // What stops or lands the vehicle and waits for the answer of a take-off is sent before what was commanded after it.
        let isEnded: (Waiting) -> Bool = {
            !$0.command.stopsOrLands || (command.stopsOrLands && $0.waitsForTracker)
        }
        admission.ended = waiting.filter(isEnded).map(\.number)
        admission.reason = "not executed: '\(command.name)' was commanded after it"
        waiting.removeAll(where: isEnded)
        let waitsForTakeoff = command.stopsOrLands ? !takeoffs.isEmpty : !waiting.isEmpty
        let waitsForTracker = command.needsRestingTracker && trackerStops(after: now) != nil
        if waitsForTracker, let lastSetpoint, !lastSetpoint.isNeutral {
            admission.brakes = true
            self.lastSetpoint = (now, true)
        }
        guard waitsForTakeoff || waitsForTracker else {
            noteSent(command, last)
            admission.isSent = true
            return admission
        }
        waiting.append(
            Waiting(
                number: last, command: command, since: now, waitsForTakeoff: waitsForTakeoff,
                waitsForTracker: waitsForTracker))
        return admission
    }

    /// A command was answered, or has failed.
    mutating func noteAnswer(to number: Number) { takeoffs.remove(number) }

    /// Takes back a command that waits.
    ///
    /// - Returns: `false` if it does not wait.
    mutating func takeBack(_ number: Number) -> Bool {
        guard let index = waiting.firstIndex(where: { $0.number == number }) else { return false }
        waiting.remove(at: index)
        return true
    }

    /// The commands that are to be sent now, in their order. Each is sent once.
    mutating func takeDue(at now: MonotonicTime) -> [Number] {
        var due: [Number] = []
        while let first = waiting.first, time(of: first, now: now) <= now {
            waiting.removeFirst()
            noteSent(first.command, first.number)
            due.append(first.number)
        }
        return due
    }

    /// When ``takeDue(at:)`` is to be called for a command; `nil` if it does not wait.
    func due(_ number: Number, at now: MonotonicTime) -> MonotonicTime? {
        waiting.first { $0.number == number }.map { time(of: $0, now: now) }
    }

    private func time(of command: Waiting, now: MonotonicTime) -> MonotonicTime {
        let latest = command.since + Self.longestWait
        if command.waitsForTakeoff, !takeoffs.isEmpty { return latest }
        guard command.waitsForTracker, let stops = trackerStops(after: now) else { return now }
        return min(stops, latest)
    }

    /// When the tracker stops by itself; `nil` if it has, or follows no velocity references.
    private func trackerStops(after now: MonotonicTime) -> MonotonicTime? {
        guard let lastSetpoint else { return nil }
        let stops = lastSetpoint.at + Self.trackerTimeout
        return stops > now ? stops : nil
    }

    private mutating func noteSent(_ command: Command, _ number: Number) {
        if command == .takeoff { takeoffs.insert(number) }
    }
}

extension Command {
    /// Whether the tracker would drop it when it stops after the last velocity reference.
    fileprivate var needsRestingTracker: Bool {
        if case .land = self { return true }
        if case .takeoff = self { return false }
        return interruptsSteering && !stopsOrLands
    }
}
