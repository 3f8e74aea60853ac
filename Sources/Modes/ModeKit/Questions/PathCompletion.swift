internal import Foundation
internal import Threads

/// Completes the path of a file that a person types.
public enum PathCompletion {
    /// What the text can go on to, as far as all that fits agrees; and what fits, when that is several.
    public struct Completion: Hashable, Sendable {
        /// What the text goes on to.
        public var text: String
        /// What fits, when that is several.
        public var choices: [String]
    }

    /// Looks into the folder on a thread of its own: it may be far away.
    public static func complete(_ text: String) async -> Completion {
        await OwnThread.run { find(text) } ?? Completion(text: text, choices: [])
    }

    private static func find(_ text: String) -> Completion {
        let cut = text.lastIndex(of: "/").map { text.index(after: $0) } ?? text.startIndex
        let (folder, start) = (String(text[..<cut]), String(text[cut...]))
        let path = (folder.isEmpty ? "." : folder as String)
        let expanded = NSString(string: path).expandingTildeInPath
        let names = (try? FileManager.default.contentsOfDirectory(atPath: expanded)) ?? []
        let fitting = names.filter { $0.hasPrefix(start) && (start.hasPrefix(".") || !$0.hasPrefix(".")) }.sorted()
            .prefix(mostNames)
        guard let first = fitting.first else { return Completion(text: text, choices: []) }
        let shared = fitting.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
        guard fitting.count == 1 else { return Completion(text: folder + shared, choices: Array(fitting)) }
        var isFolder: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: expanded + "/" + first, isDirectory: &isFolder)
        return Completion(text: folder + first + (isFolder.boolValue ? "/" : ""), choices: [])
    }

    /// More names than a person reads.
    private static let mostNames = 1000
}
