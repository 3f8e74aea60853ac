import CommandLineKit
import Foundation
import ProgramKit

StandardStream.ignoreClosedPipes()
exit(await SimulatorProgram.end(SimulatorProgram.program.parse(Array(CommandLine.arguments.dropFirst()))))
