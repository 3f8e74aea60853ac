package import MRSMessages
package import UAVLink

extension MRSMsgs.TrajectoryReference {
    /// Converts a trajectory to the vehicle's message.
    package init(_ trajectory: Trajectory) {
        self.init(
            header: StdMsgs.Header(frameID: trajectory.frame.name), useHeading: trajectory.usesHeading,
            flyNow: trajectory.fliesNow, loop: trajectory.loops, dt: trajectory.timeStepSeconds,
            points: trajectory.points.map { MRSMsgs.Reference($0.position, headingRadians: $0.headingRadians) })
    }
}

extension Trajectory {
    /// Converts the vehicle's message, as it is sent or recorded, to a trajectory.
    ///
    /// Neither the number of points nor their values are checked: the message may come from any bag.
    package init(_ message: MRSMsgs.TrajectoryReference) {
        self.init(
            frame: FrameName(message.header.frameID),
            points: message.points.map { point in
                Point(
                    position: Vector3(x: point.position.x, y: point.position.y, z: point.position.z),
                    headingRadians: point.heading)
            },
            // Without a valid time step the flight stack uses 0.2 s.
            timeStepSeconds: message.dt > 0 && message.dt.isFinite ? message.dt : 0.2, usesHeading: message.useHeading,
            fliesNow: message.flyNow, loops: message.loop)
    }
}
