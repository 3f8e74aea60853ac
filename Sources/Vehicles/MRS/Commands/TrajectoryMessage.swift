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
