import CommandLineKit
import ProgramKit

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

StandardStream.ignoreClosedPipes()
let code = await SimulatorProgram.end(SimulatorProgram.program.parse(Array(CommandLine.arguments.dropFirst())))
exit(OutputFailure.exitCode(insteadOf: code, isError: code != 0, of: "uavlink-sim"))
