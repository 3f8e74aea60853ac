internal import Foundation

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The programs of the same build as these tests.
public enum BuiltPrograms {
    /// The repository.
    public static let repository = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in
        url.deletingLastPathComponent()
    }.path

    /// The folder they are in: that of the test runner or of the bundle it was given, or one above it.
    public static let folder: String? = {
        let starts = [Bundle.main.executablePath].compactMap { $0 } + CommandLine.arguments
        for start in starts where start.contains("/") {
            var folder = URL(filePath: start)
            for _ in 0..<5 {
                folder.deleteLastPathComponent()
                if access(folder.path + "/uavlink-companion", X_OK) == 0 { return folder.path }
            }
        }
        return nil
    }()

    /// A program's path.
    public static func path(_ name: String) throws -> String {
        guard let folder else { throw ProcessFailure("\(name) is not beside the tests; build it first") }
        return folder + "/" + name
    }
}
