package import RouteFlight
import Synchronization

/// Files in memory. Nothing can be written below `/nodir/`.
package final class MemoryFiles: FileAccess {
    private let content: Mutex<[String: [UInt8]]>

    /// Files with these texts, by their paths.
    package init(_ texts: [String: String] = [:]) { content = Mutex(texts.mapValues { Array($0.utf8) }) }

    /// The text of a file.
    package subscript(path: String) -> String? {
        get { content.withLock { $0[path].map { String(decoding: $0, as: UTF8.self) } } }
        set { content.withLock { $0[path] = newValue.map { Array($0.utf8) } } }
    }

    package func read(_ path: String, atMost bytes: Int) async throws(FileAccessError) -> [UInt8] {
        guard let found = content.withLock({ $0[path] }) else {
            throw FileAccessError("cannot read \(path): No such file or directory")
        }
        return found
    }

    package func write(_ bytes: [UInt8], to path: String, replacing: Bool) async throws(FileAccessError) {
        if path.hasPrefix("/nodir/") { throw FileAccessError("cannot write \(path): No such file or directory") }
        let isThere = content.withLock { content in
            if content[path] != nil, !replacing { return true }
            content[path] = bytes
            return false
        }
        if isThere { throw FileAccessError("\(path) already exists", isThere: true) }
    }
}
