import CommandLineKit
import ProgramKit

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

StandardStream.ignoreClosedPipes()
// Not exit: clean-up handlers of C libraries (OpenSSL under libssh2) would run while threads are still ending and free what they
// use. There is nothing to flush: all output is written at once.
let words = Array(CommandLine.arguments.dropFirst())
let programExitCode = await UAVLinkProgram.end(UAVLinkProgram.program.parse(words), of: words)
TerminalPrompt.end()
_exit(programExitCode)
