import ProgramKit
import ReportKit
import UAVLink

/// Prints results to standard output, progress and errors to standard error.
struct Console: Sendable {
    /// Whether results are JSON.
    var isJSON: Bool
    /// Whether progress is suppressed.
    var isQuiet: Bool
    /// Whether details are printed.
    var isVerbose: Bool

    /// Prints a result as text; nothing with `--json`.
    func result(_ line: String) {
        if !isJSON { StandardStream.output.write(line + "\n") }
    }

    /// Prints a result as JSON; nothing without `--json`.
    func result(_ value: JSONValue) {
        if isJSON { StandardStream.output.write(value.text + "\n") }
    }

    /// Prints progress.
    func progress(_ line: String) {
        if !isQuiet { StandardStream.error.write(line.sanitizedLine + "\n") }
    }

    /// Prints a detail, with `--verbose` only.
    func detail(_ line: String) {
        if isVerbose { progress(line) }
    }

    /// Prints an error as one line.
    static func error(_ line: String) { StandardStream.error.write("uavlink: \(line.sanitizedLine)\n") }
}
