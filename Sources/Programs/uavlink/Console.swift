import ProgramKit
import ReportKit
import UAVLink

/// Standard output for results, standard error for everything that is said on the way.
struct Console: Sendable {
    /// Whether results are JSON.
    var isJSON: Bool
    /// Whether nothing is said on the way.
    var isQuiet: Bool
    /// Whether more is said.
    var isVerbose: Bool

    /// A result for a person; nothing with `--json`.
    func result(_ line: String) {
        if !isJSON { StandardStream.output.write(line + "\n") }
    }

    /// A result for a script; nothing without `--json`.
    func result(_ value: JSONValue) {
        if isJSON { StandardStream.output.write(value.text + "\n") }
    }

    /// What is being done.
    func progress(_ line: String) {
        if !isQuiet { StandardStream.error.write(line.harmlessLine + "\n") }
    }

    /// What only somebody who asked for it wants to know.
    func detail(_ line: String) {
        if isVerbose { progress(line) }
    }

    /// What went wrong, in one line.
    static func error(_ line: String) { StandardStream.error.write("uavlink: \(line.harmlessLine)\n") }
}
