import Foundation
import IntegrationKit
import Testing

/// `uavlink latency` of drones with their own protocol: that protocol beside the channel of a companion in front of it, in one run.
@Suite(
    .enabled(if: BuiltPrograms.programs != nil, "the programs are not built"), .serialized,
    .timeLimit(.minutes(MachinePace.minutes(4))))
struct MachineLatencyTests {
    private static let delayMilliseconds = 20.0
    private let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private func latency(_ address: String, _ words: [String]) async throws -> (child: ChildProcess, status: Int32) {
        let child = try ChildProcess(
            [BuiltPrograms.path("uavlink"), "--link", address, "latency"] + words,
            environment: [
                "PATH": "/usr/bin:/bin", "HOME": home.path, "UAVLINK_RUNTIME_DIR": home.path, "LC_ALL": "C.UTF-8",
            ])
        return (child, try await child.exit(within: .seconds(120)))
    }

    private func measured(_ machine: EmulatedMachine, _ words: [String]) async throws -> [String: Any] {
        let (child, status) = try await latency(machine.address, words + ["--json"])
        #expect(status == 0, "\(child.errors)")
        let object = try JSONSerialization.jsonObject(with: Data(child.output.utf8)) as? [String: Any]
        return try #require(object, "\(child.output.suffix(500)) \(child.errors)")
    }

    private func number(_ object: [String: Any], _ key: String) throws -> Double {
        try #require(object[key] as? Double ?? (object[key] as? Int).map(Double.init), "\(key): \(object)")
    }

    @Test(arguments: [EmulatedMachine.Kind.tello, .ardrone])
    func `directly and through a companion, by stages, under two conditions`(_ kind: EmulatedMachine.Kind) async throws
    {
        let machine = try await EmulatedMachine(kind)
        do {
            let report = try await measured(
                machine,
                ["--links", "direct,tcp,udp", "--impair", "none", "--impair", "delay=20ms", "--rounds", "2"])
            try check(report, kind)
            // It was neither flown nor moved.
            let track = machine.track
            #expect(!track.isEmpty && track.allSatisfy { $0.z == 0 && $0.x == 0 && $0.y == 0 })
        } catch {
            await machine.process.stop()
            throw error
        }
        await machine.process.stop()
    }

    private func check(_ report: [String: Any], _ kind: EmulatedMachine.Kind) throws {
        let conditions = try #require(report["conditions"] as? [[String: Any]])
        #expect(conditions.compactMap { $0["impairment"] as? String } == ["none", "delay=20ms"])
        let notes = report["notes"] as? [String] ?? []
        #expect(notes.contains { $0.contains("is the companion's own link to the machine") }, "\(notes)")
        #expect(notes.contains { $0.contains("answers no command") } == (kind == .ardrone), "\(notes)")
        for condition in conditions {
            let isDelayed = condition["impairment"] as? String != "none"
            let links = try #require(condition["links"] as? [[String: Any]])
            #expect(links.compactMap { $0["link"] as? String } == ["direct", "tcp", "udp"])
            for link in links { try check(link, isDelayed: isDelayed, kind) }
        }
    }

    private func check(_ link: [String: Any], isDelayed: Bool, _ kind: EmulatedMachine.Kind) throws {
        let name = try #require(link["link"] as? String)
        #expect(link["failure"] is NSNull, "\(name): \(link["failure"] ?? "")")
        let command = try #require(link["command"] as? [String: Any])
        let steering = try #require(link["steering"] as? [String: Any])
        #expect(try number(command, "count") > 0, "\(name)")
        let stages = try #require(command["stages_mean_ms"] as? [String: Double], "\(name)")
        let sum = stages.values.reduce(0, +)
        #expect(abs(sum - (try number(command, "mean_ms"))) < 1e-6, "\(name): \(stages)")
        // There and back; what an AR.Drone answers is no round trip.
        let isRoundTrip = name != "direct" || kind == .tello
        if isDelayed, isRoundTrip {
            #expect(stages["network"] ?? 0 >= 2 * Self.delayMilliseconds, "\(name): \(stages)")
        }
        if name == "direct" {
            // One stage has all of it: the machine has no clock that tells it from the way.
            #expect(Set(stages.keys) == ["queue", "network"], "\(stages)")
            #expect((steering["absent"] as? String)?.contains("does not say when a setpoint has arrived") == true)
            let telemetry = try #require(link["telemetry"] as? [String: Any])
            #expect((telemetry["absent"] as? String)?.contains(" times a second, median gap ") == true)
            return
        }
        for stage in ["companion", "ros"] { #expect(stages[stage] ?? 0 > 0, "\(name): \(stages)") }
        #expect(try number(steering, "count") >= 50, "\(name)")
        if isDelayed {
            let bound = try number(try #require(steering["clock"] as? [String: Any]), "bound_ms")
            #expect(try number(steering, "min_ms") >= Self.delayMilliseconds - bound, "\(name)")
        }
    }

    /// Loss is made by relays in front of the drone, whoever runs this; TCP needs a network that loses packets, or is left out by name.
    @Test func `datagrams are lost on the way to a Tello, and its answers with them`() async throws {
        let machine = try await EmulatedMachine(.tello)
        do {
            let report = try await measured(
                machine, ["--links", "direct,udp", "--impair", "delay=5ms,loss=30%", "--rounds", "3"])
            let links = try #require(report["links"] as? [[String: Any]])
            #expect(links.compactMap { $0["link"] as? String } == ["direct", "udp"])
            let udp = try #require(links.last?["steering"] as? [String: Any])
            #expect(try number(udp, "lost") > 0, "\(udp)")
            let direct = try #require(links.first?["command"] as? [String: Any])
            #expect(try number(direct, "count") > 0 && links.first?["failure"] is NSNull, "\(direct)")
        } catch {
            await machine.process.stop()
            throw error
        }
        await machine.process.stop()
    }

    @Test func `what cannot be measured of a machine is refused by name, before it is connected`() async throws {
        let cases: [(address: String, words: [String], said: [String])] = [
            ("tello://127.0.0.1:9", ["--motion"], ["--motion", "no position to be flown back to"]),
            ("tello://127.0.0.1:9", ["--links", "ssh,udp"], ["no link 'ssh'", "links are direct, tcp, udp"]),
            ("ardrone://127.0.0.1:9", ["--links", "udp", "--command", "heading"], ["knows no heading"]),
            ("bluno:///dev/null", ["--links", "direct,udp"], ["cannot be bridged"]),
        ]
        for (address, words, said) in cases {
            let (child, status) = try await latency(address, words)
            #expect(status == 2, "\(words): \(status) \(child.errors)")
            for text in said { #expect(child.errors.contains(text), "\(text): \(child.errors)") }
        }
        let (child, status) = try await latency("tello://127.0.0.1:9", ["--links", "direct", "--timeout", "1s"])
        #expect(status != 0 && child.errors.contains("no answer within 1 s"), "\(status) \(child.errors)")
    }
}
