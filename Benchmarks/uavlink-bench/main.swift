import Glibc

// Measures what the project promises, each figure beside its peer in one run; see docs/performance.md.
exit(await BenchmarkProgram.run(Array(CommandLine.arguments.dropFirst())))
