internal import SystemKit
internal import Threads

/// Completes a file path while the user types it.
package enum PathCompletion {
    /// A completed path: the common prefix of all matches, and the matches when there are several.
    package struct Completion: Hashable, Sendable {
        /// The completed text.
        package var text: String
        /// The matches, when there are several.
        package var choices: [String]
    }

    /// Lists the folder on a dedicated thread, since it may be on a slow file system.
    package static func complete(_ text: String) async -> Completion {
        await DedicatedThread.run { find(text) } ?? Completion(text: text, choices: [])
    }

    private static func find(_ text: String) -> Completion {
        let cut = text.lastIndex(of: "/").map { text.index(after: $0) } ?? text.startIndex
        let (folder, start) = (String(text[..<cut]), String(text[cut...]))
        let expanded = FilePath.expandingHome(folder.isEmpty ? "." : folder)
        let names = Folder.names(in: expanded) ?? []
        let fitting = names.filter { $0.hasPrefix(start) && (start.hasPrefix(".") || !$0.hasPrefix(".")) }.sorted()
            .prefix(maxMatches)
        guard let first = fitting.first else { return Completion(text: text, choices: []) }
        let shared = fitting.dropFirst().reduce(first) { shared, name in
            String(zip(shared, name).prefix { $0 == $1 }.map(\.0))
        }
        guard fitting.count == 1 else { return Completion(text: folder + shared, choices: Array(fitting)) }
        let isFolder = Folder.exists(FilePath.joined(expanded, first))
        return Completion(text: folder + first + (isFolder ? "/" : ""), choices: [])
    }

    /// The most matches that are listed.
    private static let maxMatches = 1000
}
