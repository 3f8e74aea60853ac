internal import SystemKit
package import UAVLink

/// Requests and releases control authority over links whose companion arbitrates; over other links every pilot has it.
package enum ControlAuthorityClient {
    /// The name of this pilot as shown to other grounds: `anna@laptop`.
    package static var ownName: String {
        name(
            user: HostProcess.environment["USER"] ?? HostProcess.userName, host: HostProcess.hostName)
    }

    /// Whether a pilot's name is that of this user on this machine, of this program or another: a companion adds a number to a name that
    /// another session has, and shortens a long one for it.
    package static func isOwnName(_ name: String) -> Bool { isName(name, of: ownName) }

    static func isName(_ name: String, of own: String) -> Bool {
        guard name != own else { return true }
        guard let space = name.lastIndex(of: " ") else { return false }
        let (base, suffix) = (name[..<space], name[space...])
        let digits = suffix.dropFirst(2)
        guard suffix.hasPrefix(" #"), !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return false
        }
        let isShortened = own.utf8.count + suffix.utf8.count > ControlAuthorityRequest.longestName
        return base == own || (isShortened && own.hasPrefix(base))
    }

    /// Combines user and host within the longest name: each gets at least half of the bytes, and more if the other is short.
    static func name(user: String, host: String) -> String {
        let bytes = ControlAuthorityRequest.longestName - 1
        let user = user.sanitizedLine.unlessBlank("unknown")
        let host = String(host.sanitizedLine.prefix { $0 != "." })
        let shownHost = host.fitted(toBytes: max(bytes / 2, bytes - user.utf8.count)).unlessBlank("unknown")
        // Checked again, since a single character with combining marks may be too long.
        let shownUser = user.fitted(toBytes: bytes - shownHost.utf8.count).unlessBlank("unknown")
        return "\(shownUser)@\(shownHost)"
    }

    /// The reason of a take-over or release from what the user entered: sanitized and shortened to the longest reason; `nil`
    /// if it is blank.
    package static func reason(from typed: String) -> String? {
        let reason = typed.sanitizedLine.fitted(toBytes: ControlAuthorityRequest.longestReason)
        return reason.isBlank ? nil : reason
    }

    /// What a companion says, for a screen: instead of the command that takes over it names the key that does.
    package static func onScreen(_ message: String) -> String {
        message.replacing("'uavlink control --take --reason TEXT'", with: "F12")
    }

    /// What a companion says, for scripts: the refusal, and apart from it the command that takes over; `nil` if it names none.
    package static func refusalAndAdvice(_ message: String) -> (refusal: String, advice: String)? {
        let advice = ControlAuthorityRequest.takeOverAdvice
        guard message.hasSuffix("; " + advice) else { return nil }
        return (String(message.dropLast(advice.count + 2)), advice)
    }

    /// Whether control authority is arbitrated over this link.
    package static func isArbitrated(over link: any UAVLink) -> Bool {
        link.capabilities.control != nil
    }

    /// The timeout of a request; the companion answers by itself, within a round trip.
    package static let answer: Duration = .seconds(5)

    /// Requests control authority; takes it over from another pilot if a reason is given.
    ///
    /// - Throws: ``UAVLink/LinkError`` with `notInCommand` that says who has it.
    package static func take(
        of link: any UAVLink, by force: String? = nil, within timeout: Duration = answer
    ) async throws(LinkError) {
        guard let link = link.capabilities.control else { return }
        let request: ControlAuthorityRequest =
            force.map { .takeOver(name: ownName, reason: $0) } ?? .take(name: ownName)
        let reply = try await link.control(request, within: timeout)
        guard reply.accepted else { throw LinkError(.notInCommand, reply.message) }
    }

    /// The control status that the companion sends after this call: the newest one may be from before the last change.
    ///
    /// - Throws: ``UAVLink/LinkError`` with `timedOut`, or `CancellationError`.
    package static func status(
        of link: any UAVLink, within timeout: Duration, clock: any MonotonicClock
    ) async throws -> ControlStatus {
        let asked = clock.now
        let status = try await link.awaitTelemetry(within: timeout, on: clock) { telemetry in
            telemetry.control.flatMap { $0.at > asked ? $0.value : nil }
        }
        guard let status else {
            throw LinkError(
                .timedOut, "no control status received from the companion",
                hint: "the companion may be older than this program")
        }
        return status
    }

    /// Releases control authority; a vehicle that still moves under setpoints is stopped. Errors are ignored, since a failed
    /// link loses control authority anyway.
    ///
    /// - Returns: whether the companion has answered, so that this ground certainly has it no longer.
    @discardableResult
    package static func release(of link: any UAVLink, because reason: String) async -> Bool {
        guard let link = link.capabilities.control else { return false }
        return (try? await link.control(.release(reason: reason), within: .seconds(2))) != nil
    }
}

extension Fleet {
    /// Why a command of a pilot would be refused by all of these: others have control authority; `nil` if it may be accepted by one, over
    /// a link that is lost, and where this program's own measurement has it, which the command ends.
    package func authorityObstacle(of vehicles: [LoggedInVehicle]) -> String? {
        var pilots: [String] = []
        for vehicle in vehicles {
            guard ControlAuthorityClient.isArbitrated(over: vehicle.link), vehicle.link.quality.isConnected,
                vehicle.id != measuredID, let pilot = vehicle.link.latestTelemetry?.control?.value.pilot, !pilot.isYou
            else { return nil }
            pilots.append("\(pilot.name.sanitizedLine) has control of \(vehicle.title)")
        }
        return pilots.isEmpty ? nil : "\(pilots.joined(separator: ", ")); F12 takes over"
    }
}

extension String {
    fileprivate func unlessBlank(_ other: String) -> String { isBlank ? other : self }
}

/// Detects from telemetry when granted control authority is lost.
struct ControlAuthorityMonitor {
    private let takenAt: MonotonicTime
    private var wasSeen = false
    /// Whether the companion has reported that our setpoints reach the vehicle.
    private(set) var isSteeringConfirmed = false

    /// How long after the grant an older status may still arrive.
    private static let statusDelay: Duration = .seconds(1)

    init(takenAt: MonotonicTime) { self.takenAt = takenAt }

    /// Why control authority is lost; `nil` while it is not.
    mutating func loss(_ status: Sample<ControlStatus>?) -> LinkError? {
        guard let status else { return nil }
        if status.value.isYours {
            wasSeen = true
            if status.value.isSteering, status.at > takenAt { isSteeringConfirmed = true }
            return nil
        }
        guard wasSeen ? status.at > takenAt : status.at > takenAt + Self.statusDelay else { return nil }
        let who =
            status.value.pilot.map { "\($0.name.sanitizedLine) has control authority" }
            ?? "no pilot has control authority"
        return LinkError(.notInCommand, "\(who): \(status.value.lastEndReason)")
    }
}
