import RouteFiles
import RouteFlight
import Testing
import Trajectories
import UAVLink

/// What a file demands of a flight, and a trajectory does not keep.
@Suite struct FileDemandTests {
    private func loaded(_ text: String) throws -> LoadedRoute {
        let resolver = WorldSetup().resolver(nil, homeZMetres: nil, RouteDefaults(frame: .worldOrigin))
        return try LoadedRoute(Array(text.utf8), name: "a.csv", resolver: resolver)
    }

    private func failures(_ findings: [TrajectoryFinding]) -> [String] {
        findings.filter { $0.weight == .failure }.map(\.text)
    }

    @Test func `a speed of the file that is exceeded fails unless that is allowed`() throws {
        let route = try loaded("x,y,z,speed\n0,0,3,0.5\n5,0,3,0.5\n")
        #expect(
            failures(route.findings(flown: 1)) == [
                "column 'speed' demands 0.50 m/s, and 1.00 m/s are flown: fly slower"
            ])
        #expect(failures(route.findings()) == ["column 'speed' demands 0.50 m/s, which is not kept"])
        #expect(failures(route.findings(flown: 0.5)) == [])
        #expect(route.findings(allowsOmissions: true, flown: 1).map(\.weight) == [.warning, .warning])
    }

    @Test func `speeds that ground stations always write fail only where they are exceeded`() throws {
        let item = "{\"type\": \"SimpleItem\", \"command\": 16, \"frame\": 3, \"params\": [0,0,0,null,47,8,9]}"
        let plan = "{\"fileType\": \"Plan\", \"mission\": {\"hoverSpeed\": 5, \"items\": [\(item)]}}"
        let read = try LoadedRoute.read(Array(plan.utf8), name: "a.plan")
        #expect(read.findings() == [])
        var route = try loaded("x,y,z\n0,0,3\n5,0,3\n")
        route.speeds = read.speeds
        #expect(failures(route.findings(flown: 4)) == [])
        #expect(
            failures(route.findings(flown: 8)) == ["hoverSpeed demands 5.00 m/s, and 8.00 m/s are flown: fly slower"])
    }

    @Test func `headings without a unit fail until one is given`() throws {
        let table = "x,y,z,heading\n0,0,3,90\n5,0,3,180\n"
        #expect(failures(try loaded(table).findings(allowsOmissions: true)) == [ReadRoute.headingNote])
        for unit in ["deg", "rad"] {
            #expect(failures(try loaded("# heading: \(unit)\n" + table).findings()) == [])
        }
        #expect(failures(try loaded("x,y,z,heading_rad\n0,0,3,9\n5,0,3,9\n").findings()) == [])
    }
}
