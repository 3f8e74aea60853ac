import Testing
import UAVLink

@testable import Tello

/// The video is turned on and off beside moves, whose answers have the same words.
@Suite("Tello video commands") struct TelloVideoCommandTests {
    private typealias Bench = ClientBench

    @Test func `the end of the video during a move is not refused, and its answer not taken for the move's`() {
        var bench = Bench.flying()
        let move = bench.perform(.ahead(1))
        let end = bench.send(.video(false))
        #expect(bench.reply(end)?.accepted == true && bench.orders == ["go 100 0 0 50"])
        bench.hear("ok")
        #expect(bench.reply(move)?.accepted == true && bench.orders == ["go 100 0 0 50", "streamoff"])
        bench.hear("ok")
        _ = bench.perform(.ahead(2))
        #expect(bench.orders.last == "go 200 0 0 50")
    }

    @Test func `it goes before no landing`() {
        var bench = Bench.flying()
        _ = bench.perform(.ahead(1))
        _ = bench.send(.video(false))
        let landing = bench.perform(.land)
        bench.hear("ok")
        bench.hear("forced stop")
        bench.pass(.milliseconds(20))
        #expect(bench.orders == ["go 100 0 0 50", "stop", "land"])
        bench.motorsRun = false
        bench.state = Bench.standing
        bench.pass(.milliseconds(200))
        bench.hear("ok")
        #expect(bench.reply(landing)?.accepted == true && bench.orders.last == "streamoff")
    }

    @Test func `what was kept back is sent when the link is closed`() {
        var bench = Bench.flying()
        _ = bench.perform(.ahead(1))
        _ = bench.send(.video(false))
        bench.client.close()
        #expect(bench.client.takeOutgoing().map(\.text) == ["streamoff"])
    }

    @Test func `a beginning that is not answered keeps no move from being sent for long`() {
        var bench = Bench.flying()
        let video = bench.send(.video(true))
        bench.pass(TelloTimes.setting + .milliseconds(20))
        #expect(bench.error(video)?.code == .timedOut)
        let move = bench.perform(.ahead(1))
        #expect(bench.orders == ["streamon", "go 100 0 0 50"])
        bench.hear("ok")
        #expect(bench.reply(move)?.accepted == true)
    }

    @Test func `on the ground its answer is waited for too`() {
        var bench = Bench.open()
        let video = bench.send(.video(true))
        bench.pass(.seconds(1))
        #expect(bench.answers[video] == nil)
        bench.hear("ok")
        #expect(bench.reply(video)?.accepted == true)
    }

    @Test func `a repeated end has the answer to each`() {
        var bench = Bench.open()
        let ends = [bench.send(.video(false)), bench.send(.video(false))]
        #expect(bench.orders == ["streamoff", "streamoff"])
        bench.hear("ok")
        #expect(ends.allSatisfy { bench.reply($0)?.accepted == true })
    }
}
