internal import Foundation
internal import Threads

/// Completes a file path while the user types it.
public enum PathCompletion {
    /// A completed path: the common prefix of all matches, and the matches when there are several.
    public struct Completion: Hashable, Sendable {
        /// The completed text.
        public var text: String
        /// The matches, when there are several.
        public var choices: [String]
    }

    /// Lists the folder on a dedicated thread, since it may be on a slow file system.
    public static func complete(_ text: String) async -> Completion {
        await DedicatedThread.run { find(text) } ?? Completion(text: text, choices: [])
    }

    private static func find(_ text: String) -> Completion {
        let cut = text.lastIndex(of: "/").map { text.index(after: $0) } ?? text.startIndex
        let (folder, start) = (String(text[..<cut]), String(text[cut...]))
        let path = (folder.isEmpty ? "." : folder as String)
        let expanded = NSString(string: path).expandingTildeInPath
        let names = (try? FileManager.default.contentsOfDirectory(atPath: expanded)) ?? []
        let fitting = names.filter { $0.hasPrefix(start) && (start.hasPrefix(".") || !$0.hasPrefix(".")) }.sorted()
            .prefix(maxMatches)
        guard let first = fitting.first else { return Completion(text: text, choices: []) }
        let shared = fitting.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
        guard fitting.count == 1 else { return Completion(text: folder + shared, choices: Array(fitting)) }
        var isFolder: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: expanded + "/" + first, isDirectory: &isFolder)
        return Completion(text: folder + first + (isFolder.boolValue ? "/" : ""), choices: [])
    }

    /// The most matches that are listed.
    private static let maxMatches = 1000
}
