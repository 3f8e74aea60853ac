import CommandLineKit
import Foundation
import ProgramKit

StandardStream.ignoreClosedPipes()
// Not exit: the clean-up of C libraries (OpenSSL's, which libssh2 works with) would run beside threads that are just ending,
// and take from under them what they use. Nothing is left to flush: all output is written as it comes.
_exit(await UAVLinkProgram.end(UAVLinkProgram.program.parse(Array(CommandLine.arguments.dropFirst()))))
