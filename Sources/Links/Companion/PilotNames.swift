internal import ChannelProtocol
internal import UAVLink

/// The names of pilots by their sessions, each unlike those of the others: two programs of one user on one machine request the same one,
/// and would look the same to both.
struct PilotNames: Sendable {
    private struct Entry: Sendable {
        let requested: String
        let shown: String
        /// One that is not heard any more does not block its name: it may be an earlier session of the same program.
        var isHeard = true
    }

    private var entries: [SessionID: Entry] = [:]

    /// The name that others see; `nil` of a session that has requested nothing.
    subscript(session: SessionID) -> String? { entries[session]?.shown }

    /// Takes the name that a session requests.
    ///
    /// - Returns: the name that others see: with a number, from 2 on, if another session has it.
    mutating func take(_ requested: String, by session: SessionID) -> String {
        let others = namesOfOthers(than: session)
        if let present = entries[session], present.requested == requested, !others.contains(present.shown) {
            entries[session]?.isHeard = true
            return present.shown
        }
        var (shown, number) = (requested, 2)
        while others.contains(shown) {
            let suffix = " #\(number)"
            shown = Self.shortened(requested, by: suffix.utf8.count) + suffix
            number += 1
        }
        entries[session] = Entry(requested: requested, shown: shown)
        return shown
    }

    /// A session is not heard any more.
    mutating func lose(_ session: SessionID) { entries[session]?.isHeard = false }

    /// A session is heard again. If another one has got its name meanwhile, it gets a new one with its next request.
    mutating func restore(_ session: SessionID) {
        guard let entry = entries[session], !namesOfOthers(than: session).contains(entry.shown) else { return }
        entries[session]?.isHeard = true
    }

    /// A session was closed.
    mutating func forget(_ session: SessionID) { entries[session] = nil }

    private func namesOfOthers(than session: SessionID) -> Set<String> {
        Set(entries.filter { $0.key != session && $0.value.isHeard }.map(\.value.shown))
    }

    /// The longest beginning of a name, in whole characters, that leaves so many bytes of the longest one.
    private static func shortened(_ name: String, by bytes: Int) -> String {
        var (text, left) = ("", ControlAuthorityRequest.longestName - bytes)
        for character in name {
            left -= character.utf8.count
            guard left >= 0 else { break }
            text.append(character)
        }
        return text
    }
}
