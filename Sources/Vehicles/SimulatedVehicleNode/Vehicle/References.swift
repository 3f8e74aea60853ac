internal import MRSMessages
internal import Simulation
internal import UAVLink

// Converts received messages to the simulator's requests.

extension PlaceReference {
    init(_ reference: MRSMsgs.Reference, frame: String) {
        self.init(
            frame: FrameName(frame),
            position: Vector3(x: reference.position.x, y: reference.position.y, z: reference.position.z),
            headingRadians: reference.heading)
    }
}

extension VelocityReference {
    init(_ message: MRSMsgs.VelocityReferenceStamped) {
        let reference = message.reference
        self.init(
            frame: FrameName(message.header.frameID),
            velocity: Vector3(x: reference.velocity.x, y: reference.velocity.y, z: reference.velocity.z),
            altitudeMetres: reference.useAltitude ? reference.altitude : nil,
            headingRadians: reference.useHeading ? reference.heading : nil,
            headingRate: reference.useHeadingRate ? reference.headingRate : nil)
    }
}

extension TrajectoryReference {
    init(_ message: MRSMsgs.TrajectoryReference) {
        self.init(
            frame: FrameName(message.header.frameID),
            points: message.points.map {
                Trajectory.Point(
                    position: Vector3(x: $0.position.x, y: $0.position.y, z: $0.position.z), headingRadians: $0.heading)
            },
            timeStepSeconds: message.dt, usesHeading: message.useHeading, fliesNow: message.flyNow, loops: message.loop)
    }
}
