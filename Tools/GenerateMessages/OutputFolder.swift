internal import FoundationEssentials

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The folder of generated files.
struct OutputFolder {
    let path: String

    /// The files that are missing, differ or must be removed.
    func differences(from wanted: [String: String]) throws -> [String] {
        let present = Set(try existing())
        let stale = present.subtracting(wanted.keys)
        let changed = wanted.filter { name, text in
            guard present.contains(name), let data = try? Data(contentsOf: URL(filePath: "\(path)/\(name)")) else {
                return true
            }
            return String(decoding: data, as: UTF8.self) != text
        }
        return (Array(stale) + Array(changed.keys)).sorted()
    }

    /// Writes only the files that differ, to keep the next build small, and removes the others.
    func replace(with wanted: [String: String]) throws {
        for name in try differences(from: wanted) {
            let file = URL(filePath: "\(path)/\(name)")
            if let text = wanted[name] {
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: file)
            } else {
                try FileManager.default.removeItem(at: file)
            }
        }
    }

    private func existing() throws -> [String] {
        let files = FileManager.default
        guard files.fileExists(atPath: path) else { return [] }
        return try files.subpathsOfDirectory(atPath: path).filter { $0.hasSuffix(".swift") }
    }
}

/// Prints an error and ends the program.
func fail(_ message: String) -> Never {
    let line = Array("GenerateMessages: \(message)\n".utf8)
    _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    exit(1)
}
