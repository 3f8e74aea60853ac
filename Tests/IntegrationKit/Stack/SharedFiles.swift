import Foundation

/// Real recordings, scans and worlds, which lie beside the project and are not ours to publish.
public enum SharedFiles {
    /// The path of one.
    ///
    /// - Parameter name: below `shared`, such as "data/flight.bag".
    public static func path(_ name: String) -> String {
        URL(filePath: BuiltPrograms.repository).deletingLastPathComponent().path + "/shared/" + name
    }

    /// Whether all of them are here.
    public static func arePresent(_ names: String...) -> Bool {
        names.allSatisfy { FileManager.default.isReadableFile(atPath: path($0)) }
    }
}
