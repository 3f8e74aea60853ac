import Glibc

// Measures what the project promises, each figure beside its peer in one run; see docs/performance.md.
let arguments = Array(CommandLine.arguments.dropFirst())
if arguments == ["steering-worker"] {
    try await SteeringWorker.run()
} else {
    exit(await BenchmarkProgram.run(arguments))
}
