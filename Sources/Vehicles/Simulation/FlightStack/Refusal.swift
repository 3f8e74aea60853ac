/// The messages of the flight stack, word for word: scripts and users compare these texts.
///
/// Recorded on the real stack; those marked "ours" were not.
enum Refusal {
    static let notArmed = "can not takeoff, UAV not armed!"
    static let notOffboard = "can not takeoff, UAV not in offboard mode!"
    static let outputDisabled = "can not takeoff, Control Manager's output is disabled!"
    static let alreadyFlying = "can not takeoff, need 'NullTracker' to be active!"
    static let cannotLand = "can not land, 'NullTracker' is active!"
    static let cannotLandHome = "can not land home, did not takeoff before!"
    static let elandOnGround = "can not trigger eland while not flying"
    static let offboardNotArmed = "Cannot switch to offboard, not armed."
    static let offboardNoInput = "Cannot switch to offboard, missing control input."
    static let notFlying = "not flying"
    static let callbacksDisabled = "can not set the reference, the callbacks are disabled"
    static let outside = "failed to set the reference, the point is outside of the safety area!"
    static let trajectoryOutside = "the whole trajectory is outside of the safety area!"
    static let trajectoryEmpty = "can not load trajectory with size 0"
    static let trajectoryNotFinite = "trajectory contains NaNs/infs."
    static let trajectoryNotSet = "the trajectory is not set"
    /// With the stack's own spelling.
    static let noTrajectoryToResume = "can not resume trajectory tracking, ther trajectory is not set"
    static let trajectoryFinished = "can not resume trajectory tracking, trajectory is already finished"
    static let notFinite = "incoming reference is not finite!!!"
    /// Ours.
    static let unknownFrame = "the reference could not be transformed"
    /// Ours.
    static let armOverManager = "arming over the control manager is not allowed, only disarming is"
    static let ehoverOnGround = "can not trigger ehover while not flying"
    static let failsafeOnGround = "can not trigger failsafe while not flying"
    /// Ours.
    static let landingAlready = "can not land, already landing"
    /// Ours.
    static let notHeldByRadio = "the vehicle is not flown by radio"
    /// Ours.
    static let notImplemented = "the simulator does not implement this"

    static func trackerLacks(_ function: String, tracker: String) -> String {
        "the tracker '\(tracker)' does not implement the '\(function)()' function!"
    }

    static func noConstraints(_ name: String) -> String {
        "the constraints '\(name)' do not exist (in the ConstraintManager's config)"
    }

    static func noGains(_ name: String) -> String {
        "the gains '\(name)' do not exist (in the GainManager's config)"
    }

    static func noTracker(_ name: String) -> String { "the tracker '\(name)' does not exist!" }
    static func noController(_ name: String) -> String { "the controller '\(name)' does not exist!" }
    /// Ours.
    static func noEstimator(_ name: String) -> String { "the estimator '\(name)' does not exist!" }
}
