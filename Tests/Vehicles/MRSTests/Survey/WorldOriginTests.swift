import Testing
import UAVLink

import MRSMessages

@testable import MRS

@Suite("Where the vehicle's world lies, and what it allows") struct WorldOriginTests {
    private func pose(_ frame: String, _ position: Vector3 = Vector3(x: 30, y: -40, z: 5)) -> Pose {
        Pose(frame: FrameName(frame), positionMetres: position, headingRadians: 0)
    }

    private func fix(_ latitude: Double, _ longitude: Double, quality: GNSSFix.Quality = .fix) -> GNSSFix {
        GNSSFix(quality: quality, latitudeDegrees: latitude, longitudeDegrees: longitude, altitudeMetres: 385)
    }

    @Test(arguments: ["uav1/gps_garmin_origin", "uav1/gps_baro_origin", "world_origin", "uav1/rtk_origin"])
    func `a fix and a place at the same time give the origin`(_ frame: String) throws {
        let origin = try #require(
            FlightEnvelope.WorldOrigin(pose: pose(frame), fix: fix(49.36225, 14.26143)))
        #expect(origin.source == .satelliteFix)
        #expect(origin.altitudeMetres == 380)
        // Forty metres north of the fix and thirty west, but for what the grid is turned from north there.
        let north = (origin.latitudeDegrees - 49.36225) * 111_214
        let east = (origin.longitudeDegrees - 14.26143) * 72_640
        #expect(abs((north * north + east * east).squareRoot() - 50) < 0.1)
        #expect(north > 39 && north < 41 && east > -31 && east < -29)
    }

    @Test func `at the origin itself the fix is the origin`() throws {
        let origin = try #require(
            FlightEnvelope.WorldOrigin(pose: pose("world_origin", .zero), fix: fix(-33.9, 18.4)))
        #expect(abs(origin.latitudeDegrees + 33.9) < 1e-9 && abs(origin.longitudeDegrees - 18.4) < 1e-9)
    }

    @Test func `frames that begin elsewhere, and no fix, tell nothing`() {
        for frame in ["uav1/local_origin", "uav1/vio_origin", "uav1/hector_origin", "", "fcu"] {
            #expect(FlightEnvelope.WorldOrigin(pose: pose(frame), fix: fix(49, 14)) == nil, "\(frame)")
        }
        let none = fix(49, 14, quality: .none)
        #expect(FlightEnvelope.WorldOrigin(pose: pose("world_origin"), fix: none) == nil)
        #expect(FlightEnvelope.WorldOrigin(pose: pose("world_origin"), fix: fix(99, 14)) == nil)
        let lost = pose("world_origin", Vector3(x: .nan, y: 0, z: 0))
        #expect(FlightEnvelope.WorldOrigin(pose: lost, fix: fix(49, 14)) == nil)
    }

    @Test func `the transformer's answer counts only when it is a place`() {
        typealias Response = MRSMsgs.TransformReferenceSrv.Response
        var answer = Response(success: true)
        answer.reference.reference.position = GeometryMsgs.Point(x: 49.4, y: 14.2, z: 380)
        #expect(
            FlightEnvelope.WorldOrigin(answer)
                == .init(latitudeDegrees: 49.4, longitudeDegrees: 14.2, altitudeMetres: 380, source: .transformer))
        answer.reference.reference.position.x = 91
        #expect(FlightEnvelope.WorldOrigin(answer) == nil)
        answer.reference.reference.position.x = .nan
        #expect(FlightEnvelope.WorldOrigin(answer) == nil)
        answer.reference.reference.position.x = 49
        answer.success = false
        #expect(FlightEnvelope.WorldOrigin(answer) == nil)
    }

    @Test func `limits count only when all of them are numbers above zero`() {
        var message = MRSMsgs.DynamicsConstraints()
        #expect(MotionLimits(message) == nil)
        (message.horizontalSpeed, message.horizontalAcceleration, message.horizontalJerk) = (4, 2, 40)
        (message.verticalAscendingSpeed, message.verticalAscendingAcceleration, message.verticalAscendingJerk) = (
            2, 1, 40
        )
        (message.verticalDescendingSpeed, message.verticalDescendingAcceleration) = (2, 1)
        message.verticalDescendingJerk = 40
        (message.headingSpeed, message.headingAcceleration, message.headingJerk) = (1, 1, 20)
        #expect(MotionLimits(message) == .medium)
        message.headingJerk = .infinity
        #expect(MotionLimits(message) == nil)
    }
}
