import CommandLineKit
import Foundation
import ProgramKit

StandardStream.ignoreClosedPipes()
exit(await UAVLinkProgram.end(UAVLinkProgram.program.parse(Array(CommandLine.arguments.dropFirst()))))
