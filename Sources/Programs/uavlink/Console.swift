import CommandLineKit
import ProgramKit
import ReportKit
import Synchronization
import UAVLink
import VehicleAccess

/// Prints results to standard output, progress and errors to standard error.
struct Console: Sendable {
    /// Whether results are JSON.
    let isJSON: Bool
    /// Whether progress is suppressed.
    let isQuiet: Bool
    /// Whether details are printed.
    let isVerbose: Bool
    private let ending = Ending()

    init(isJSON: Bool, isQuiet: Bool = false, isVerbose: Bool = false) {
        self.isJSON = isJSON
        self.isQuiet = isQuiet
        self.isVerbose = isVerbose
    }

    /// Completes each command line of this program that is printed from now on with the options that select the vehicle: typed without
    /// them, it could go to another one, which is real.
    func repeats(_ options: RepeatedOptions) { ending.options.withLock { $0 = options } }

    /// What is printed in place of a text.
    private func completed(_ text: String) -> String {
        ending.options.withLock { $0 }?.repeated(in: text) ?? text
    }

    /// The same of all texts but what another program printed or the user typed.
    private func completed(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text): .string(completed(text))
        case .array(let values): .array(values.map(completed))
        case .object(let members):
            .object(
                members.map { member in
                    Self.foreign.contains(member.key) ? member : .init(member.key, completed(member.value))
                })
        default: value
        }
    }

    private static let foreign: Set<String> = ["stdout", "stderr", "command", "command_line"]

    /// Prints a result as text; nothing with `--json`.
    func result(_ line: String) {
        if !isJSON { StandardStream.output.write(completed(line) + "\n") }
    }

    /// Prints which vehicle the lines of text below are about; nothing if none was named.
    func head() {
        if let target = ending.target.withLock({ $0 }) { result("\(target()):") }
    }

    /// Prints a result as JSON; nothing without `--json`.
    ///
    /// An object says whether all is well: one without `ok` is, and gets it. One with `"ok": false` is printed by ``end(with:because:)``, which adds why.
    ///
    /// - Parameter failure: why it is not well, in one line, where no error is thrown that says it.
    func result(_ value: JSONValue, failure: String? = nil) {
        guard isJSON else { return }
        var isFailed = false
        if case .object(let members) = value { isFailed = members.contains(.init("ok", false)) }
        let earlier = ending.state.withLock { state in
            defer { state = isFailed ? State(failed: [value], error: failure) : State() }
            return state.failed
        }
        for value in earlier + (isFailed ? [] : [value]) { write(value) }
    }

    /// Prints an event of a command that goes on as JSON, at once, whatever it says; nothing without `--json`.
    func event(_ value: JSONValue) {
        if isJSON { write(value) }
    }

    /// Prints the result of a command that did what it was asked for, as JSON; nothing without `--json`.
    ///
    /// - Parameter failure: what is not well in it, in one line; `nil` if all is.
    func success(_ value: JSONValue, failure: String? = nil) {
        guard case .object(let members) = value else { return result(value) }
        result(.object([.init("ok", .bool(failure == nil))] + members), failure: failure)
    }

    /// Prints progress.
    func progress(_ line: String) {
        if !isQuiet { StandardStream.error.write(completed(line.sanitizedLine) + "\n") }
    }

    /// Prints a warning of a command that changes something for good, moves the vehicle unchecked, or uses a file whose
    /// meaning is in doubt, also if progress is suppressed.
    ///
    /// - Parameter isInResults: whether each JSON object from now on has it too, among its `warnings`.
    func warning(_ line: String, isInResults: Bool = false) {
        StandardStream.error.write("warning: \(completed(line.sanitizedLine))\n")
        if isInResults { ending.warnings.withLock { $0.append(line) } }
    }

    /// Prints a detail, with `--verbose` only.
    func detail(_ line: String) {
        if isVerbose { progress(line) }
    }

    /// Prints an error as one line; the first one is also the reason of a failed result.
    func error(_ line: String) {
        StandardStream.error.write("uavlink: \(completed(line.sanitizedLine))\n")
        ending.state.withLock { state in if state.error == nil { state.error = line } }
    }

    /// Ends the output: with `--json` a failed command prints an object with `"ok": false`, the error, what to do about it and
    /// the exit code; or adds them to the result that says so.
    func end(with code: ExitCode, because failure: CommandFailure? = nil) {
        if let failure { error(failure.line) }
        guard isJSON else { return }
        let (failed, error) = ending.state.withLock { state in
            defer { state = State() }
            return (state.failed, state.error)
        }
        guard !failed.isEmpty || failure != nil else { return }
        var members: [JSONValue.Member] = [.init("ok", false)]
        if case .object(let own)? = failed.first { members = own }
        var more: [JSONValue.Member] = [
            .init("error", JSONValue(failure?.what ?? error)), .init("hint", JSONValue(failure?.hint)),
            .init("exit_code", JSONValue(code.rawValue)),
        ]
        if let target = failure?.target { more.append(.init("target", .string(target))) }
        write(.object(members + more.filter { added in !members.contains { $0.key == added.key } }))
    }

    /// Adds to each JSON object from now on, where it has no such members itself, over which link it is and why not over another.
    ///
    /// - Parameter install: the command that installs the companion.
    func describe(_ fallback: LinkFallback, install: String) {
        let warnings: JSONValue = .array([.string(fallback.warning)])
        add([.init("link", .string(fallback.kind.rawValue)), .init("warnings", warnings)])
        if fallback.lacksCompanion { add([.init("hint", .string(install))]) }
    }

    /// Adds to each JSON object from now on, where it does not say so itself, which vehicle it is about, and over which ROS master
    /// if no companion stands before it. The vehicle is asked for when an object is printed: that it is simulated may be heard later than
    /// that it is connected.
    func name(_ target: @escaping @autoclosure @Sendable () -> String, rosMaster: String? = nil) {
        ending.target.withLock { $0 = target }
        if let rosMaster { add([JSONValue.Member("ros_master", .string(rosMaster))]) }
    }

    private func add(_ members: [JSONValue.Member]) {
        ending.context.withLock { context in
            context.removeAll { old in members.contains { $0.key == old.key } }
            context += members
        }
    }

    private func write(_ value: JSONValue) {
        var value = value
        if case .object(var members) = value {
            let context = ending.members
            if !members.contains(where: { $0.key == "ok" }) { members.insert(.init("ok", true), at: 0) }
            value = .object(members + context.filter { added in !members.contains { $0.key == added.key } })
        }
        StandardStream.output.write(completed(value).text + "\n")
    }
}

extension Console {
    /// A result that was not printed yet, or none (no optional: `nil` is a JSON value too), and the first error.
    private struct State {
        var failed: [JSONValue] = []
        var error: String?
    }

    private final class Ending: Sendable {
        let state = Mutex(State())
        let context = Mutex<[JSONValue.Member]>([])
        let target = Mutex<(@Sendable () -> String)?>(nil)
        let warnings = Mutex<[String]>([])
        let options = Mutex<RepeatedOptions?>(nil)

        /// What each JSON object gets.
        var members: [JSONValue.Member] {
            var members = context.withLock { $0 }
            if let target = target.withLock({ $0 }) { members.append(.init("target", .string(target()))) }
            let own = warnings.withLock { $0 }.map(JSONValue.string)
            guard !own.isEmpty else { return members }
            if let at = members.firstIndex(where: { $0.key == "warnings" }),
                case .array(let others) = members[at].value
            {
                members[at] = .init("warnings", .array(others + own))
            } else {
                members.append(.init("warnings", .array(own)))
            }
            return members
        }
    }
}
