import CommandLineKit
import ProgramKit

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

StandardStream.ignoreClosedPipes()
exit(await SimulatorProgram.end(SimulatorProgram.program.parse(Array(CommandLine.arguments.dropFirst()))))
