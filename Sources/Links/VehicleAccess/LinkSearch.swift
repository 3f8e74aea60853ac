internal import Synchronization
package import UAVLink

/// Opens the first of several links that works, and never bypasses a companion that may be running.
///
/// ```
///   udp, tcp ──open──▶ done: the companion enforces control authority
///      │
///      ├─ the vehicle has no companion ──────────────────────────▶ ssh, with a warning
///      ├─ it gave a ticket, but the network blocks the channel ──▶ ssh, with a warning
///      └─ anything else: it refuses, does not answer, ... ───────▶ the error; only '--link ssh' continues
/// ```
enum LinkSearch {
    /// The first link that opens.
    ///
    /// - Parameters:
    ///   - namesCompanion: whether the user has named the companion's program.
    ///   - open: opens a link; receives what it is a fallback for.
    ///   - abandon: called for each link that failed; an error it throws ends the search.
    /// - Throws: the error of the link that ended the search; it says which link that was, and why the ones before failed.
    static func first<Link>(
        of kinds: [LinkKind], namesCompanion: Bool = false,
        open: (LinkKind, LinkFallback?) async throws(LinkFailure) -> Link,
        abandon: (LinkKind, LinkError) async throws(LinkError) -> Void
    ) async throws(LinkError) -> (Link, LinkFallback?) {
        var failures: [LinkFailure] = []
        for kind in kinds {
            // Both of the companion's links begin with a ticket from it.
            if kind.hasCompanion, failures.contains(where: \.affectsEveryCompanionLink) { continue }
            let fallback = try fallback(kind, failures)
            do {
                return (try await open(kind, fallback), fallback)
            } catch {
                try await abandon(kind, error.error)
                // An error that affects every link alike ends the search.
                guard error.error.mayWorkOverAnotherLink else { throw error.explained(by: failures) }
                failures.append(error)
            }
        }
        // Who names a program means that one: that it is not there is the fault, and not what other links lack.
        if namesCompanion, let missing = failures.first(where: { $0.error.code == .companionMissing }) {
            throw missing.explained(by: failures.filter { $0 != missing })
        }
        throw failures.last?.explained(by: failures.dropLast()) ?? LinkError(.unreachable, "no link was tried")
    }

    private static func fallback(_ kind: LinkKind, _ failures: [LinkFailure]) throws(LinkError) -> LinkFallback? {
        guard !failures.isEmpty, !kind.hasCompanion else { return nil }
        if let inTheWay = failures.last(where: { !$0.mayBeBypassed }) { throw inTheWay.refusal(of: kind, failures) }
        return LinkFallback(kind, failures)
    }
}

/// Why a link could not be opened, and what that says about the vehicle's companion.
struct LinkFailure: Error, Hashable {
    let kind: LinkKind
    let error: LinkError
    /// Whether the companion gave a ticket before: then it runs and answers, and the channel to it failed.
    let hadTicket: Bool

    init(_ kind: LinkKind, _ error: LinkError, hadTicket: Bool) {
        self.kind = kind
        self.error = error
        self.hadTicket = hadTicket
    }

    /// Whether a link that bypasses the companion may be tried without an explicit request.
    fileprivate var mayBeBypassed: Bool {
        switch error.code {
        case .companionMissing: true
        case .unreachable, .timedOut, .unsupported: hadTicket
        default: false
        }
    }

    /// Whether the vehicle has no companion, or it reports itself as unavailable: a second link to it fails the same way.
    fileprivate var affectsEveryCompanionLink: Bool {
        !hadTicket && [.companionMissing, .companionUnavailable].contains(error.code)
    }

    /// Whether the companion is known to run: it has answered.
    private var isOfRunningCompanion: Bool {
        hadTicket || [.versionMismatch, .protocolViolation].contains(error.code)
    }

    /// Whether SSH itself failed, over which the companion is asked for a ticket: one that does not answer is
    /// ``UAVLink/LinkError/Code/companionUnavailable``.
    private var isOfSSH: Bool {
        !hadTicket && [.unreachable, .timedOut, .notConnected, .closed].contains(error.code)
    }

    fileprivate func refusal(of kind: LinkKind, _ failures: [LinkFailure]) -> LinkError {
        // A failed set-up affects every link, and its error already has a hint.
        guard error.code != .remoteFailed else { return error }
        let explained = explained(by: failures.filter { $0 != self })
        // What is run over SSH by itself would fail as well.
        guard !isOfSSH else { return explained }
        let bypass = "'--link \(kind.rawValue)' bypasses it, without control authority"
        let advice = isOfRunningCompanion ? "use the running companion, or end it; \(bypass)" : bypass
        return LinkError(
            explained.code, explained.what, hint: [error.hint, advice].filter { !$0.isEmpty }.joined(separator: "; "))
    }

    /// The error with this link's name and why others, tried before, failed; unchanged if that adds nothing.
    fileprivate func explained(by others: some Sequence<LinkFailure>) -> LinkError {
        let others = others.filter { $0.error.what != error.what }
        guard !others.isEmpty else { return error }
        // Advice on the companion is useful to a user who wanted to use it.
        var hints = [error.hint]
        if !kind.hasCompanion, let last = others.last, !last.error.hint.isEmpty, last.error.hint != error.hint {
            hints.append("\(last.links): \(last.error.hint)")
        }
        return LinkError(
            error.code, "\(error.what) (over \(kind.rawValue); \(Self.reasons(others)))",
            hint: hints.filter { !$0.isEmpty }.joined(separator: "; "))
    }

    /// The links that failed so: an absent companion offers none of its links.
    private var links: String {
        kind.hasCompanion && affectsEveryCompanionLink ? "udp and tcp" : kind.rawValue
    }

    fileprivate static func reasons(_ failures: [LinkFailure]) -> String {
        failures.map { "\($0.links): \($0.error.what)" }.joined(separator: "; ")
    }
}

/// A link without control authority, used because no link to the companion could be opened.
package struct LinkFallback: Hashable, Sendable {
    package let kind: LinkKind
    /// Whether it bypasses a running companion, which enforces control authority among its own clients.
    package let bypassesCompanion: Bool
    /// Whether the vehicle has no companion that can run there, so that installing one helps.
    package let lacksCompanion: Bool
    /// Why no other link was opened: one line.
    package let reasons: String

    init(_ kind: LinkKind, _ failures: [LinkFailure]) {
        self.kind = kind
        bypassesCompanion = failures.contains(where: \.hadTicket)
        lacksCompanion = failures.contains { $0.error.code == .companionMissing }
        reasons = LinkFailure.reasons(failures)
    }

    /// One line for the user who is about to fly over it.
    package var warning: String {
        let around =
            bypassesCompanion ? ", which bypasses the running companion: other pilots may have control authority" : ""
        return "no control authority over \(kind.rawValue)\(around) (\(reasons))"
    }
}

/// Records whether a companion gave a ticket for a link.
final class TicketFlag: Sendable {
    private let given = Mutex(false)

    var wasIssued: Bool { given.withLock { $0 } }

    func take() { given.withLock { $0 = true } }
}

extension LinkKind {
    /// Whether it is a link to the vehicle's companion.
    fileprivate var hasCompanion: Bool { self == .udp || self == .tcp }
}

extension LinkError {
    /// Whether another link may work where this one failed: a wrong password or host key fails over all of them.
    fileprivate var mayWorkOverAnotherLink: Bool {
        switch code {
        case .authentication, .hostKeyUnknown, .hostKeyChanged, .invalidInput, .cancelled, .internalFault: false
        default: true
        }
    }
}
