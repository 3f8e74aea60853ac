import CommandLineKit
import ProgramKit
import UAVLink

/// `--faults`: what is wrong with an emulated machine, in the words of that machine.
enum MachineFaults {
    static let option = Argument.option(
        "faults",
        ValueKind(
            placeholder: "FAULT,...",
            completion: .words(words(of: ARDroneSimulation.Fault.self) + words(of: TelloSimulation.Fault.self)),
            read: ValueKind.text.read),
        help: "with --machine ardrone: \(words(of: ARDroneSimulation.Fault.self).joined(separator: ", ")); "
            + "with --machine tello: \(words(of: TelloSimulation.Fault.self).joined(separator: ", "))")

    /// The faults on the command line.
    ///
    /// - Throws: `UsageError` for a word that is no fault of this machine.
    static func read<Fault>(_ arguments: ParsedCommand, of machine: String, as kind: Fault.Type) throws -> [Fault]
    where Fault: CaseIterable & RawRepresentable, Fault.RawValue == String {
        try (try arguments[option] ?? "").split(separator: ",").map { word in
            guard let fault = Fault(rawValue: String(word)) else {
                throw UsageError(
                    "'\(String(word).sanitizedLine)' is no fault of \(machine)",
                    hint: "use \(words(of: kind).joined(separator: ", "))")
            }
            return fault
        }
    }

    /// - Throws: `UsageError` if there are any, of a machine that has none.
    static func refuse(_ arguments: ParsedCommand, of machine: String) throws {
        guard try arguments[option] != nil else { return }
        throw UsageError("\(machine) has no faults to choose from", hint: "--faults is for --machine ardrone and tello")
    }

    private static func words<Fault>(of kind: Fault.Type) -> [String]
    where Fault: CaseIterable & RawRepresentable, Fault.RawValue == String {
        Fault.allCases.map(\.rawValue)
    }
}
