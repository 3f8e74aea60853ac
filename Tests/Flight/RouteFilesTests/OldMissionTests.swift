import Geodesy
import RouteFiles
import Testing
import Trajectories

/// Missions as QGroundControl saved them before its plans.
@Suite struct OldMissionTests {
    private static let first = """
        {"MAV_AUTOPILOT": 3, "complexItems": [], "groundStation": "QGroundControl", "items": [
          {"autoContinue": true, "command": 22, "coordinate": [50.077, 14.418, 10], "frame": 3, "id": 1, "param1": 0,
           "param2": 0, "param3": 0, "param4": 0, "type": "missionItem"},
          {"autoContinue": true, "command": 16, "coordinate": [50.0771, 14.4181, 12], "frame": 3, "id": 2, "param1": 2.5,
           "param2": 0, "param3": 0, "param4": 0, "type": "missionItem"},
          {"autoContinue": true, "command": 16, "coordinate": [50.0772, 14.4182, 260.5], "frame": 0, "id": 3, "param1": 0,
           "param2": 0, "param3": 0, "param4": 90, "type": "missionItem"}],
         "plannedHomePosition": {"autoContinue": true, "command": 16, "coordinate": [50.077, 14.418, 245.3], "frame": 0,
           "id": 0, "param1": 0, "param2": 0, "param3": 0, "param4": 0, "type": "missionItem"}, "version": "1.0"}
        """

    private static let second = """
        {"complexItems": [{"complexItemType": "survey", "id": 9}], "firmwareType": 12, "groundStation": "QGroundControl",
         "items": [
          {"autoContinue": true, "command": 16, "coordinate": [50.0771, 14.4181, 12], "doJumpId": 1, "frame": 3,
           "params": [2.5, 0, 0, null], "type": "SimpleItem"},
          {"autoContinue": true, "command": 16, "coordinate": [50.0772, 14.4182, 260.5], "doJumpId": 2, "frame": 0,
           "params": [0, 0, 0, 90], "type": "SimpleItem"}],
         "plannedHomePosition": [50.077, 14.418, 0], "version": 2}
        """

    private static let points = [
        RoutePoint(
            place: RouteSamples.place(50.0771, 14.4181), altitude: .init(metres: 12, reference: .home), holdSeconds: 2.5
        ),
        RoutePoint(
            place: RouteSamples.place(50.0772, 14.4182), altitude: .init(metres: 260.5, reference: .meanSeaLevel),
            heading: .fixed(radians: 0)),
    ]

    @Test func `version 1 is read with its home`() throws {
        let found = try read(Self.first, name: "field.mission")
        #expect(found.route.points == Self.points)
        #expect(found.plannedHomeAltitudeMetres == 245.3)
        #expect(
            found.notes == [
                "the take-off is left out: its place is 13 m away from point 1, where the trajectory begins"
            ])
    }

    @Test func `version 2 is read, a complex item is an omission, and a home at 0 is not known`() throws {
        let found = try read(Self.second, name: "field.json")
        #expect(found.route.points == Self.points)
        #expect(found.plannedHomeAltitudeMetres == nil)
        #expect(found.omissions == ["a survey is left out"])
    }

    @Test(arguments: [
        (
            #"{"groundStation": "Q", "items": [{"command": 16, "params": [0, 0, 0, 0]}]}"#,
            "the key 'coordinate' is missing"
        ),
        (
            #"{"groundStation": "Q", "items": [{"command": 16, "coordinate": [50, 14], "frame": 3}]}"#,
            "expected latitude, longitude and altitude"
        ),
        (#"{"groundStation": "Q", "items": [{"params": [0, 0, 0, 0]}]}"#, "the key 'command' is missing"),
        (#"{"groundStation": "Q", "items": 5}"#, "expected a list of items"),
        (
            #"{"groundStation": "Q", "items": [{"command": 16, "params": [1, 2], "coordinate": [1, 2, 3], "frame": 3}]}"#,
            "expected seven parameters"
        ),
    ])
    func `mistakes are named`(_ text: String, _ expected: String) {
        let error = #expect(throws: RouteFileError.self) { try read(text, name: "field.mission") }
        #expect(error?.description.contains(expected) == true, "\(error?.description ?? "")")
    }
}
