import ModeKit
import ModeTestKit
import IntegrationKit
import FlightControl
import IndoorMode
import PointCloud
import Testing
import UAVLink
import UAVTestKit

@MainActor
@Suite("Indoor: maps of the vehicle")
struct IndoorPullTests {
    private func link(_ topics: String...) throws -> FakeLink {
        let link = FakeLink()
        for topic in topics { link.survey.maps[topic] = try PCDWriter.bytes(of: IndoorBench.room) }
        return link
    }

    @Test("the only one is fetched, thinned on board, and can be written")
    func one() async throws {
        let bench = try IndoorBench(try link("/uav1/map"))
        try await bench.link.connect(within: .seconds(5))
        bench.desk.options.spacingMetres = 0.2
        bench.send(.pull)
        #expect(await bench.reaches { bench.view.state.picture != nil })
        #expect(bench.link.survey.requests == [MapRequest(topic: "/uav1/map", spacingMetres: 0.2)])
        #expect(bench.view.state.title == "map: 180 points")
        let path = bench.folder.path + "/kept.pcd"
        bench.send(.ask(.save), .answer(path))
        #expect(await bench.reaches { bench.stage.notices.contains { $0.text == "the map was written to \(path)" } })
        #expect(try await MapInteractor().open(path).readPoints == 180)
        bench.instance.detach()
    }

    @Test("of several one is chosen, with Tab")
    func several() async throws {
        let bench = try IndoorBench(try link("/a", "/b"))
        try await bench.link.connect(within: .seconds(5))
        bench.send(.pull)
        #expect(await bench.reaches { bench.view.state.prompt?.kind == .topic })
        let first = bench.view.state.prompt?.text ?? ""
        bench.send(.complete(first))
        let second = bench.view.state.prompt?.text ?? ""
        #expect(Set([first, second]) == ["/a", "/b"])
        bench.send(.answer(second))
        #expect(await bench.reaches { bench.view.state.picture != nil })
        #expect(bench.link.survey.requests.map(\.topic) == [second])
        bench.instance.detach()
    }

    @Test("none, a link that fails, and no log-in are reported")
    func none() async throws {
        let bench = try IndoorBench(try link())
        try await bench.link.connect(within: .seconds(5))
        bench.send(.pull)
        #expect(await bench.reaches { bench.stage.notices.last?.text.contains("offers no map") == true })
        bench.link.survey.failure = LinkError(.timedOut, "no answer")
        bench.send(.pull)
        #expect(await bench.reaches { bench.stage.notices.last?.text.contains("no answer") == true })
        bench.instance.detach()
        let alone = try IndoorBench(fleet: Fleet(timeSource: bench.timeSource), timeSource: bench.timeSource)
        alone.send(.pull)
        #expect(await alone.reaches { alone.stage.notices.last?.text.contains("not logged in to a vehicle") == true })
        alone.instance.detach()
    }

    @Test("a detached mode is let go of, and its tasks end")
    func release() async throws {
        weak var presenter: IndoorPresenter?
        weak var view: FakeIndoorView?
        let timeSource: FakeTimeSource
        do {
            let bench = try IndoorBench()
            timeSource = bench.timeSource
            presenter = bench.view.presenter
            view = bench.view
            await bench.timeSource.beat()
            #expect(presenter != nil)
            #expect(timeSource.pauses == 1)
            bench.instance.detach()
        }
        await settle()
        #expect(timeSource.pauses == 0)
        #expect(presenter == nil)
        #expect(view == nil)
    }
}
