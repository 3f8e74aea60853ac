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
        let user = ProcessInfo.processInfo.environment["USER"] ?? NSUserName()
        let host = ProcessInfo.processInfo.hostName.split(separator: ".").first.map(String.init) ?? ""
        let name = "\(user.isEmpty ? "somebody" : user)@\(host.isEmpty ? "somewhere" : host)"
        return String(name.harmlessLine.prefix(ControlWish.longestName / 4))
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
