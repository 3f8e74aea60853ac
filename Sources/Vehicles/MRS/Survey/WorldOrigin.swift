internal import Geodesy
package import MRSMessages
public import UAVLink

extension FlightEnvelope.WorldOrigin {
    /// From the vehicle's answer: the zero of its `world_origin` in ``FrameName/latitudeLongitude``; `nil` if it is not
    /// a geographic position.
    package init?(_ answer: MRSMsgs.TransformReferenceSrv.Response) {
        guard answer.success else { return nil }
        let place = answer.reference.reference.position
        guard (-90...90).contains(place.x), (-180...180).contains(place.y), place.z.isFinite else { return nil }
        self.init(latitudeDegrees: place.x, longitudeDegrees: place.y, altitudeMetres: place.z, source: .transformer)
    }

    /// From the vehicle's `pose` in its frame and its GNSS `fix`; `nil` without a fix, with an invalid pose, or if the
    /// frame does not begin at `world_origin`.
    public init?(pose: Pose, fix: GNSSFix) {
        guard fix.quality != .none, pose.positionMetres.isFinite, Self.beginsAtWorldOrigin(pose.frame) else {
            return nil
        }
        let here = GeographicCoordinate(
            latitudeDegrees: fix.latitudeDegrees, longitudeDegrees: fix.longitudeDegrees)
        let back = pose.positionMetres * -1
        guard let origin = try? GridFrame(origin: here).geographic(xMetres: back.x, yMetres: back.y) else { return nil }
        self.init(
            latitudeDegrees: origin.latitudeDegrees, longitudeDegrees: origin.longitudeDegrees,
            altitudeMetres: fix.altitudeMetres + back.z, source: .satelliteFix)
    }

    /// GNSS-based estimators keep the world's origin; indoor estimators begin at the vehicle's initial position.
    private static func beginsAtWorldOrigin(_ frame: FrameName) -> Bool {
        let name = frame.name.split(separator: "/").last ?? ""
        return name == "world_origin"
            || (name.hasSuffix("_origin") && (name.hasPrefix("gps_") || name.hasPrefix("rtk")))
    }

    /// The request to the transformer: the zero of `world_origin` in geographic coordinates.
    package static var question: MRSMsgs.TransformReferenceSrv.Request {
        MRSMsgs.TransformReferenceSrv.Request(
            frameID: FrameName.latitudeLongitude.name,
            reference: MRSMsgs.ReferenceStamped(header: StdMsgs.Header(frameID: FrameName.worldOrigin.name)))
    }
}

extension MotionLimits {
    /// The limits in use; `nil` if one of them is not a positive number.
    package init?(_ message: MRSMsgs.DynamicsConstraints) {
        self.init(
            horizontal: .init(
                speed: message.horizontalSpeed, acceleration: message.horizontalAcceleration,
                jerk: message.horizontalJerk),
            ascending: .init(
                speed: message.verticalAscendingSpeed, acceleration: message.verticalAscendingAcceleration,
                jerk: message.verticalAscendingJerk),
            descending: .init(
                speed: message.verticalDescendingSpeed, acceleration: message.verticalDescendingAcceleration,
                jerk: message.verticalDescendingJerk),
            heading: .init(
                speed: message.headingSpeed, acceleration: message.headingAcceleration, jerk: message.headingJerk))
        let all = [horizontal, ascending, descending, heading].flatMap { [$0.speed, $0.acceleration, $0.jerk] }
        guard all.allSatisfy({ $0.isFinite && $0 > 0 }) else { return nil }
    }
}
