package import MRS
package import MRSROS2
package import UAVLink

/// A link through ROS from this machine, which knows the stamps that the vehicle's messages had.
package protocol StampedLink: CallbackLink {
    /// When the vehicle sent the pose that was received then, on this machine's clock by the wall clocks of both; `nil` if it is not known.
    func stamp(ofPoseAt instant: MonotonicTime) -> MonotonicTime?
}

extension ROSLink: StampedLink {}
extension ROS2Link: StampedLink {}
