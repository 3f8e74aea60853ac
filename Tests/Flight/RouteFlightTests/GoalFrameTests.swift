import FlightControl
import RouteFlight
import Testing
import UAVLink

/// Where a goto in a named frame leads, compared with the vehicle's pose.
@Suite struct GoalFrameTests {
    private let origin = FlightEnvelope.WorldOrigin(
        latitudeDegrees: 47.397743, longitudeDegrees: 8.545594, altitudeMetres: 340, source: .transformer)

    private func destination(
        _ frame: FrameName, _ place: Vector3, origin: FlightEnvelope.WorldOrigin?
    ) -> KnownDestination? {
        let goal = Command.Destination(.frame(frame), position: place, headingRadians: 0)
        return GoalFrame.destination(goal, frame: frame, origin: origin)
    }

    private func pose(_ place: Vector3, in frame: String = "uav1/gps_garmin_origin") -> Pose {
        Pose(frame: FrameName(frame), positionMetres: place, headingRadians: 0)
    }

    @Test func `a place on Earth is compared by the origin of the vehicle's world`() throws {
        let goal = Vector3(x: 47.397743, y: 8.545594, z: 345)
        let place = try #require(destination(.latitudeLongitude, goal, origin: origin))
        #expect((place.positionMetres - Vector3(x: 0, y: 0, z: 5)).length < 0.01)
        let seen = try #require(place.position(pose(Vector3(x: 2.8, y: 2.8, z: 3.1))))
        #expect((seen - place.positionMetres).length > 4)
        // Where the world lies is not known: nothing can be said.
        #expect(destination(.latitudeLongitude, goal, origin: nil) == nil)
    }

    @Test func `an origin from a satellite fix is as accurate as the fix`() throws {
        var fix = origin
        fix.source = .satelliteFix
        let goal = Vector3(x: 47.397743, y: 8.545594, z: 345)
        #expect(try #require(destination(.latitudeLongitude, goal, origin: fix)).toleranceMetres == 3)
        #expect(try #require(destination(.latitudeLongitude, goal, origin: origin)).toleranceMetres == nil)
    }

    @Test(arguments: ["world_origin", "uav1/world_origin", "fixed_origin"])
    func `frames that begin at the origin of the world are compared with each other`(frame: String) throws {
        let goal = Vector3(x: 1, y: 2, z: 3)
        let place = try #require(destination(FrameName(frame), goal, origin: nil))
        #expect(place.positionMetres == goal && place.position(pose(goal)) == goal)
    }

    @Test func `a frame whose place is not known is compared with itself only`() throws {
        let goal = Vector3(x: 1, y: 2, z: 3)
        let place = try #require(destination(.localOrigin, goal, origin: origin))
        #expect(place.position(pose(goal)) == nil)
        #expect(place.position(pose(goal, in: "uav1/local_origin")) == goal)
    }
}
