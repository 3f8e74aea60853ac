internal import Foundation

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The programs that are tested: those of the same build as these tests, or those in the folder that `UAVLINK_TEST_PROGRAMS` names, as
/// they are given to users.
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

    /// The folder of the programs `uavlink`, `uavlink-companion` and `uavlink-sim` that are tested.
    public static let programs: String? = {
        guard let given = ProcessInfo.processInfo.environment["UAVLINK_TEST_PROGRAMS"], !given.isEmpty else {
            return folder
        }
        return URL(filePath: given).path
    }()

    /// A program's path.
    public static func path(_ name: String) throws -> String {
        guard let programs else { throw ProcessFailure("\(name) is not beside the tests; build it first") }
        let path = programs + "/" + name
        guard access(path, X_OK) == 0 else { throw ProcessFailure("\(path) cannot be run") }
        return path
    }
}
