internal import ReportKit
internal import TextSearch
internal import UAVLink

/// The companion's program on the vehicle: what it means that it failed.
enum CompanionProgram {
    /// Prefix of each line that the program writes about itself.
    private static let ownPrefix = "uavlink-companion: "

    /// The error of a run that failed: `companionMissing` if the program never ran, else `companionUnavailable`.
    ///
    /// - Parameters:
    ///   - program: its path.
    ///   - status: its exit status; `nil` when a signal ended it.
    ///   - errors: what it, or the shell that could not start it, wrote to standard error.
    ///   - output: what it wrote to standard output.
    ///   - command: the command line that failed, to be tried there.
    ///   - install: the command line that installs the program there.
    static func failure(
        _ program: String, _ status: Int?, errors: String, output: String, command: String, install: String
    ) -> LinkError {
        let lines = errors.split(whereSeparator: \.isNewline)
        let said = lines.last.map(String.init)
        if !lines.contains(where: { $0.hasPrefix(ownPrefix) }), let failure = missing(program, status, said, install) {
            return failure
        }
        let reason = reason(status, errors: errors, output: output)
        if VehicleProfile.isBridge(program) {
            // It says what is wrong, and what to do about it, after its name.
            let own = program.split(separator: "/").last.map { "\($0): " } ?? ""
            let words = reason.hasPrefix(own) ? String(reason.dropFirst(own.count)) : reason
            return LinkError(
                .companionUnavailable, "no session with a bridge: \(words)", hint: "try it there: \(command)")
        }
        return LinkError(
            .companionUnavailable, "the companion could not be started on the vehicle: \(reason)",
            hint: "try it on the vehicle: \(command)")
    }

    /// The error of a run that began, since SSH works, and printed nothing.
    ///
    /// - Parameter timeout: the one that was given; what was done before the program began is in it.
    static func unanswered(_ program: String, within timeout: Duration) -> LinkError {
        let given = timeout.inSeconds
        // Some of it may have passed before it was handed on.
        let isWhole = given > 10 || (given - given.rounded()).magnitude < 0.04
        let seconds = given.formatted(decimals: isWhole ? 0 : 1)
        return LinkError(
            .companionUnavailable,
            "the companion '\(program)' did not answer within \(seconds) s, so that neither udp nor tcp can be opened",
            hint: "it hangs, or the network is slow: raise --timeout")
    }

    /// Why it failed, as far as it says: its last line, or how it ended.
    static func reason(_ status: Int?, errors: String, output: String = "") -> String {
        let last = errors.split(whereSeparator: \.isNewline).last ?? output.split(whereSeparator: \.isNewline).last
        if let last { return String(last) }
        return (status.map { "it ended with exit status \($0)" } ?? "a signal ended it") + " and printed nothing"
    }

    /// The error of a program that is not there or cannot run there; `nil` if it ran.
    private static func missing(_ program: String, _ status: Int?, _ said: String?, _ install: String) -> LinkError? {
        let reason = said.map { ": \($0)" } ?? ""
        // A deployment puts the program elsewhere than a profile that names one says.
        let isNamed = ![VehicleProfile.usualCompanion, VehicleProfile.deployedCompanion].contains(program)
        let isBridge = VehicleProfile.isBridge(program)
        let instead =
            isBridge
            ? "install uavlink there" : "remove 'companion: \(program)' from the profile, then: \(install)"
        // From the dynamic loader, which exits with 127 if a library is missing and with 1 if it is too old.
        let isLoader =
            said?.includes("error while loading shared libraries") == true
            || said?.includes("not found (required by") == true
        if isLoader, status == 127 || status == 1 {
            return LinkError(
                .companionMissing, "'\(program)' cannot run on the vehicle\(reason)",
                hint: isNamed ? instead : "'\(install)' installs one that needs no libraries there")
        }
        // From the shell, which says why.
        switch status {
        case 126:
            return LinkError(
                .companionMissing, "'\(program)' cannot run on the vehicle\(reason)",
                hint: "make it executable, or install one that is built for its system: "
                    + (isNamed ? instead : install))
        case 127:
            return LinkError(
                .companionMissing, "'\(program)' is not installed on the vehicle\(reason)",
                hint: isNamed
                    ? "correct its path, 'companion' in the profile; or \(instead)"
                    : "'\(install)' installs it; or name its path as 'companion' in the profile")
        default: return nil
        }
    }
}
