#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import Foundation
public import UAVLink

/// Takes and gives back the command of a vehicle, where its end decides who flies; elsewhere everybody has it.
public enum CommandOfVehicle {
    /// Who we are, for the other grounds: `anna@laptop`.
    public static var ownName: String {
        name(
            user: ProcessInfo.processInfo.environment["USER"] ?? NSUserName(), host: ProcessInfo.processInfo.hostName)
    }

    /// Both show, whatever their lengths: of each at least half of a name's bytes, and more where the other leaves room.
    static func name(user: String, host: String) -> String {
        let bytes = ControlWish.longestName - 1
        let user = user.harmlessLine.unlessBlank("somebody")
        let host = String(host.harmlessLine.prefix { $0 != "." })
        let shownHost = host.fitted(toBytes: max(bytes / 2, bytes - user.utf8.count)).unlessBlank("somewhere")
        // Again, since a single letter with its marks may be too long.
        let shownUser = user.fitted(toBytes: bytes - shownHost.utf8.count).unlessBlank("somebody")
        return "\(shownUser)@\(shownHost)"
    }

    /// What the others are told when command is taken from a pilot or ended, of what a person has typed: harmless, and as much as may
    /// be sent; `nil` when nothing of it can be seen.
    public static func reason(from typed: String) -> String? {
        let reason = typed.harmlessLine.fitted(toBytes: ControlWish.longestReason)
        return reason.isBlank ? nil : reason
    }

    /// Whether the vehicle's end decides who flies.
    public static func isDecided(over link: any UAVLink) -> Bool {
        link is any ControlledLink && [.udp, .tcp].contains(link.kind)
    }

    /// The companion decides by itself, so an answer takes a round trip.
    public static let answer: Duration = .seconds(5)

    /// Takes command; by force when a reason is given.
    ///
    /// - Throws: ``UAVLink/LinkError`` with `notInCommand` that says who has it.
    public static func take(
        of link: any UAVLink, by force: String? = nil, within timeout: Duration = answer
    ) async throws(LinkError) {
        guard let link = link as? any ControlledLink else { return }
        let wish: ControlWish = force.map { .takeOver(name: ownName, reason: $0) } ?? .take(name: ownName)
        let reply = try await link.control(wish, within: timeout)
        guard reply.accepted else { throw LinkError(.notInCommand, reply.message) }
    }

    /// Gives it back; a vehicle that still moves under setpoints is stopped. A link that fails has lost it anyway.
    public static func release(of link: any UAVLink, because reason: String) async {
        guard let link = link as? any ControlledLink else { return }
        _ = try? await link.control(.release(reason: reason), within: .seconds(2))
    }
}

extension String {
    fileprivate func unlessBlank(_ other: String) -> String { isBlank ? other : self }
}

/// Sees from telemetry when command, once taken, is lost.
struct CommandWatch {
    private let takenAt: MonotonicTime
    private var wasSeen = false
    /// The vehicle's end has said that our setpoints reach the vehicle.
    private(set) var hasSteered = false

    /// News of before the taking may still be on its way for so long.
    private static let patience: Duration = .seconds(1)

    init(takenAt: MonotonicTime) { self.takenAt = takenAt }

    /// Why it is lost; `nil` while it is not.
    mutating func loss(_ status: Sample<ControlStatus>?) -> LinkError? {
        guard let status else { return nil }
        if status.value.isYours {
            wasSeen = true
            if status.value.isSteering, status.at > takenAt { hasSteered = true }
            return nil
        }
        guard wasSeen ? status.at > takenAt : status.at > takenAt + Self.patience else { return nil }
        let holder = status.value.pilot.map { "\($0.name.harmlessLine) is in command" } ?? "nobody is in command"
        return LinkError(.notInCommand, "\(holder): \(status.value.lastEnding)")
    }
}
