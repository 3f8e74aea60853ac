import BenchmarkKit
import IntegrationKit
import MRS
import MRSMessages
import Statistics

/// A command over `ros`, from the ground to the service without a companion, beside a rospy proxy that keeps its connection. Telemetry
/// comes to both programs meanwhile. The same call in C, without anything else, is the floor under both.
enum DirectBenchmark {
    /// On the flight stack, where it is.
    static func onFlightStack(_ setting: Setting) async throws -> [Section] {
        if let why = MRSVehicle.missing {
            var section = Section(key: "command_stack", title: "Commands to the real flight stack")
            section.notes = ["left out: " + why]
            return [section]
        }
        return try await withCrew { crew in
            let vehicle = try await VehicleUnderTest(setting, crew, .flightStack)
            try await vehicle.takeOff()
            let name = "the real flight stack"
            return [try await CompanionLoadBenchmark.run(setting, on: vehicle, name, key: "companion_stack")]
                + (try await run(setting, on: vehicle, name, key: "command_stack"))
        }
    }

    static func run(
        _ setting: Setting, on vehicle: VehicleUnderTest, _ name: String, key: String
    ) async throws -> [Section] {
        // A run is as long as its p99 takes.
        let count = setting.amount(300, quick: 40)
        return [
            try await compare(
                setting, vehicle, key, "Command over ros to \(name) and back, 20 Hz",
                setting.plan(of: count, every: .milliseconds(50))),
            try await compare(
                setting, vehicle, key + "_50_hz", "The same, 50 Hz", setting.plan(of: count, every: .milliseconds(20))),
            try await compare(
                setting, vehicle, key + "_back_to_back", "The same, back to back",
                setting.plan(blocks: 4, of: setting.amount(100, quick: 40))),
        ]
    }

    private static let floorName = "the call alone, in C"

    private static func compare(
        _ setting: Setting, _ vehicle: VehicleUnderTest, _ key: String, _ title: String, _ plan: RunPlan
    ) async throws -> Section {
        var section = Section(key: key, title: title)
        section.notes = [
            "goto; " + plan.text,
            "each in a process of its own, and on the thread that reads the answer; meanwhile uavlink reads all topics of its "
                + "telemetry, rospy the one with the pose",
            OperationCounter.note,
        ]
        let ground = [setting.programs + "/uavlink-bench", "command-worker", "ros"]
        let rospy = try Contender.rospyCommand(setting, reading: .uavState)
        let words = try Contender.goalWords()
        func floorCommand(_ crew: Crew) async throws -> [String] {
            let address = try await VehicleUnderTest.address(
                of: "service", words[0], setting, crew, environment: vehicle.master.environment)
            return [setting.peers + "/tcpros_call"] + address + [words[0], MRSMsgs.Vec4.md5] + words.dropFirst()
        }
        section.rows = try await plan.measure([
            .peer("ros", "uavlink over ros", ground, environment: vehicle.environment, warmUp: 200),
            .peer("rospy", "rospy, persistent proxy", rospy, environment: vehicle.python, warmUp: 200),
            Contender(key: "floor", name: floorName, warmUp: 200) { crew in
                let peer = try await crew.peer(
                    floorName, try await floorCommand(crew), environment: Setting.environment)
                return { try await peer.run($0, every: $1) }
            },
        ])
        let counter = OperationCounter.ofCommands(setting, every: plan.period)
        let service = [(name: "service", process: vehicle.service)]
        section.counts = [
            try await counter.counts("ros", "uavlink over ros") { crew in
                try await .peer(
                    "uavlink", ground, environment: vehicle.environment, crew, places: ["caller"], beyond: service)
            },
            try await counter.counts("rospy", "rospy, persistent proxy") { crew in
                try await .peer("rospy", rospy, environment: vehicle.python, crew, places: ["caller"], beyond: service)
            },
            try await counter.counts("floor", floorName) { crew in
                try await .peer("floor", try await floorCommand(crew), crew, places: ["caller"], beyond: service)
            },
        ]
        let (ours, theirs, alone) = (section.series("ros"), section.series("rospy"), section.series("floor"))
        section.figures = [
            Figure("median against rospy", ours, over: theirs, at: .p50, limit: .atMost(0.9)),
            Figure("p99 against rospy", ours, over: theirs, at: .p99, limit: .atMost(0.9)),
        ]
        func share(_ percentile: Percentile) -> String {
            let estimate = alone.compared(with: theirs, at: percentile, /)
            return "\(Figure.short(estimate.value)) times (\(estimate.spreadText))"
        }
        section.notes.append("the call alone in C, against rospy: median \(share(.p50)), p99 \(share(.p99))")
        return section
    }
}
