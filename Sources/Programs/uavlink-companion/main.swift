import CommandLineKit
import CompanionControl
import ProgramKit
import SystemIO
import UAVLink

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

StandardStream.ignoreClosedPipes()
// It is to run with 64 MB of address space. Of its threads, a dozen with telemetry flowing, none needs a tenth of that
// stack.
ProgramMemory.shareHeap()
ProgramMemory.limitThreadStacks(bytes: 1 << 20)
switch CompanionProgram.program.parse(Array(CommandLine.arguments.dropFirst())) {
case .print(let text):
    StandardStream.output.write(text)
case .fail(let error):
    CompanionCommands.complain(error.description)
    exit(UsageError.exitCode)
case .run(let arguments):
    do {
        try await CompanionCommands.run(arguments)
    } catch let error as UsageError {
        CompanionCommands.complain(error.description)
        exit(UsageError.exitCode)
    } catch {
        CompanionCommands.complain("\(error)")
        exit(error is LinkError ? 3 : 70)
    }
}
exit(OutputFailure.exitCode(insteadOf: 0, isError: false, of: "uavlink-companion"))
