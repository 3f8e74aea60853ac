import BenchmarkKit
import ReportKit
import Testing

@Suite("What an operation takes besides time") struct OperationCountsTests {
    @Test func `what a process does anyway is not the operation's`() {
        // 50 a second anyway, 3 for each of 200 operations in 10 s.
        let (idle, busy) = (CounterReading(seconds: 2, count: 100), CounterReading(seconds: 10, count: 1100))
        #expect(busy.perOperation(200, idle: idle) == 3)
        #expect(CounterReading(seconds: 10, count: 400).perOperation(200, idle: idle) == 0)
        #expect(busy.perOperation(0, idle: idle).isNaN)
    }

    @Test func `the context switches of all threads are added`() {
        var switches = ContextSwitches()
        let status = """
            Name:\tuavlink
            Cpus_allowed_list:\t0-1
            voluntary_ctxt_switches:\t150
            nonvoluntary_ctxt_switches:\t545

            """
        switches.add(status: status)
        switches.add(status: status)
        switches.add(status: "voluntary_ctxt_switches:\tnone\n")
        #expect(switches.waits == 300 && switches.preemptions == 1090)
    }

    @Test func `the sum of strace's summary is read`() {
        let summary = """
            strace: Process 3609 attached with 3 threads
            strace: Process 3609 detached
            syscall              calls
            ---------------- ---------
            epoll_wait             402
            recvfrom               201
            total_of_a_name         12
            ---------------- ---------
            total                  603
            """
        #expect(SystemCallSummary.total(summary) == 603)
        #expect(SystemCallSummary.total("strace: Process 3609 detached") == 0)
    }

    @Test func `they stand beside the latencies, by process`() {
        var section = Section(key: "command", title: "Command")
        section.counts = [
            OperationCounts(
                "udp", "uavlink over UDP",
                [
                    .init("ground", systemCalls: 3.04, waits: 1, preemptions: 0),
                    .init("companion", systemCalls: 6, waits: 2.06, preemptions: 0.04),
                ]),
            OperationCounts("peer", "a peer", [.init("ground", systemCalls: nil, waits: 1, preemptions: 0)]),
        ]
        let lines = section.text.split(separator: "\n").map { $0.split(whereSeparator: \.isWhitespace) }
        let (udp, peer) = (lines.first { $0.contains("UDP") } ?? [], lines.first { $0.contains("peer") } ?? [])
        let expected = "9.0 ground 3.0, companion 6.0 3.1 ground 1.0, companion 2.1 0.0 ground 0.0, companion 0.0"
        #expect(udp.dropFirst(3).joined(separator: " ") == expected)
        #expect(peer.dropFirst(2).joined(separator: " ") == "- ground - 1.0 ground 1.0 0.0 ground 0.0")
        let json = section.json.text
        #expect(json.contains(#"{"name": "companion", "system_calls": 6, "waits": 2.06, "preemptions": 0.04}"#))
        #expect(json.contains(#""system_calls": null"#), "\(json)")
    }
}
