import Geodesy
import RouteFiles
import Testing
import Trajectories

/// The planned home of a written plan is on the ground, not in the air.
@Suite struct PlanHomeTests {
    private static let place = GeographicCoordinate(latitudeDegrees: 49.3622, longitudeDegrees: 14.2614)
    private static let route = Route(points: [
        RoutePoint(place: .geographic(place), altitude: .init(metres: 402, reference: .meanSeaLevel))
    ])

    private func written(_ home: PlannedHome?) throws -> (home: PlannedHome?, notes: [String]) {
        let file = try RouteFiles.write(Self.route, as: .plan, home: home)
        return (try RouteFiles.read(file.bytes, name: "a.plan").plannedHome, file.notes)
    }

    @Test func `without a home the place of point 1 is assumed, and no altitude`() throws {
        let (home, notes) = try written(nil)
        #expect(home == PlannedHome(place: Self.place))
        #expect(
            notes == ["the planned home is assumed below point 1, without an altitude: the ground is not known"])
    }

    @Test func `the ground below point 1 is its altitude, if it is known`() throws {
        let (home, notes) = try written(PlannedHome(altitudeMetres: 397))
        #expect(home == PlannedHome(place: Self.place, altitudeMetres: 397))
        #expect(notes == ["the planned home is assumed below point 1, on the ground"])
    }

    @Test func `a home that is given comes back, without a note`() throws {
        let given = PlannedHome(
            place: GeographicCoordinate(latitudeDegrees: 49.3, longitudeDegrees: 14.25), altitudeMetres: 398.5)
        let (home, notes) = try written(given)
        #expect(home == given && notes.isEmpty)
        // Its altitude may be unknown, and is not made up.
        let flat = PlannedHome(place: given.place)
        #expect(try written(flat).home == flat)
    }

    @Test(arguments: ["null, null, 400", "97, 8, 400"])
    func `a home of no valid place has none, and its altitude counts`(_ home: String) throws {
        let item = "{\"type\": \"SimpleItem\", \"command\": 16, \"frame\": 0, \"params\": [0, 0, 0, null, 47, 8, 500]}"
        let text = """
            {"fileType": "Plan", "mission": {"items": [\(item)], "plannedHomePosition": [\(home)]}}
            """
        #expect(try read(text, name: "a.plan").plannedHome == PlannedHome(altitudeMetres: 400))
    }
}
