import FlightControl
import MapTrajectoryMode
import ModeKit
import ModeTestKit
import RouteFlight
import RouteKit
import Testing
import UAVLink
import UAVTestKit
import VehicleAccess

/// What becomes of a route when its vehicle is logged out of.
@MainActor
@Suite("Map trajectory: the route after a log-out")
struct MapKeptRouteTests {
    /// A bench whose route is that of a file.
    private func opened() async -> MapBench {
        let bench = MapBench(files: ["a.csv": "# frame: world_origin\nx,y,z\n0,0,5\n20,0,5\n"])
        await bench.open()
        #expect(await becomesTrue { bench.view.shown.sessionLine.contains("vehicle") })
        bench.do(.ask(.open), .answer("a.csv"))
        #expect(await becomesTrue { bench.view.shown.route.points.count == 2 })
        return bench
    }

    /// Logs in to another vehicle.
    private func other(_ bench: MapBench) -> LoggedInVehicle {
        var profile = VehicleProfile(name: "uav2")
        profile.vehicle = "uav2"
        return bench.fleet.add(profile: profile, link: FakeLink(clock: bench.timeSource.fake))
    }

    @Test func `one that a file has is there again for the same vehicle, and closed in front of another one`()
        async throws
    {
        let bench = await opened()
        bench.close()
        let vehicle = try #require(bench.fleet.selected)
        bench.desk.loggedOut(of: vehicle, isLast: true)
        #expect(bench.desk.meet([vehicle]) == nil && bench.desk.editor.points.count == 2)
        bench.desk.loggedOut(of: vehicle, isLast: true)
        let other = other(bench)
        let said = bench.desk.meet([other])
        #expect(said?.text == "the route of \(vehicle.title) (a.csv) is closed; the file is kept")
        #expect(bench.desk.editor.points.isEmpty && !bench.desk.editor.canUndo && !bench.desk.hasUnsavedPoints)
        #expect(bench.desk.meet([other]) == nil)
    }

    @Test func `a vehicle in front of which it was not shown meanwhile is another one still`() async throws {
        let bench = await opened()
        bench.close()
        let vehicle = try #require(bench.fleet.selected)
        bench.desk.loggedOut(of: vehicle, isLast: true)
        let other = other(bench)
        bench.desk.loggedOut(of: other, isLast: true)
        #expect(bench.desk.meet([other])?.text.contains("the route of \(vehicle.title)") == true)
        #expect(bench.desk.editor.points.isEmpty)
    }

    @Test func `one with a point that no file has is kept in front of another vehicle`() async throws {
        let bench = await opened()
        bench.do(.route(.raise(metres: 1)))
        bench.close()
        bench.desk.loggedOut(of: try #require(bench.fleet.selected), isLast: true)
        let said = bench.desk.meet([other(bench)])
        #expect(said?.weight == .warning && said?.text.contains("no file has it: w writes it") == true)
        #expect(bench.desk.editor.points.count == 2)
    }

    @Test func `while another vehicle stays logged in it stays, too`() async throws {
        let bench = await opened()
        bench.close()
        bench.desk.loggedOut(of: try #require(bench.fleet.selected), isLast: false)
        #expect(bench.desk.meet([other(bench)]) == nil && bench.desk.editor.points.count == 2)
    }
}
