import Foundation
import IntegrationKit

/// A named pipe that another program reads.
enum Pipe {
    /// Writes text into it.
    static func write(_ text: String, to path: String) throws {
        guard let file = FileHandle(forWritingAtPath: path) else { throw ProcessFailure("cannot write into \(path)") }
        try file.write(contentsOf: Data(text.utf8))
        try file.close()
    }
}
