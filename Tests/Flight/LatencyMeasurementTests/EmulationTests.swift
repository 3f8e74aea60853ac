import Impairment
import LatencyTestKit
import ReportKit
import Testing
import UAVLink

@testable import LatencyMeasurement
@testable import LatencyOutput

/// How a condition of the network is made, and what is refused where it cannot be made.
@Suite struct EmulationTests {
    @Test(arguments: [
        ("none", Emulation.none, Emulation.none), ("delay=0ms", .none, .none),
        ("delay=20ms,jitter=5ms", .relays, .relays),
        ("rate=2mbit", .packets, .relays), ("down:rate=2mbit", .packets, .relays),
        ("delay=20ms,loss=2%", .packets, .relays), ("reorder=1%", .packets, .relays),
        ("duplicate=1%", .packets, .relays), ("blackout=1s@2s", .packets, .relays),
    ])
    func `where packets do not arrive they are lost as packets, if this process may`(
        _ text: String, _ able: Emulation, _ unable: Emulation
    ) throws {
        let condition = try Impairment(text)
        #expect(Emulation(of: condition, obstacle: nil) == able)
        #expect(Emulation(of: condition, obstacle: "no privilege") == unable)
    }

    @Test func `without the privilege streams are refused under loss, with the reason, and datagrams are not`() {
        for link in MeasuredLink.allCases {
            // Relays in front of a machine lose datagrams, and nothing competes there.
            let isDirect = link == .direct
            #expect(ProbeBench.refusal(of: link, nil) == nil)
            #expect((ProbeBench.refusal(of: link, nil, ofAll: true)?.code == .unsupported) == isDirect)
            // What competes is TCP, which takes packets whatever it competes with.
            #expect(ProbeBench.refusal(of: link, "no CAP_NET_ADMIN", ofAll: true)?.code == .unsupported)
            let refusal = ProbeBench.refusal(of: link, "no CAP_NET_ADMIN")
            let isOfDatagrams = link == .udp || isDirect
            #expect((refusal == nil) == isOfDatagrams)
            #expect(refusal?.code == .unsupported || isOfDatagrams)
            #expect(refusal?.what.contains("no CAP_NET_ADMIN") == true || isOfDatagrams)
        }
    }

    @Test
    func `links are opened again for each condition with lost packets, and otherwise when it is made differently`() {
        func serves(_ before: Emulation, _ after: Emulation, _ obstacle: String? = nil) -> Bool {
            ProbeBench(probes: [], failures: [], emulation: before, reference: ReferenceClock(), lossObstacle: nil)
                .serves(after, obstacle)
        }
        #expect(serves(.relays, .relays) && serves(.none, .none))
        #expect(!serves(.none, .relays) && !serves(.relays, .packets) && !serves(.packets, .packets))
        let bench = ProbeBench(
            probes: [], failures: [], emulation: .relays, reference: ReferenceClock(), lossObstacle: "none",
            takesPackets: true)
        #expect(!bench.serves(.relays, "none") && bench.serves(.relays, "none", takesPackets: true))
        #expect(!serves(.relays, .relays, "streams were measured before, and are refused now"))
    }

    @Test func `the page, the table and JSON say how a condition was made`() throws {
        func value(_ key: String, of members: [JSONValue.Member]) -> JSONValue? {
            members.first { $0.key == key }?.value
        }
        var report = LatencyExamples.report(LatencyExamples.twoLinks, impairment: "delay=1ms,loss=2%")
        report.conditions[0].emulation = .packets
        let result = LatencyResult(report)
        guard case .object(let members) = result.json, case .array(let conditions)? = value("conditions", of: members),
            case .object(let condition)? = conditions.first
        else { throw LinkError(.internalFault, "no condition") }
        #expect(value("emulation", of: condition) == "packets")
        #expect(result.html.contains("kernel&#39;s own TCP"))
        #expect(result.table.text.contains("kernel's own TCP"))
        report.conditions[0].emulation = .relays
        #expect(LatencyResult(report).table.text.contains("made by relays, which"))
        report.conditions[0].emulation = .none
        #expect(!LatencyResult(report).table.text.contains("nothing impaired"))
    }

    @Test func `a rate alone is of packets where this process may, and refuses no link where it may not`() throws {
        let (rate, loss) = (try Impairment("rate=2mbit"), try Impairment("rate=2mbit,loss=1%"))
        #expect(rate.isOfPackets && loss.isOfPackets && !rate.losesPackets)
        #expect(try !Impairment("delay=20ms").isOfPackets)
        let missing = { "no CAP_NET_ADMIN" as String? }
        let ways = [rate, loss].map { EmulatedWay($0, missing) }
        #expect(ways.map(\.emulation) == [.relays, .relays])
        #expect(ways.map(\.lossObstacle) == [nil, "no CAP_NET_ADMIN"])
        #expect(EmulatedWay(rate, { nil }).emulation == .packets)
        // Nobody asks for what is not needed.
        let delay = try Impairment("delay=1ms")
        #expect(EmulatedWay(delay, { fatalError("asked") }).emulation == .relays)
    }

    @Test func `a network that failed is no loss: the condition ended with an error, and says so`() {
        let failed = LinkRun(link: "tcp", how: "", failure: Emulation.failure("the network device uavlab3 is gone"))
        let run = ConditionRun(impairment: "loss=2%", links: [failed], emulation: .packets)
        #expect(run.emulationNotes == ["loss=2%: ended early, since the emulated network failed"])
        let sound = ConditionRun(impairment: "loss=2%", links: [LinkRun(link: "tcp", how: "", failure: "no log-in")])
        #expect(sound.emulationNotes.isEmpty)
    }
}
