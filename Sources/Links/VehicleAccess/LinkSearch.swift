internal import Synchronization
public import UAVLink

/// Opens the first of several links that works, and never goes around a companion that may be there.
///
/// ```
///   udp, tcp ──open──▶ done: the companion decides who flies
///      │
///      ├─ no companion can be had on the vehicle ────────────────▶ ssh, with a warning
///      ├─ it gave a ticket, the network lets nothing through ────▶ ssh, with a warning
///      └─ anything else: it refuses, does not answer, ... ───────▶ the error; only '--link ssh' goes on
/// ```
enum LinkSearch {
    /// The first link that opens.
    ///
    /// - Parameters:
    ///   - open: opens one; it is told what it is a fallback for.
    ///   - abandon: told of each that failed; what it throws ends the search.
    /// - Throws: the error of the link that ended the search.
    static func first<Link>(
        of kinds: [LinkKind], open: (LinkKind, LinkFallback?) async throws(LinkFailure) -> Link,
        abandon: (LinkKind, LinkError) async throws(LinkError) -> Void
    ) async throws(LinkError) -> (Link, LinkFallback?) {
        var failures: [LinkFailure] = []
        for kind in kinds {
            // Both of the companion's links begin by asking it for a ticket.
            if kind.hasCompanion, failures.contains(where: \.isOfEveryCompanionLink) { continue }
            let fallback = try fallback(kind, failures)
            do {
                return (try await open(kind, fallback), fallback)
            } catch {
                try await abandon(kind, error.error)
                // What fails for every link alike is not tried over the next.
                guard error.error.mayWorkOverAnotherLink else { throw error.error }
                failures.append(error)
            }
        }
        throw failures.last?.error ?? LinkError(.unreachable, "no link was tried")
    }

    private static func fallback(_ kind: LinkKind, _ failures: [LinkFailure]) throws(LinkError) -> LinkFallback? {
        guard !failures.isEmpty, !kind.hasCompanion else { return nil }
        if let inTheWay = failures.last(where: { !$0.mayBeGoneAround }) { throw inTheWay.refusal(of: kind) }
        return LinkFallback(kind, failures)
    }
}

/// Why one link could not be opened, and what it tells of the vehicle's companion.
struct LinkFailure: Error, Hashable {
    let kind: LinkKind
    let error: LinkError
    /// The companion gave a ticket before: it is there and answers, and what failed is the channel to it.
    let hadTicket: Bool

    init(_ kind: LinkKind, _ error: LinkError, hadTicket: Bool) {
        self.kind = kind
        self.error = error
        self.hadTicket = hadTicket
    }

    /// Whether a link that goes around the companion may be tried without anybody having asked for it.
    fileprivate var mayBeGoneAround: Bool {
        switch error.code {
        case .companionMissing: true
        case .unreachable, .timedOut, .unsupported: hadTicket
        default: false
        }
    }

    /// Whether the vehicle has no companion, or one that says itself that it cannot be used: a second link of it ends the same way.
    fileprivate var isOfEveryCompanionLink: Bool {
        !hadTicket && [.companionMissing, .companionUnavailable].contains(error.code)
    }

    fileprivate func refusal(of kind: LinkKind) -> LinkError {
        // A set-up that failed fails over every link, and says itself what to do.
        guard error.code != .remoteFailed else { return error }
        let advice =
            "use the companion that is there, or end it; '--link \(kind.rawValue)' goes around it, and then nobody decides who flies"
        return LinkError(error.code, error.what, hint: error.hint.isEmpty ? advice : "\(error.hint); \(advice)")
    }
}

/// A link over which nobody decides who flies, taken since none over which the companion does could be opened.
public struct LinkFallback: Hashable, Sendable {
    /// Which link it is.
    public let kind: LinkKind
    /// Whether there is a companion, which decides who flies for all who come through it: this link goes around it.
    public let goesAroundCompanion: Bool
    /// Why it is not another link: one line.
    public let reasons: String

    init(_ kind: LinkKind, _ failures: [LinkFailure]) {
        self.kind = kind
        goesAroundCompanion = failures.contains(where: \.hadTicket)
        reasons = failures.map { "\($0.kind.rawValue): \($0.error.what)" }.joined(separator: "; ")
    }

    /// One line for the person who is going to fly over it.
    public var warning: String {
        let around = goesAroundCompanion ? ": it goes around the companion, which decides it for others" : ""
        return "over \(kind.rawValue) nobody decides who flies\(around) (\(reasons))"
    }
}

/// Whether a companion gave a ticket for a link.
final class TicketNote: Sendable {
    private let given = Mutex(false)

    var wasGiven: Bool { given.withLock { $0 } }

    func take() { given.withLock { $0 = true } }
}

extension LinkKind {
    /// Whether the vehicle's companion is at its other end.
    fileprivate var hasCompanion: Bool { self == .udp || self == .tcp }
}

extension LinkError {
    /// Whether another link may do where this one failed: a wrong password or host key fails over all of them.
    fileprivate var mayWorkOverAnotherLink: Bool {
        switch code {
        case .authentication, .hostKeyUnknown, .hostKeyChanged, .invalidInput, .cancelled, .internalFault: false
        default: true
        }
    }
}
