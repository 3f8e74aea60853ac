import IntegrationKit
import Testing

/// `--faults` of `uavlink-sim`: each machine has its own, and refuses those of others.
@Suite("Faults of emulated machines", .timeLimit(.minutes(MachinePace.minutes(2)))) struct FaultOptionTests {
    @Test(arguments: [
        (
            ["--machine", "tello", "--faults", "dark,nonsense"],
            "'nonsense' is no fault of a Tello; use not-activated, dark, chatty"
        ),
        (["--machine", "tello", "--faults", "no-gps"], "'no-gps' is no fault of a Tello"),
        (["--machine", "ardrone", "--faults", "dark"], "'dark' is no fault of an AR.Drone; use no-gps"),
        (
            ["--machine", "bluno", "--faults", "dark"],
            "the robot of a Bluno has no faults to choose from; --faults is for --machine ardrone and tello"
        ),
        (["--faults", "dark"], "the hexacopter has no faults to choose from"),
    ])
    func `a word that is no fault of the machine is refused, and those that are named`(
        _ words: [String], _ complaint: String
    ) async throws {
        let process = try ChildProcess([BuiltPrograms.path("uavlink-sim")] + words)
        #expect(try await process.exit() == 2)
        #expect(process.errors.contains(complaint), "\(process.errors)")
    }

    @Test func `a Tello with faults starts, and its help names them`() async throws {
        let faults = "dark,chatty,silent-state,pausing-state,lost-reply,late-reply,duplicate-reply,run-timeout"
        // Another test's server may have the port that is chosen: then it starts on another one.
        let machine = try await EmulatedMachine(.tello, options: ["--faults", faults])
        await machine.process.stop()
        let help = try ChildProcess([BuiltPrograms.path("uavlink-sim"), "--help"])
        #expect(try await help.exit() == 0)
        #expect(faults.split(separator: ",").allSatisfy { help.output.contains($0) }, "\(help.output)")
    }
}
