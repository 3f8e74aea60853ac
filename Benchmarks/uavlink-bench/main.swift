import Glibc

// Measures what the project promises, each figure beside its peer in the same runs; see docs/performance.md.
let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "steering-worker": try await SteeringWorker.run()
case "ardrone-worker": try await ARDroneWorker.run(Array(arguments.dropFirst()))
case "command-worker": try await CommandWorker.run(Array(arguments.dropFirst()))
case "publication-worker": try await PublicationWorker.run(Array(arguments.dropFirst()))
case "round-trip-worker": try await RoundTripWorker.run(Array(arguments.dropFirst()))
default: exit(await BenchmarkProgram.run(arguments))
}
