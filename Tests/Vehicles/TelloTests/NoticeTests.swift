import Testing
import UAVLink

@testable import Tello

/// What a pilot hears of the drone's state: pads, and its temperature.
@Suite("Tello notices") struct TelloNoticeTests {
    private struct Bench {
        var notices = TelloNotices()
        var now = MonotonicTime(nanoseconds: 0)

        /// What is said of states that come ten times a second.
        mutating func take(_ text: String, times: Int = 1) -> [String] {
            (0..<times).flatMap { _ -> [String] in
                now = now + .milliseconds(100)
                guard let state = TelloState(Array(text.utf8)) else { return ["no state"] }
                return notices.take(state, now: now).map { "\($0.severity) \($0.text)" }
            }
        }
    }

    @Test func `a pad is told when it comes into sight and when it is lost, and not while it flickers`() {
        var bench = Bench()
        #expect(bench.take("mid:-2;", times: 5) == [])
        #expect(bench.take("mid:3;", times: 5) == ["information mission pad 3 seen"])
        #expect(bench.take("mid:-1;", times: 5) == [] && bench.take("mid:3;") == [])
        #expect(bench.take("mid:-1;", times: 20) == ["information mission pad 3 lost"])
        #expect(bench.take("mid:4;mid:64;", times: 2) == [])
        #expect(bench.take("mid:8;") == ["information mission pad 8 seen"])
        #expect(bench.take("mid:1;") == ["information mission pad 1 seen"])
        // An older firmware says 0 for none.
        #expect(bench.take("mid:0;", times: 20) == ["information mission pad 1 lost"])
    }

    @Test func `a hot drone is told once, and again after it has cooled down`() {
        var bench = Bench()
        let words = "warning 95 °C: it is hot; land it, and let it cool"
        #expect(bench.take("temph:94;", times: 5) == [])
        #expect(bench.take("temph:95;", times: 5) == [words])
        #expect(bench.take("temph:90;") == [] && bench.take("temph:95;") == [])
        #expect(bench.take("temph:89;") == [] && bench.take("temph:95;") == [words])
    }

    @Test func `they are messages of the drone`() {
        var bench = ClientBench.open()
        bench.state = "mid:2;x:1;y:2;z:3;mpry:0,0,5;temph:99;" + ClientBench.standing
        bench.pass(.milliseconds(300))
        let texts = bench.telemetry?.messages.map(\.value.text) ?? []
        #expect(texts.contains("mission pad 2 seen") && texts.contains("99 °C: it is hot; land it, and let it cool"))
    }
}
